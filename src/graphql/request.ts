import { object, text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import type { JsonObject } from '../json/value.ts';

/** The kind of an operation (D3 section 2.1). */
export type OperationKind = 'query' | 'mutation' | 'subscription';

/** An operation to send. */
export interface GraphqlRequest {
  readonly kind: OperationKind;
  /** The text of the document, sent unchanged. */
  readonly query: string;
  /** The operation of the document to execute. */
  readonly operationName?: string | undefined;
  /** Numbers are sent with their original digits. */
  readonly variables?: JsonObject | undefined;
}

/** The parameters of a request (GraphQL over HTTP, section 5.1), as an object of JSON. */
export function requestParameters(request: GraphqlRequest): JsonObject {
  const { query, operationName, variables } = request;
  return object({
    query: text(query),
    ...(operationName !== undefined && { operationName: text(operationName) }),
    ...(variables && variables.members.length > 0 && { variables }),
  });
}

/** The address of a request with its parameters in the query. */
export function getUrl(endpoint: URL, request: GraphqlRequest): URL {
  const url = new URL(endpoint);
  const { members } = requestParameters(request);
  const added = new URLSearchParams(
    members.map(({ name, value }): [string, string] => [
      name,
      value.kind === 'string' ? value.value : printJson(value),
    ]),
  );
  // The query of the address stays unchanged.
  url.search = [url.search.slice(1), `${added}`].filter(Boolean).join('&');
  return url;
}
