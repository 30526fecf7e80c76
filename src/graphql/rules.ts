import {
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import { assertNone } from './document.ts';

/** graphql-js reports a kind of operation that the schema lacks only during execution. */
function OperationTypesRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      const message = `The schema has no type for operations of the kind "${node.operation}".`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** The validation rules of the specification, and one that the specification assumes. */
export const RULES: readonly ValidationRule[] = [...specifiedRules, OperationTypesRule];

export function findErrors(
  document: DocumentNode,
  schema: GraphQLSchema,
  rules: readonly ValidationRule[] = RULES,
): readonly GraphQLError[] {
  try {
    return validate(schema, document, rules);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const [first] = document.definitions;
    return [new GraphQLError('it nests too deeply', { ...(first && { nodes: first }) })];
  }
}

export function assertValid(
  document: DocumentNode,
  schema: GraphQLSchema,
  name: string,
  hint: string,
): void {
  assertNone(findErrors(document, schema), 'graphql', name, hint);
}
