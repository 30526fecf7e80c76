import { jsonObject, jsonValue } from '../../json/parse.ts';
import { latin1Bytes, latin1Text, utf8Bytes } from '../bytes.ts';
import { type Header, headerValue } from '../header-mode.ts';
import { type CapturedRequest, captureFault, shown } from './captured-request.ts';
import { readContent } from './content.ts';
import { utf8Text } from './decoding.ts';
import { objectsIn } from './objects.ts';
import { type CaptureReader, looksLikePlatformRequest } from './source.ts';

/** The first line of a text; the version may be missing, as in notes and API documents. */
const FIRST_LINE = /^([A-Z][A-Z-]{0,30}) ((?:\/|https?:\/\/)\S*)(?: HTTP\/\d(?:\.\d)?)?[ \t]*$/;
/** The beginning of a message: its first line, and a header or an empty line. */
const BEGINNING =
  /^(?:HTTP\/\d(?:\.\d)? \d{3}|[A-Z][A-Z-]{0,30} (?:\/|https?:\/\/)\S*(?: HTTP\/\d(?:\.\d)?)?[ \t]*\r?\n(?:\r?\n|[\w:-]+:))/;
/** A message with its version, which a program printed; without it, a person wrote a note. */
export const WIRE_BEGINNING =
  /^(?:HTTP\/\d(?:\.\d)? \d{3}|[A-Z][A-Z-]{0,30} \S+ HTTP\/\d(?:\.\d)?[ \t]*(?:\r?\n|$))/;
/** A request line anywhere, or the line of OkHttp and Feign. */
const ANY_LINE =
  /^(?:([A-Z]{3,10}) ((?:\/|https?:\/\/)\S*) HTTP\/\d(?:\.\d)?|-{2,3}> ([A-Z]{3,10}) ((?:\/|https?:\/\/)\S*)(?: [A-Za-z][\w./]{0,20})?(?: \([^()\n]{1,100}\))?)[ \t]*\r?$/gm;
const ARROW = /^-{2,3}> /;
/** The end of a request of OkHttp, with the number of bytes of its body. */
const ARROW_END = /^(?:-{2,3}> END [A-Z]+(?: \((.{0,200})\))?|<-{2,3} .*)/m;
/** Titles of a response. Messages are searched as bytes. */
const TITLES = ['response', '响应', '返回'].map((title) => latin1Text(utf8Bytes(title))).join('|');
/** The first line of a response, with the mark of curl or requests-toolbelt, or its title. */
const RESPONSE = new RegExp(
  String.raw`^[ \t]{0,8}(?:(?:[<>|] ?)?HTTP/\d(?:\.\d)? \d{3}\b|(?:${TITLES})[^\n{]{0,40}$)`,
  'im',
);
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const SPACE = 0x20;
const MAX_LINE = 10_000;

/**
 * Reads HTTP/1.1 requests in wire format (RFC 9112), or as a tool prints them; as bytes, because a
 * form may contain files.
 */
export const HTTP_MESSAGES: CaptureReader = {
  format: 'http',
  isFormat: ({ head, text }) => BEGINNING.test(head) || new RegExp(ANY_LINE).test(text),
  read: (source) => {
    const wire = latin1Text(source.bytes).trimStart();
    return messagesIn(wire).map(({ text, isStrict }) => ({
      looksSigned: looksSigned(text, isStrict),
      read: () => readMessage(text, isStrict && !source.isPeeled),
    }));
  },
};

/** The text after a message may belong to a logger, which also names addresses. */
function looksSigned(text: string, isStrict: boolean): boolean {
  const head = text.slice(0, /\n[ \t]*\r?\n/.exec(text)?.index);
  return looksLikePlatformRequest(isStrict ? text : head) || text.includes('"sign"');
}

function messagesIn(wire: string) {
  const starts: number[] = [];
  const line = new RegExp(ANY_LINE);
  for (let found = line.exec(wire); found; found = line.exec(wire)) {
    starts.push(found.index);
    line.lastIndex = Math.max(line.lastIndex, declaredEnd(wire, found.index));
  }
  const beginning = wire.slice(0, MAX_LINE);
  const isWire = WIRE_BEGINNING.test(beginning) && BEGINNING.test(beginning);
  if (starts[0] !== 0 && BEGINNING.test(beginning)) starts.unshift(0);
  return starts.map((start, index) => ({
    text: wire.slice(start, starts[index + 1]),
    // Nothing in a text that is a message belongs to a logger.
    isStrict: start === 0 && isWire,
  }));
}

/**
 * The end of a message by its Content-Length: its body is not searched for messages. A log may have
 * shortened its JSON.
 */
function declaredEnd(wire: string, start: number): number {
  const head = wire.slice(start, start + MAX_LINE).split(/\n\r?\n/, 1)[0] ?? '';
  const length = /^content-length:[ \t]*(\d{1,9})[ \t]*\r?$/im.exec(head)?.[1];
  const bodyStart = start + head.length;
  const end = bodyStart + Number(length ?? 0);
  const body = wire.slice(bodyStart, end).trimStart();
  const isShortened = body.startsWith('{') && jsonObject(body) === undefined;
  return end > wire.length || isShortened ? start : end;
}

function readMessage(wire: string, isStrict: boolean): CapturedRequest {
  const isArrow = ARROW.test(wire);
  const end = isArrow ? ARROW_END.exec(wire) : null;
  const { lines, rest: whole } = splitHead(wire.slice(0, end?.index), isStrict);
  const [requestLine = '', ...headerLines] = lines;
  const { method, target } = requestLineOf(requestLine);
  const headers = headerLines.flatMap((line, index) => readHeader(line, index + 2, isStrict));
  if (whole === undefined && !isArrow) {
    throw captureFault('http', 'no-empty-line');
  }
  const { bytes, notes } = isArrow
    ? arrowBody(whole ?? '', end?.[1])
    : messageBody(whole ?? '', headers, isStrict);
  const query = /\?(.+)/.exec(target)?.[1];
  if (bytes.length === 0 && query !== undefined) {
    throw captureFault('http', 'fields-in-address', [shown(namesOf(query))]);
  }
  const content = readContent(bytes, headers, 'http');
  const host = headerValue(headers, 'Host');
  return {
    format: 'http',
    method,
    // A message does not contain the scheme; the platform uses https.
    url: target.startsWith('/') && host ? `https://${host}${target}` : target,
    headers,
    body: content.body,
    notes: [...notes, ...content.notes],
  };
}

function requestLineOf(line: string): { readonly method: string; readonly target: string } {
  const [, method, target, arrowMethod, arrowTarget] = new RegExp(ANY_LINE).exec(line) ?? [];
  const [, firstMethod, firstTarget] = FIRST_LINE.exec(line) ?? [];
  const found = method ?? arrowMethod ?? firstMethod;
  if (found !== undefined) {
    return { method: found, target: target ?? arrowTarget ?? firstTarget ?? '' };
  }
  throw captureFault('http', 'response');
}

/** The names in a query. Its values may be secrets. */
function namesOf(query: string): string {
  return query
    .slice(0, 1000)
    .replace(/=[^&]*/g, '')
    .replaceAll('&', ', ');
}

/** The lines up to the first empty one, and the bytes after it, one character each. */
function splitHead(wire: string, isStrict: boolean) {
  const empty = /\n[ \t]*\r?\n/.exec(wire);
  // Without the empty line, which copying loses, the body begins at the first brace.
  const brace = empty || isStrict ? undefined : /\n(?=[ \t]*[{[])/.exec(wire);
  const end = empty ?? brace;
  const lines = utf8Text(latin1Bytes(wire.slice(0, end?.index)), 'the head', 'http')
    .trimEnd()
    .split(/\r?\n/);
  return { lines, rest: end ? wire.slice(end.index + end[0].length) : undefined };
}

export function headerOf(line: string): Header | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  return HEADER_NAME.test(name) ? [name, line.slice(colon + 1).trim()] : undefined;
}

function readHeader(line: string, number: number, isStrict: boolean): Header[] {
  // HTTP/2's request line, as developer tools print it.
  if (line.startsWith(':')) return [];
  const header = headerOf(isStrict ? line : line.trim());
  if (header) return [header];
  if (!isStrict) return [];
  throw captureFault('http', 'no-header', [number, shown(line)]);
}

interface MessageBody {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

/**
 * Logcat splits the body of OkHttp at line ends and every 4,000 characters; the byte count after it
 * distinguishes the two.
 */
function arrowBody(rest: string, ending: string | undefined): MessageBody {
  const printed = rest.replace(/\r?\n[ \t]*$/, '');
  const count = /(\d{1,15})-byte/.exec(ending ?? '')?.[1];
  const candidates = [printed, printed.replaceAll('\n', '')];
  const text =
    candidates.find((candidate) => String(candidate.length) === count) ??
    candidates.find((candidate) => jsonValue(candidate) !== undefined) ??
    printed;
  if (text.trim() === '') {
    const reason = ending === undefined ? '' : `: ${shown(ending)}`;
    throw captureFault('http', 'unlogged-body', [reason]);
  }
  const differs = count !== undefined && String(text.length) !== count;
  const note = `the body has ${text.length} bytes, but the log counts ${count}`;
  return { bytes: latin1Bytes(text), notes: differs ? [note] : [] };
}

function messageBody(rest: string, headers: readonly Header[], isStrict: boolean): MessageBody {
  if (/\bchunked\b/i.test(headerValue(headers, 'Transfer-Encoding') ?? '')) {
    // Many tools print the decoded body and keep the header `Transfer-Encoding`.
    const bytes = dechunked(rest);
    if (bytes) return { bytes, notes: [] };
  }
  const declared = headerValue(headers, 'Content-Length') ?? '';
  const length = /^\d{1,15}$/.test(declared) ? Number(declared) : undefined;
  const response = RESPONSE.exec(rest);
  const before = response ? rest.slice(0, response.index).trimEnd() : rest;
  if (response && before === '') {
    throw captureFault('http', 'missing-body');
  }
  const logged = isStrict ? undefined : loggedBody(before, length);
  if (logged !== undefined) return { bytes: latin1Bytes(logged), notes: [] };
  const isBefore = length === undefined && jsonObject(before) !== undefined;
  const first = isBefore ? undefined : objectBefore(rest, length);
  if (first) return first;
  const whole = latin1Bytes(isBefore ? before : rest);
  if (length === undefined) return { bytes: whole, notes: [] };
  if (length >= whole.length) {
    const missing = `${length - whole.length} of the ${length} bytes of Content-Length are missing`;
    return { bytes: whole, notes: length > whole.length ? [missing] : [] };
  }
  const bytes = whole.subarray(0, length);
  const behind = whole.subarray(length);
  if (!behind.some((byte) => byte > SPACE)) return { bytes, notes: [] };
  const reprinted = reprintedBody(rest, before, length);
  if (reprinted) return reprinted;
  const ignored = `${behind.length} bytes after Content-Length (${length}) were ignored`;
  return { bytes, notes: [ignored] };
}

/** The first object in the text of a logger; with several, the one with the declared length. */
function loggedBody(text: string, length: number | undefined): string | undefined {
  if (length !== undefined && jsonObject(text.slice(0, length))) return text.slice(0, length);
  let first: string | undefined;
  for (const object of objectsIn(text)) {
    if (object.text.length === length) return object.text;
    first ??= object.text;
  }
  return first;
}

/** The object that begins a body, if other text follows it within the declared length. */
function objectBefore(rest: string, length = rest.length): MessageBody | undefined {
  const body = rest.slice(0, length).trimEnd();
  const first = objectsIn(body).next().value;
  if (first === undefined || body.slice(0, first.start).trim() !== '') return undefined;
  const after = body.slice(first.end);
  const text = after.trimStart();
  const gap = after.slice(0, after.length - text.length);
  if (!gap.includes('\n') || !/^[^{}[\],"]/.test(text)) return undefined;
  const note = `${after.trim().length} bytes of other text after the JSON body were ignored`;
  return { bytes: latin1Bytes(first.text), notes: [note] };
}

function reprintedBody(rest: string, text: string, length: number): MessageBody | undefined {
  if (jsonObject(rest.slice(0, length)) || !jsonObject(text)) return undefined;
  const note =
    'the body is longer than Content-Length: the tool reformatted it, so numbers, white space and the order of names may have changed (http --pretty=none prints it as sent)';
  return { bytes: latin1Bytes(text), notes: [note] };
}

function dechunked(rest: string): Uint8Array | undefined {
  const sizeLine = /([\da-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n/iy;
  const chunks: string[] = [];
  for (;;) {
    const size = Number.parseInt(sizeLine.exec(rest)?.[1] ?? '', 16);
    const start = sizeLine.lastIndex;
    if (Number.isNaN(size) || start + size > rest.length) return undefined;
    if (size === 0) return latin1Bytes(chunks.join(''));
    chunks.push(rest.slice(start, start + size));
    const lineEnd = /\r?\n/y;
    lineEnd.lastIndex = start + size;
    if (!lineEnd.test(rest)) return undefined;
    sizeLine.lastIndex = lineEnd.lastIndex;
  }
}
