import { withoutEnd } from '../../any-length.ts';
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
import { strictUtf8Text, utf8Bytes } from '../bytes.ts';
import { type Header, headerValue } from '../header-mode.ts';
import type { CapturedRequest, CaptureFormat, Content } from './captured-request.ts';
import { readContent } from './content.ts';
import { bodiesIn, type DescribedBody, pairsIn, RANK, scalar } from './described-bodies.ts';
import { headerOf } from './http-messages.ts';
import { headersIn, lastOfEach } from './logged-headers.ts';

/**
 * A request that a JSON object describes, of HAR, Postman, Charles, gateways, axios, Kibana and
 * loggers: its body, or members with the headers and a member with the body.
 */
export interface DescribedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: readonly Header[];
  /** The bodies that it may have, the most likely first. */
  readonly bodies: readonly DescribedBody[];
  readonly doubt?: MopError | undefined;
}

const METHOD = /^(?:http|request)?_?(?:method|verb)$/i;
const ADDRESS = /^(?:request|full|raw|original)?_?(?:url|uri|path|endpoint)$/i;
const HEADERS = /^(?:(?:http|request|req)[ _]?)*headers?$/i;
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
  // The body may be outside an object that has only parameters.
  if (body === undefined || body.rank > (depth === 0 ? RANK.parameters : RANK.unnamed)) return [];
  return hasSignature(own.headers) || isSignedText(body) ? [own] : [];
}

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

function pair(header: Header | undefined): readonly Header[] {
  return header ? [header] : [];
}

function addressOf(values: readonly JsonValue[], base: string | undefined): string | undefined {
  const texts = values.flatMap((value) => scalar(value) ?? partsOf(value));
  const [url] = texts.filter((text) => /^(?:[a-z]+:\/)?\//i.test(text));
  if (url === undefined || base === undefined || !url.startsWith('/')) return url;
  return `${withoutEnd(base, '/')}${url}`;
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

const REPRINTED =
  'the capture contains the body as an object: its tool may have changed numbers such as 1.0, and white space';

export function capturedRequest(
  { method, url, headers, doubt, bodies: [body, ...others] }: DescribedRequest,
  format: CaptureFormat,
): CapturedRequest {
  const read = (each: DescribedBody | undefined): CapturedRequest => ({
    format,
    method,
    url,
    headers,
    doubt,
    ...contentOf(each, headers, format),
  });
  const otherReadings = async () => others.flatMap((each) => readable(() => read(each)));
  return others.length === 0 ? read(body) : { ...read(body), otherReadings };
}

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
