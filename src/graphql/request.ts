import { type JsonMember, type JsonValue, printJson } from '../signing/json.ts';

/** What an operation does (D3 section 2.1). */
export type OperationKind = 'query' | 'mutation' | 'subscription';

/** An operation as it is sent. */
export interface GraphqlRequest {
  readonly kind: OperationKind;
  /** The document, as it was written. */
  readonly query: string;
  /** Which operation of the document is meant. */
  readonly operationName?: string | undefined;
  /** An object; numbers go out with the characters that they came with. */
  readonly variables?: JsonValue | undefined;
}

/** The parameters of a request (GraphQL over HTTP, section 5.1), as an object of JSON. */
export function requestParameters(request: GraphqlRequest): JsonValue {
  const { query, operationName, variables } = request;
  const members: JsonMember[] = [{ name: 'query', value: { kind: 'string', value: query } }];
  if (operationName !== undefined) {
    members.push({ name: 'operationName', value: { kind: 'string', value: operationName } });
  }
  if (variables?.kind === 'object' && variables.members.length > 0) {
    members.push({ name: 'variables', value: variables });
  }
  return { kind: 'object', members };
}

/** The address of a request whose parameters stand in its query. */
export function getUrl(endpoint: URL, request: GraphqlRequest): URL {
  const url = new URL(endpoint);
  const parameters = requestParameters(request);
  const members = parameters.kind === 'object' ? parameters.members : [];
  const added = new URLSearchParams(
    members.map(({ name, value }): [string, string] => [
      name,
      value.kind === 'string' ? value.value : printJson(value),
    ]),
  );
  // What the address has already stays as it is written.
  url.search = [url.search.slice(1), `${added}`].filter(Boolean).join('&');
  return url;
}
