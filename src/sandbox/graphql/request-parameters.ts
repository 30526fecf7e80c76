import type { IncomingMessage } from 'node:http';
import { parseRequestParams, type RequestParams } from 'graphql-http';
import type { HonoRequest } from 'hono';
import { MopError } from '../../errors.ts';
import { type FormFile, type FormPart, isForm, readForm } from '../../server/form.ts';
import { badRequest, readBodyText } from '../../server/request-body.ts';

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

export function refusal(
  status: number,
  error: { readonly message: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify({ errors: [error] });
  return new Response(body, { status, headers: { ...JSON_HEADERS, ...headers } });
}

/**
 * The parameters of an operation: in the URL of a GET, in the JSON or the form of a POST. A refusal
 * for protocols that are not supported: batching, persisted queries, the single-connection mode.
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

/** The values that the scalar `Upload` accepts. */
const received = new WeakSet<object>();

/** Whether a value is a file that {@link readOperations} read. */
export function isReceived(value: unknown): value is FormFile {
  return typeof value === 'object' && value !== null && received.has(value);
}

/** The parameters in a form, with the files inserted (GraphQL multipart request specification). */
async function readOperations(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const parts = await readForm(incoming);
  const operations = objectIn(parts, 'operations');
  for (const [name, paths] of Object.entries(objectIn(parts, 'map'))) {
    const file = parts.find((part) => part.name === name && 'file' in part);
    if (!file) throw badRequest(`the form has no file ${JSON.stringify(name)}`);
    if (!Array.isArray(paths)) throw badRequest(`${JSON.stringify(name)} of map is not a list`);
    received.add(file);
    for (const path of paths) place(file, String(path), operations);
  }
  return operations;
}

function objectIn(parts: readonly FormPart[], name: string): Record<string, unknown> {
  const part = parts.find((part) => part.name === name && 'value' in part);
  const value = part && 'value' in part ? jsonValue(part.value) : undefined;
  if (isObject(value)) return value;
  throw badRequest(`the form has no JSON object in its field ${name}`);
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the null at a path such as `variables.files.0` with a file. */
function place(file: FormPart, path: string, operations: Record<string, unknown>): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce(memberOf, operations as unknown);
  if (memberOf(parent, last) !== null) {
    throw badRequest(`${JSON.stringify(path)} of map is not the path of a null in operations`);
  }
  (parent as Record<string, unknown>)[last] = file;
}

function memberOf(value: unknown, name: string): unknown {
  const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isParent ? (value as Record<string, unknown>)[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
