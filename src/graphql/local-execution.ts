import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { MopError } from '../errors.ts';
import { type JsonValue, parseJson, printJson } from '../signing/json.ts';
import { jsonResolvers } from './json-resolvers.ts';
import { JsonLeaf, withLosslessScalars } from './lossless-scalars.ts';
import { asResponse, type GraphqlResponse } from './response.ts';

export interface LocalExecution {
  readonly schema: GraphQLSchema;
  /** Valid against the schema. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** An object, coercible to what the operation declares. */
  readonly variables: JsonValue;
  /** An object: the fields of the root types by their names. */
  readonly data: JsonValue;
}

/**
 * Executes an operation on this machine against data of JSON (D3 section 4). Arguments select
 * what has a field of the same name and value; `__typename` says the type where an interface or a
 * union is due; a mutation answers what it was given, on top of the data of its name, and changes
 * nothing.
 *
 * @param local Its schema is changed, and of no use for anything else afterwards.
 * @returns What a server would answer, numbers of the data with their digits.
 * @throws {MopError} `usage` for a subscription: data has no events.
 */
export async function executeLocally(local: LocalExecution): Promise<GraphqlResponse> {
  const { schema, document, operation, variables, data } = local;
  if (operation.operation === 'subscription') {
    throw new MopError('usage', 'a file has no events to subscribe to', {
      hint: 'run a query or a mutation; mop gql itself subscribes, at a server',
    });
  }
  const result = await execute({
    schema: withLosslessScalars(schema),
    document,
    rootValue: data,
    variableValues: JSON.parse(printJson(variables)) as Record<string, unknown>,
    ...jsonResolvers(operation.operation),
    ...(operation.name && { operationName: operation.name.value }),
  });
  const json = asJson(result);
  return asResponse(json) ?? { json, data: undefined, errors: [] };
}

/** A result, whose leaves are JSON already, as JSON. */
function asJson(value: unknown): JsonValue {
  if (value instanceof JsonLeaf) return value.json;
  if (Array.isArray(value)) return { kind: 'array', items: value.map(asJson) };
  if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
    const members = Object.entries(value).map(([name, part]) => ({ name, value: asJson(part) }));
    return { kind: 'object', members };
  }
  // Errors, and what the execution knows by itself: `__typename`, and the schema.
  return parseJson(JSON.stringify(value));
}
