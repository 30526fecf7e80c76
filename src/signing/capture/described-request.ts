import { MopError } from '../../errors.ts';
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
import { isBodyText, isEnvelope, RANK, type Rank, rankOf } from './body-names.ts';
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
  /** The bodies that it may have, the most likely first. */
  readonly bodies: readonly DescribedBody[];
}

export interface DescribedBody {
  readonly rank: Rank;
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
  if (isSignedBody(value)) {
    const body = { content: text ?? printJson(value), isReprinted: text === undefined };
    return [{ headers: [], bodies: [{ ...body, rank: RANK.body }] }];
  }
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
  const [body] = own.bodies;
  if (body === undefined || body.rank === RANK.other) return [];
  return hasSignature(own.headers) || isSignedText(body) ? [own] : [];
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
    bodies: bodiesIn(value),
  };
}

/** Headers in any other notation, such as `http_x_tms_sign` of nginx, or the tags of a trace. */
function otherHeaders(value: JsonObject): readonly Header[] {
  const lines = /x[-_]tms[-_]sign/i.test(printJson(value)) ? [...linesOf(value, 0)] : [];
  return headersIn(lines.join('\n'));
}

/** Each text in a value, in a line with its name. */
function* linesOf(value: JsonValue, depth: number): Generator<string> {
  if (depth > MAX_DEPTH) return;
  for (const [name, each] of pairsIn(value)) {
    const text = scalar(each);
    if (text === undefined) yield* linesOf(each, depth + 1);
    else yield `${name}: ${text}`;
  }
  if (value.kind !== 'array') return;
  for (const item of value.items) {
    if (item.kind === 'string') yield item.value;
    else yield* linesOf(item, depth + 1);
  }
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

/** The headers in an object, in a list of pairs, or in lines. */
function headersOf(value: JsonValue): readonly Header[] {
  if (value.kind === 'string')
    return value.value.split(/\r?\n/).flatMap((line) => pair(headerOf(line.trim())));
  if (value.kind === 'array') {
    const lines = value.items.filter((item) => item.kind === 'string');
    if (lines.length > 0) return lines.flatMap((item) => pair(headerOf(item.value)));
  }
  const pairs = pairsIn(value);
  const inner = pairs.find(([name]) => /^headers?$/i.test(name));
  if (inner) return headersOf(inner[1]);
  return pairs.flatMap(([name, each]): Header[] => {
    const text = scalar(each);
    // `:method` and similar names are the request line of HTTP/2.
    return text === undefined || name.startsWith(':') ? [] : [[name, text]];
  });
}

/** The names and values in an object, or in a list of pairs, such as the attributes of a trace. */
function pairsIn(value: JsonValue): readonly (readonly [name: string, value: JsonValue])[] {
  if (value.kind === 'object') return value.members.map((each) => [each.name, opened(each.value)]);
  if (value.kind !== 'array') return [];
  return value.items.flatMap((item) => {
    const [name, each] = item.kind === 'array' ? item.items : [nameIn(item), valueIn(item)];
    return name?.kind === 'string' ? [[name.value, opened(each ?? EMPTY)] as const] : [];
  });
}

const EMPTY: JsonValue = { kind: 'string', value: '' };
const nameIn = (item: JsonValue) => firstMember(item, ['name', 'key', 'Name', 'Key']);
const valueIn = (item: JsonValue) => firstMember(item, ['value', 'Value', 'values']);

function firstMember(value: JsonValue, names: readonly string[]): JsonValue | undefined {
  return names.flatMap((name) => member(value, name) ?? [])[0];
}

/** The first value of a list, and the value of a pair or of `{"stringValue": "AB"}`. */
function opened(value: JsonValue): JsonValue {
  if (value.kind === 'array' && value.items.length === 1 && value.items[0])
    return opened(value.items[0]);
  if (value.kind !== 'object') return value;
  const [only] = value.members.filter(({ name }) => /^(?:\w+Value|values?)$/i.test(name));
  return only && value.members.length <= 2 ? opened(only.value) : value;
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

/**
 * The bodies that an object may contain, the most likely first: texts and objects with the name of a
 * body, and other texts that are JSON.
 */
export function bodiesIn(value: JsonObject): readonly DescribedBody[] {
  return [...bodiesBelow(value, '', 0)].sort((a, b) => a.rank - b.rank);
}

function* bodiesBelow(value: JsonValue, path: string, depth: number): Generator<DescribedBody> {
  if (depth > MAX_DEPTH || (value.kind === 'object' && isEnvelope(value))) return;
  const isBase64 = isTrue(member(value, 'isBase64Encoded'));
  for (const [name, each] of pairsIn(value)) {
    const rank = rankOf(path + name);
    if (rank === undefined) continue;
    const isNamed = BODY.test(name);
    const body = isNamed ? bodyIn(each, isBase64) : textBody(each);
    const inner = body ? [] : [...bodiesBelow(each, `${path}${name}.`, depth + 1)];
    if (body) yield { ...body, rank };
    else if (
      isNamed &&
      each.kind === 'object' &&
      inner.length === 0 &&
      !memberText(each, 'mimeType')
    )
      yield { content: printJson(each), isReprinted: true, rank };
    else yield* inner;
  }
}

function isTrue(value: JsonValue | undefined): boolean {
  return value !== undefined && printJson(value) === 'true';
}

type Body = Omit<DescribedBody, 'rank'>;

function textBody(value: JsonValue): Body | undefined {
  if (value.kind !== 'string') return undefined;
  const content = bodyText(value.value, false);
  const text = typeof content === 'string' ? content : strictUtf8Text(content);
  return text !== undefined && isBodyText(text) ? { content } : undefined;
}

/** The names in an object that contains a body and its form. */
const FORM =
  /^(?:type|mode|action|options|size|not|charset|encoding|(?:content|mime)_?type|json|params|text|string|content|body|data|base64|encoded|raw\w*|\w*bytes|\w*truncated)$/i;

/** The body in a member with the name of a body; undefined when it is further inside, or missing. */
function bodyIn(value: JsonValue, isBase64: boolean): Body | undefined {
  if (value.kind === 'string' && value.value !== '')
    return { content: bodyText(value.value, isBase64) };
  if (value.kind !== 'object') return undefined;
  if (memberText(value, 'type') === 'Buffer') {
    const numbers = memberItems(value, 'data').map((item) => Number(scalar(item)));
    return { content: Uint8Array.from(numbers) };
  }
  if (!value.members.every(({ name }) => FORM.test(name)) || value.members.length === 0)
    return isEnvelope(value) ? undefined : { content: printJson(value), isReprinted: true };
  const type = memberText(value, 'mimeType');
  const encoding = memberText(value, 'encoding');
  const mode = memberText(value, 'mode');
  const isForm = type !== undefined || encoding !== undefined || mode !== undefined;
  for (const name of ['text', 'raw', 'string', 'content', 'body', 'data']) {
    const text = memberText(value, name);
    const isCertain = isForm || /^(?:text|raw|string)$/.test(name);
    if (text && (isCertain || isBodyText(text)))
      return { content: bodyText(text, /^base64$/i.test(encoding ?? '')), type };
  }
  const params = memberItems(value, 'params');
  return params.length > 0 ? { content: params.map(formField), type } : undefined;
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
  { method, url, headers, bodies: [body, ...others] }: DescribedRequest,
  format: CaptureFormat,
): CapturedRequest {
  const read = (each: DescribedBody | undefined): CapturedRequest => ({
    format,
    method,
    url,
    headers,
    ...contentOf(each, headers, format),
  });
  const otherReadings = async () => others.flatMap((each) => readable(() => read(each)));
  return others.length === 0 ? read(body) : { ...read(body), otherReadings };
}

/** A reading as a list; empty when it cannot be read. */
function readable<T>(read: () => T): readonly T[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof MopError) return [];
    throw error;
  }
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
