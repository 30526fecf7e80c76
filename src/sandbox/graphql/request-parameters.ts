import type { IncomingMessage } from 'node:http';
import { parseRequestParams, type RequestParams } from 'graphql-http';
import type { HonoRequest } from 'hono';
import { MopError } from '../../errors.ts';
import { badRequest } from '../../server/bad-request.ts';
import { isForm } from '../../server/form.ts';
import { readBodyText } from '../../server/request-body.ts';
import { jsonValue, readOperations } from './multipart-request.ts';

export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const BATCH = 'batching is not supported: send one operation per request';
const SINGLE_CONNECTION =
  'the single-connection mode of GraphQL over SSE is not supported: open a connection per operation';
const UNSUPPORTED_BODY = 'the body is neither application/json in UTF-8 nor multipart/form-data';

/** Clients recognise the message or the code and send the document (Apollo's persisted queries). */
const NOT_PERSISTED = {
  message: 'PersistedQueryNotSupported',
  extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
};

/** The answer to a request that is not executed. */
export function refusal(
  status: number,
  error: { readonly message: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify({ errors: [error] });
  return new Response(body, { status, headers: { ...JSON_HEADERS, ...headers } });
}

/**
 * The parameters of an operation: in the URL of a GET, in the JSON or the form of a POST (GraphQL
 * over HTTP; GraphQL multipart request specification).
 *
 * @returns A refusal for a request without them, and for protocols that are not supported: batching,
 *   persisted queries, the single-connection mode of GraphQL over SSE.
 */
export async function readParameters(
  request: HonoRequest,
  incoming: IncomingMessage,
): Promise<RequestParams | Response> {
  if (request.method === 'PUT' || request.method === 'DELETE') {
    return refusal(405, { message: SINGLE_CONNECTION }, { allow: 'GET, POST' });
  }
  if (request.header('x-graphql-event-stream-token') !== undefined) {
    return refusal(400, { message: SINGLE_CONNECTION });
  }
  try {
    const body = await readBody(incoming);
    if (Array.isArray(body)) return refusal(400, { message: BATCH });
    // The same status as Apollo Server.
    if (isDigestAlone(request, body)) return refusal(200, NOT_PERSISTED);
    return await checkParameters(request, body, isForm(incoming));
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    const status = error.details.httpStatus === 413 ? 413 : 400;
    return refusal(status, { message: error.message });
  }
}

/** The value of a form or of JSON. Returns any other text unchanged. */
async function readBody(incoming: IncomingMessage): Promise<unknown> {
  if (isForm(incoming)) return readOperations(incoming);
  const text = await readBodyText(incoming);
  return jsonValue(text) ?? text;
}

/** Whether a request contains the digest of a persisted query without its document. */
function isDigestAlone(request: HonoRequest, body: unknown): boolean {
  const { query, extensions } =
    request.method === 'GET'
      ? { ...request.query(), extensions: jsonValue(request.query('extensions') ?? '') }
      : Object(body);
  return query == null && Object(extensions).persistedQuery !== undefined;
}

async function checkParameters(
  request: HonoRequest,
  body: unknown,
  isMultipart: boolean,
): Promise<RequestParams | Response> {
  const type = isMultipart ? 'application/json' : request.header('content-type');
  const parameters = await parseRequestParams({
    method: request.method,
    url: request.url,
    headers: { 'content-type': type },
    body: body as string | Record<string, unknown>,
    raw: undefined,
    context: undefined,
  }).catch((error: Error) => {
    throw badRequest(error.message);
  });
  if ('query' in parameters) return parameters;
  const [, { status, headers }] = parameters;
  const message = status === 405 ? 'only GET and POST are supported' : UNSUPPORTED_BODY;
  return refusal(status, { message }, headers);
}
