import type { FormField } from '../../http/multipart.ts';
import { jsonObject } from '../../json/parse.ts';
import { printJson } from '../../json/print.ts';
import {
  isNested,
  type JsonObject,
  type JsonValue,
  member,
  memberItems,
  memberText,
} from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { base64Bytes, strictUtf8Text, utf8Bytes } from '../bytes.ts';
import { type Header, headerValue } from '../header-mode.ts';
import type { CapturedRequest, CaptureFormat, Content } from './captured-request.ts';
import { readContent } from './content.ts';
import { headerOf } from './http-messages.ts';
import { headersIn, lastOfEach } from './logged-headers.ts';

/**
 * A request that a JSON object describes: its body, or an object in which some members contain
 * headers and another one contains the body. Such objects come from HAR files, Postman, Charles,
 * gateways, axios, Kibana and loggers.
 */
export interface DescribedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: readonly Header[];
  readonly body: DescribedBody | undefined;
}

interface DescribedBody {
  readonly content: string | Uint8Array | readonly FormField[];
  /** The content type next to it. */
  readonly type?: string | undefined;
  /** Whether a logger printed the body as an object, not as text. */
  readonly isReprinted?: boolean;
}

const METHOD = /^(?:http|request)?_?(?:method|verb)$/i;
const ADDRESS = /^(?:request|full|raw|original)?_?(?:url|uri|path|endpoint)$/i;
const HEADERS = /^(?:(?:http|request|req)[ _]?)*headers?$/i;
const BODY =
  /^(?:(?:http|request|req|raw|post)[ _-]?)*(?:body|data|payload|content|params|json|string|base64)(?:[_-]?(?:text|raw|string|base64))?$/i;
/** The members of a body that contain its text. */
const BODY_TEXT = ['text', 'raw', 'string', 'content', 'body', 'data'];
/** The members that contain other parts of the description. */
const PART = /^(?:request|req|http|config|http_?request|event)$/i;
const MAX_DEPTH = 20;

/** The signed requests in a value, the innermost ones that contain everything. */
export function signedRequests(
  value: JsonValue,
  text?: string,
  depth = 0,
): readonly DescribedRequest[] {
  if (!isNested(value) || depth > MAX_DEPTH) return [];
  if (value.kind === 'array') {
    return value.items.flatMap((item) => signedRequests(item, undefined, depth + 1));
  }
  if (isSignedBody(value)) return [bodyRequest(value, text)];
  const { members } = value;
  const inner = members.flatMap((each) => signedRequests(each.value, undefined, depth + 1));
  const own = describedRequest(value);
  if (inner.length > 0) {
    return inner.map((each) => ({
      ...each,
      method: each.method ?? own.method,
      url: each.url ?? own.url,
    }));
  }
  return own.body !== undefined && (hasSignature(own.headers) || isSignedText(own.body))
    ? [own]
    : [];
}

/** The request whose body is an object of a log. */
export function bodyRequest(value: JsonObject, text: string | undefined): DescribedRequest {
  const body = { content: text ?? printJson(value), isReprinted: text === undefined };
  return { headers: [], body };
}

/** The parts of a request that an object describes, as far as it has them. */
export function describedRequest(value: JsonObject): DescribedRequest {
  const parts = [
    value,
    ...value.members.flatMap((each) =>
      PART.test(each.name) && each.value.kind === 'object' ? [each.value] : [],
    ),
  ];
  const members = parts.flatMap((part) => part.members);
  const found = (name: RegExp) => members.filter((each) => name.test(each.name));
  const printed = found(HEADERS).flatMap((each) => headersOf(each.value));
  const headers = hasSignature(printed) ? printed : [...printed, ...otherHeaders(value)];
  return {
    method: found(METHOD)
      .flatMap(({ value: each }) => scalar(each) ?? [])[0]
      ?.toUpperCase(),
    url: addressOf(
      found(ADDRESS).map((each) => each.value),
      memberText(value, 'baseURL'),
    ),
    headers: lastOfEach(headers),
    body: parts.flatMap((part) => bodyOf(part) ?? [])[0],
  };
}

/** Headers in any other notation, such as `http_x_tms_sign` of nginx. */
function otherHeaders(value: JsonObject): readonly Header[] {
  const text = printJson(value);
  return /x[-_]tms[-_]sign/i.test(text) ? headersIn(text) : [];
}

export function hasSignature(headers: readonly Header[]): boolean {
  return Boolean(headerValue(headers, SIGN_HEADERS.sign));
}

/** Whether an object is the body of a request in body mode. */
export function isSignedBody(value: JsonValue | undefined): boolean {
  return (
    value?.kind === 'object' &&
    member(value, 'sign')?.kind === 'string' &&
    !value.members.some(({ name }) => /^x-tms-/i.test(name))
  );
}

function isSignedText({ content }: DescribedBody): boolean {
  const text = content instanceof Uint8Array ? strictUtf8Text(content) : content;
  return typeof text === 'string' && /"sign"/.test(text) && isSignedBody(jsonObject(text));
}

/** The headers in an object, or in a list of pairs, objects with name and value, or lines. */
function headersOf(value: JsonValue): readonly Header[] {
  if (value.kind === 'string')
    return value.value.split(/\r?\n/).flatMap((line) => pair(headerOf(line.trim())));
  if (value.kind === 'array') {
    return value.items.flatMap((item) => {
      if (item.kind === 'string') return pair(headerOf(item.value));
      if (item.kind === 'array') return named(item.items[0], item.items[1]);
      const name = ['name', 'key', 'Name', 'Key'].flatMap((each) => member(item, each) ?? [])[0];
      const text = ['value', 'Value'].flatMap((each) => member(item, each) ?? [])[0];
      return named(name, text ?? { kind: 'string', value: '' });
    });
  }
  if (value.kind !== 'object') return [];
  const inner = value.members.find(({ name }) => /^headers?$/i.test(name));
  if (inner) return headersOf(inner.value);
  return value.members.flatMap(({ name, value: each }) =>
    named({ kind: 'string', value: name }, each.kind === 'array' ? each.items[0] : each),
  );
}

function named(name: JsonValue | undefined, value: JsonValue | undefined): readonly Header[] {
  const text = value && scalar(value);
  // `:method` and similar names are the request line of HTTP/2.
  if (name?.kind !== 'string' || text === undefined || name.value.startsWith(':')) return [];
  return [[name.value, text]];
}

function pair(header: Header | undefined): readonly Header[] {
  return header ? [header] : [];
}

function scalar(value: JsonValue): string | undefined {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? value.text : undefined;
}

function addressOf(values: readonly JsonValue[], base: string | undefined): string | undefined {
  const texts = values.flatMap((value) => scalar(value) ?? partsOf(value));
  const [url] = texts.filter((text) => /^(?:[a-z]+:\/)?\//i.test(text));
  if (url === undefined || base === undefined || !url.startsWith('/')) return url;
  return `${base.replace(/\/+$/, '')}${url}`;
}

/** The address of Postman: `{"protocol", "host": [], "path": []}`. */
function partsOf(value: JsonValue): readonly string[] {
  const raw = memberText(value, 'raw');
  if (raw !== undefined) return [raw];
  const joined = (name: string, by: string) =>
    memberItems(value, name)
      .flatMap((item) => scalar(item) ?? [])
      .join(by);
  const host = joined('host', '.');
  const port = memberText(value, 'port');
  const scheme = memberText(value, 'protocol') ?? 'https';
  return host === ''
    ? []
    : [`${scheme}://${host}${port === undefined ? '' : `:${port}`}/${joined('path', '/')}`];
}

function bodyOf(value: JsonObject): DescribedBody | undefined {
  const isBase64 =
    member(value, 'isBase64Encoded')?.kind === 'boolean' &&
    printJson(member(value, 'isBase64Encoded') ?? { kind: 'null' }) === 'true';
  for (const { name, value: each } of value.members) {
    if (!BODY.test(name)) continue;
    const body = bodyIn(each, isBase64);
    if (body) return body;
  }
  return undefined;
}

function bodyIn(value: JsonValue, isBase64: boolean): DescribedBody | undefined {
  if (value.kind === 'string' && value.value !== '')
    return { content: bodyText(value.value, isBase64) };
  if (value.kind !== 'object') return undefined;
  if (memberText(value, 'type') === 'Buffer') {
    const numbers = memberItems(value, 'data').map((item) => Number(scalar(item)));
    return { content: Uint8Array.from(numbers) };
  }
  const type = memberText(value, 'mimeType');
  const encoding = memberText(value, 'encoding') ?? '';
  for (const name of BODY_TEXT) {
    const text = memberText(value, name);
    if (text) return { content: bodyText(text, /^base64$/i.test(encoding)), type };
  }
  const params = memberItems(value, 'params');
  if (params.length > 0) return { content: params.map(formField), type };
  if (type !== undefined || member(value, 'mode')) return undefined;
  return { content: printJson(value), isReprinted: true };
}

/** The text of a body, or its bytes if they are in Base64. */
function bodyText(text: string, isBase64: boolean): string | Uint8Array {
  return isBase64 || /^e[yw][\w+/-]{20,}={0,2}\s*$/.test(text) ? base64Bytes(text) : text;
}

function formField(param: JsonValue): FormField {
  const name = memberText(param, 'name') ?? '';
  const file = memberText(param, 'fileName');
  return file === undefined ? { name, value: memberText(param, 'value') ?? '' } : { name, file };
}

const REPRINTED =
  'the logger reformatted the body: numbers such as 1.0 and white space may have changed';

/** @throws {MopError} `usage` for a body that cannot be read. */
export function capturedRequest(
  { method, url, headers, body }: DescribedRequest,
  format: CaptureFormat,
): CapturedRequest {
  return { format, method, url, headers, ...contentOf(body, headers, format) };
}

function contentOf(
  body: DescribedBody | undefined,
  headers: readonly Header[],
  format: CaptureFormat,
): Content {
  const { content = '', type, isReprinted } = body ?? {};
  if (isForm(content)) {
    const notes = ['the capture contains the fields of the form, not the body as sent'];
    const hasFiles = content.some((field) => 'file' in field);
    return {
      body: content,
      notes: hasFiles ? [...notes, 'the capture omits uploaded files'] : notes,
    };
  }
  const isText = typeof content === 'string';
  // Some tools store the type only with the body.
  const typed: readonly Header[] =
    type === undefined ? headers : [...headers, ['Content-Type', type]];
  const read = readContent(isText ? utf8Bytes(content) : content, typed, format);
  const hasFiles = typeof read.body !== 'string' && read.body.some((field) => 'file' in field);
  const notes = [...read.notes];
  if (hasFiles && isText) notes.push('the capture corrupts or omits uploaded files');
  if (isReprinted) notes.push(REPRINTED);
  return { body: read.body, notes };
}

function isForm(content: DescribedBody['content']): content is readonly FormField[] {
  return Array.isArray(content);
}
