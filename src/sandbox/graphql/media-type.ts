import type { OperationTypeNode } from 'graphql';
import Negotiator from 'negotiator';

/** The media type of GraphQL over SSE. */
export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** A wildcard selects the first: JSON, which every client reads (GraphQL over HTTP). */
const RESULT_TYPES = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
  EVENT_STREAM,
];
const SUBSCRIPTION_TYPES = [EVENT_STREAM];

/** Undefined when the operation is unknown: the error is sent like a result. */
type Kind = `${OperationTypeNode}` | undefined;

/**
 * The media type of the answer, by the weights and specificity of `Accept` (RFC 9110 section
 * 12.5.1), then by its order.
 *
 * @returns Undefined when none is acceptable.
 */
export function answerType(accept: string | undefined, kind: Kind): string | undefined {
  const types = kind === 'subscription' ? SUBSCRIPTION_TYPES : RESULT_TYPES;
  // Negotiator reads an empty header as accepting nothing.
  return new Negotiator({ headers: { accept: accept || '*/*' } }).mediaType(types);
}

/** The message for a client that accepts no media type of the answer. */
export function notAcceptable(kind: Kind): string {
  if (kind === 'subscription') {
    return 'a subscription is sent as text/event-stream, which Accept does not include; WebSockets (graphql-transport-ws) work as well';
  }
  const names = RESULT_TYPES.map((type) => type.split(';')[0]);
  return `a result is sent as ${names.join(', ')}; Accept includes none of them`;
}
