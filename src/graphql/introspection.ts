import { getIntrospectionQuery, type IntrospectionOptions } from 'graphql';
import { MopError } from '../errors.ts';
import { object } from '../json/build.ts';
import { type JsonValue, member } from '../json/value.ts';
import type { GraphqlRequest } from './request.ts';
import { type GraphqlResponse, responseError } from './response.ts';

/** Later features of introspection, and the words in the errors of servers without them. */
const FEATURES: readonly (readonly [keyof IntrospectionOptions, words: RegExp])[] = [
  ['oneOf', /isOneOf/],
  ['inputValueDeprecation', /includeDeprecated|isDeprecated|deprecationReason/],
  ['specifiedByUrl', /specifiedBy/i],
  ['directiveIsRepeatable', /isRepeatable/],
  ['schemaDescription', /description/],
];

const SWITCHED_OFF = 'the server may have disabled introspection: pass its schema as a file';

/**
 * Requests the schema of a server. Each further attempt omits the features that the server
 * rejected; the last one omits all optional features.
 */
export async function introspect(
  send: (request: GraphqlRequest) => Promise<GraphqlResponse>,
): Promise<JsonValue> {
  let features = FEATURES;
  for (;;) {
    const response = await send(introspectionRequest(features)).catch((error: unknown) =>
      refusalOf(features, error),
    );
    const { data, errors } = response;
    if (data && member(data, '__schema')?.kind === 'object' && errors.length === 0) return data;
    if (features.length === 0 || errors.length === 0) {
      throw responseError(response, 'introspection', SWITCHED_OFF);
    }
    const known = features.filter(
      ([, words]) => !errors.some(({ message }) => words.test(message)),
    );
    features = known.length < features.length ? known : [];
  }
}

/**
 * HTTP 400 and 422 as errors: gateways refuse an invalid query in many forms. The last is thrown.
 */
function refusalOf(features: typeof FEATURES, error: unknown): GraphqlResponse {
  const { httpStatus = 0, answer = '' } = error instanceof MopError ? error.details : {};
  const isRefusal = httpStatus === 400 || httpStatus === 422;
  if (!isRefusal || features.length === 0) throw error;
  const errors = [{ message: answer, path: undefined, locations: [] }];
  return { json: object({}), data: undefined, errors };
}

/** The request for a schema, by default with all current features. */
export function introspectionRequest(features = FEATURES): GraphqlRequest {
  const options = Object.fromEntries(features.map(([name]) => [name, true]));
  const query = getIntrospectionQuery(options);
  return { kind: 'query', query, operationName: 'IntrospectionQuery' };
}
