import { findBreakingChanges, findDangerousChanges, type GraphQLSchema } from 'graphql';

/** What a new schema does to those who use the old one. */
export interface SchemaChange {
  /** Its kind, such as `FIELD_REMOVED`. */
  readonly type: string;
  readonly description: string;
}

export interface SchemaChanges {
  /** Documents that were valid may no longer be. */
  readonly breaking: readonly SchemaChange[];
  /** Documents stay valid, but programs may meet what they do not expect. */
  readonly dangerous: readonly SchemaChange[];
}

/** The changes between two schemas that are not mere additions. */
export function schemaChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChanges {
  const plain = ({ type, description }: SchemaChange): SchemaChange => ({ type, description });
  return {
    breaking: findBreakingChanges(before, after).map(plain),
    dangerous: findDangerousChanges(before, after).map(plain),
  };
}
