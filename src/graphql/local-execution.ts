import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { MopError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { jsonResolvers } from './json-resolvers.ts';
import { losslessInput, makeScalarsLossless, toJson } from './lossless-scalars.ts';
import { asResponse, type GraphqlResponse } from './response.ts';

export interface LocalExecution {
  readonly schema: GraphQLSchema;
  /** Valid against the schema. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Coercible to the types that the operation declares. */
  readonly variables: JsonObject;
  /** The fields of the root types by their names. */
  readonly data: JsonObject;
}

/**
 * Executes an operation against JSON data (D3 section 4). Arguments select objects by the scalar
 * field of the same name. `__typename` names the type of an interface or a union. A mutation
 * changes nothing: it returns the data of its name, with its arguments in fields of matching types.
 */
export async function executeLocally(local: LocalExecution): Promise<GraphqlResponse> {
  const { schema, document, operation, variables, data } = local;
  if (operation.operation === 'subscription') {
    throw new MopError('usage', 'a file has no events to subscribe to', {
      hint: 'run a query or a mutation; mop gql subscribes at a server',
    });
  }
  makeScalarsLossless(schema);
  const result = await execute({
    schema,
    document,
    rootValue: data,
    variableValues: losslessInput(variables) as Record<string, unknown>,
    ...jsonResolvers(operation.operation),
    ...(operation.name && { operationName: operation.name.value }),
  });
  const errors = result.errors?.map((error) => error.toJSON());
  const json = toJson({ ...(errors && { errors }), data: result.data });
  return asResponse(json) ?? { json, data: undefined, errors: [] };
}
