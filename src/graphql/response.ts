import { isUtf8 } from 'node:buffer';
import { MopError } from '../errors.ts';
import { mediaType } from '../http/headers.ts';
import { pageText } from '../http/page-text.ts';
import type { HttpRequest } from '../http/request.ts';
import {
  CREDENTIAL_HINT,
  type HttpText,
  type ReadLimit,
  type Refusal,
  refusalError,
  unexpectedBody,
} from '../http/response.ts';
import { largeJsonObject } from '../json/parse.ts';
import { isNested, type JsonValue, member, memberItems, memberText } from '../json/value.ts';
import { excerpt, redactValues } from '../redaction/redact.ts';

/** An entry of `errors`. */
export interface ResponseError {
  readonly message: string;
  /** The path in the result, such as `bills.2.total`. */
  readonly path: string | undefined;
  /** `extensions.code`, such as `UNAUTHENTICATED`. */
  readonly code?: string | undefined;
  /** Positions in the document; lines and columns count from 1. */
  readonly locations: readonly { readonly line: number; readonly column: number }[];
}

/** The response to an operation, or a part of one (`@defer`, `@stream`). */
export interface GraphqlResponse {
  /** The whole response; numbers keep their digits. */
  readonly json: JsonValue;
  /** Undefined when absent or null. */
  readonly data: JsonValue | undefined;
  /** The errors of a part include the errors of its entries. */
  readonly errors: readonly ResponseError[];
  /** The command or option that avoids the errors, if the HTTP response suggests one. */
  readonly hint?: string | undefined;
}

/** A JSON value as a GraphQL response, or a part of one; undefined when it is neither. */
export function asResponse(json: JsonValue | undefined): GraphqlResponse | undefined {
  const data = member(json, 'data');
  const errors = member(json, 'errors');
  const isPart = json && hasNext({ json }) !== undefined;
  if (!json || (errors && errors.kind !== 'array' && errors.kind !== 'null')) return undefined;
  if (data && data.kind !== 'object' && data.kind !== 'null') return undefined;
  const payloads = isPart
    ? [json, ...memberItems(json, 'incremental'), ...memberItems(json, 'completed')]
    : [json];
  const entries = payloads.flatMap((payload) => memberItems(payload, 'errors').map(readError));
  if (!data && entries.length === 0 && !isPart) return undefined;
  return { json, data: data?.kind === 'object' ? data : undefined, errors: entries };
}

/** The limit of a response, and of each event or part of one: a result may be a whole table. */
export const RESPONSE_LIMIT: ReadLimit = { maxBytes: 64 * 1024 ** 2 };

export function readPiece(content: Uint8Array, subject: string, { url, secrets }: HttpRequest) {
  if (!isUtf8(content)) throw pieceError(url.host, `${subject} that is not UTF-8`);
  const text = new TextDecoder().decode(content);
  const response = asResponse(largeJsonObject(text));
  if (response) return response;
  const shown = excerpt(text, secrets);
  throw pieceError(url.host, `${subject} that is not a GraphQL response: ${shown}`);
}

export const TRACE_HINT = 'run it again with a trace (--verbose), which shows the exchange';

export function pieceError(host: string, piece: string): MopError {
  return new MopError('api', `${host} sent ${piece}`, { hint: TRACE_HINT });
}

/** Whether more parts of a result follow; undefined for a whole response. */
export function hasNext({ json }: Pick<GraphqlResponse, 'json'>): boolean | undefined {
  const value = member(json, 'hasNext');
  return value?.kind === 'boolean' ? value.value : undefined;
}

/** The GraphQL response in an HTTP response. A server may send one with any status. */
export function readResponse(http: HttpText, request: HttpRequest, now: number): GraphqlResponse {
  const json = http.isUtf8 ? largeJsonObject(http.text) : undefined;
  const errors = member(json, 'errors');
  if (errors && isNested(errors) && (errors.text?.length ?? 0) > MAX_ERRORS) {
    throw new MopError('api', `${request.url.host} answered with more than 16 MiB of errors`, {
      hint: 'run a part of the operation',
    });
  }
  const response = asResponse(json);
  const hint = causeHint(String(http.status));
  if (response) return { ...response, hint };
  const { type } = mediaType(http.header('content-type'));
  const isOtherText = !http.isUtf8 && type.endsWith('json');
  const fault = isOtherText ? 'is not UTF-8, as JSON must be' : 'is not a GraphQL response';
  const message = unexpectedBody(http, request, fault);
  throw refusal(http, request, message, hint ?? ADDRESS_HINT, now);
}

/** The part of a refused answer that its error keeps, in characters. */
const MAX_ANSWER = 64 * 1024;

/** Parsed, errors take up to fifty times their size. */
const MAX_ERRORS = 16 * 1024 ** 2;

/** The error for an HTTP answer instead of a WebSocket: the operation was not sent. */
export function noWebSocketError(http: HttpText, request: HttpRequest, now: number): MopError {
  const message = unexpectedBody(http, request, 'is not a WebSocket');
  const hint = 'the server may offer WebSockets at another address, or server-sent events (sse)';
  return refusal(http, request, message, hint, now);
}

function refusal(
  http: HttpText,
  { secrets = [] }: HttpRequest,
  message: string,
  hint: string,
  now: number,
): MopError {
  const { status, header, text } = http;
  const isRedirect = status >= 300 && status < 400 && header('location') !== undefined;
  // The page of a redirect repeats the whole address, which may contain a key.
  const reported = isRedirect ? '' : `: ${excerpt(text, secrets)}`;
  const start = text.slice(0, MAX_ANSWER);
  // GitHub limits the rate with HTTP 403.
  const isLimited = status === 403 && RATE_LIMIT.test(pageText(start));
  const refused: Refusal = {
    server: 'server, or one in front of it,',
    message: message + reported,
    ...(!isLimited && { unauthorized: 'api' }),
    hint: isLimited ? RATE_HINT : hint,
    details: { answer: redactValues(start, secrets) },
  };
  return refusalError(http, refused, now);
}

const ADDRESS_HINT =
  'check the address of the endpoint: often it ends in /graphql; a trace (--verbose) shows the answer';

const RATE_HINT = 'the server limits the rate of requests; try again later';
const RATE_LIMIT = /rate.?limit|too.many.requests|throttl|quota.(?:exceeded|reached)|^429$/i;

/** Words for the cause of an error, in its message or in `extensions.code`, and their hints. */
const CAUSES: readonly (readonly [words: RegExp, hint: string])[] = [
  [RATE_LIMIT, RATE_HINT],
  [
    /csrf|preflight/i,
    'its protection against CSRF requires the header Apollo-Require-Preflight: true',
  ],
  [
    /persisted.?quer/i,
    'the server accepts only registered (persisted) queries: ask its operators to register this one',
  ],
  [/internal.?(?:server.?)?error/i, 'the server failed: its logs may have the cause'],
  [/^405$/, 'the endpoint may require the other method: GET or POST (get)'],
  [
    /^406$/,
    'the server offers no type that the request accepts: try another transport (--transport sse or ws)',
  ],
  [
    /unauthori[sz]ed|unauthenticated|not.(?:authori[sz]ed|authenticated|logged.in)|jwt|^401$/i,
    CREDENTIAL_HINT,
  ],
  [
    /forbidden|access.denied|permission|not.allowed.to.(?!be\b)|^403$/i,
    `the credential may lack a permission; ${CREDENTIAL_HINT}`,
  ],
];

function causeHint(text: string): string | undefined {
  // A name in quotes or brackets, such as "permissions", is a field, a type or a variable.
  const own = text.replace(/"[^"]*"|(?<!\w)'[^']*'(?!\w)|`[^`]*`|\[[^[\]]*\]|\$\w+/g, '');
  return CAUSES.find(([words]) => words.test(own))?.[1];
}

/** The hint for a failed subscription over server-sent events. */
export const WEB_SOCKET_HINT =
  'if the server uses WebSockets for subscriptions, use that transport (--transport ws)';

/** One error in one line, with its place in the result and in the document. */
export function describeError({ message, path, locations }: ResponseError, name: string): string {
  const place = locations.map(({ line, column }) => `${name}:${line}:${column}`).join(', ');
  return `${path === undefined ? '' : `${path}: `}${message}${place === '' ? '' : ` (${place})`}`;
}

/** The error for a response with errors. `name` is that of the document. */
export function responseError(
  { errors, data, hint: httpHint }: GraphqlResponse,
  name: string,
  givenHint = httpHint,
): MopError {
  const [first] = errors;
  const cause = causeHint(`${first?.code} ${first?.message}`) ?? givenHint;
  const hint = cause ?? (data ? PARTIAL_HINT : REFUSED_HINT);
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors, first`;
  const message = first
    ? `the response has ${count}: ${describeError(first, name)}`
    : 'the response has no data';
  return new MopError('graphql', message, { hint });
}

const PARTIAL_HINT = '--allow-partial accepts data along with errors';
const REFUSED_HINT =
  'mop gql schema prints the schema of the endpoint; mop gql help explains the language';

function readError(json: JsonValue): ResponseError {
  const path = member(json, 'path');
  // Some servers send only the text.
  const message = json.kind === 'string' ? json.value : memberText(json, 'message');
  return {
    message: message ?? 'an error without a message',
    path: path?.kind === 'array' ? path.items.map(pathStep).join('.') : undefined,
    code: memberText(member(json, 'extensions'), 'code'),
    locations: memberItems(json, 'locations').flatMap(readLocation),
  };
}

function pathStep(step: JsonValue): string {
  if (step.kind === 'string') return step.value;
  return step.kind === 'number' ? step.text : '?';
}

function readLocation(json: JsonValue): ResponseError['locations'] {
  const [line, column] = ['line', 'column'].map((name) => {
    const value = member(json, name);
    return value?.kind === 'number' ? Number(value.text) : Number.NaN;
  });
  return line !== undefined && column !== undefined && line > 0 && column > 0
    ? [{ line, column }]
    : [];
}
