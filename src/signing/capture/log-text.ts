import { jsonObject } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import { utf8OrUndefined } from './decoding.ts';
import { type QuotedEnd, quotedEnd } from './quoted.ts';

/** Loggers escape a body once per layer: a string in JSON in the log of a container. */
export const MAX_LAYERS = 5;
/** Maximum searches within braces that are not JSON, which may nest. */
const MAX_SEARCHES = 5;

/** A JSON object in the text of a log. */
export interface LoggedObject {
  readonly value: JsonObject;
  /** Its JSON text, without the escapes of the logger. */
  readonly text: string;
  /** Its offsets in the log. */
  readonly start: number;
  readonly end: number;
}

/** The beginning of a JSON object, with the spelling of the quote of its first name. */
const OPENING = /\{(?:\s|\\{1,31}[nrt])*(?:(\\x22)|(\\{1,31}")|")/g;
/** Skips the parser for most texts that are not JSON. */
const FIRST_NAME = /^\{\s*"[^"]*"\s*:/;

/** The outermost JSON objects in a text, plain or escaped within a string. */
export function* objectsIn(text: string, layer = 0): Generator<LoggedObject> {
  let searched = 0;
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const start = match.index;
    const [, hex, escaped] = match;
    if (hex ?? escaped) {
      const { end, content } = escapedText(text, start, hex !== undefined);
      if (layer < MAX_LAYERS && content !== undefined) {
        for (const inner of objectsIn(content, layer + 1)) yield { ...inner, start, end };
      }
      opening.lastIndex = end;
    } else {
      const { end, isClosed } = closingBrace(text, start);
      const json = isClosed ? text.slice(start, end) : '';
      const value = FIRST_NAME.test(json) ? jsonObject(json) : undefined;
      if (value) yield { value, text: json, start, end };
      // An object in the logger's own notation may contain JSON.
      const searchesInside = isClosed && !value && searched < MAX_SEARCHES * text.length;
      searched += end - start;
      opening.lastIndex = searchesInside ? start + 1 : Math.max(end, start + 1);
    }
  }
}

/**
 * The end of the object that begins at `start`. If the object is not closed, the end of its text.
 */
function closingBrace(text: string, start: number): QuotedEnd {
  const token = /[{}"]/g;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [character] = found;
    if (character === '"') {
      const string = quotedEnd(text, token.lastIndex, '"');
      if (!string.isClosed) return string;
      token.lastIndex = string.end + 1;
    } else {
      depth += character === '{' ? 1 : -1;
      if (depth === 0) return { end: token.lastIndex, isClosed: true };
    }
  }
  return { end: text.length, isClosed: false };
}

/** The text of a string from `start` on, up to its quote or the end of the line. */
function escapedText(
  text: string,
  start: number,
  isHex: boolean,
): { end: number; content: string | undefined } {
  if (!isHex) {
    const { end } = quotedEnd(text, start, '"');
    return { end, content: withoutEscapes(text.slice(start, end)) };
  }
  const quote = /["\n]/g;
  quote.lastIndex = start;
  const end = quote.exec(text)?.index ?? text.length;
  return { end, content: withoutHex(text.slice(start, end)) };
}

/** nginx writes every byte that is not printable ASCII, `"` and `\` as `\x` and two digits. */
function withoutHex(escaped: string): string | undefined {
  const bytes = Buffer.from(escaped)
    .toString('latin1')
    .replace(/\\x([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return utf8OrUndefined(Buffer.from(bytes, 'latin1'));
}

function withoutEscapes(escaped: string): string {
  return escaped.replace(/\\(?:u([\da-f]{4})|(.))/gi, (token, hex, character) =>
    hex
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : (ESCAPES[character] ?? character ?? token),
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
};
