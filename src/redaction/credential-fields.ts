import { DecodedText, decodedParts } from './decoded-text.ts';

export interface CredentialField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  /** The range of the value in the text, without quotes, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** The quote to add around a replacement: a number in JSON has no quotes. */
  readonly missingQuote: string;
}

/** The values with these names, in lower case, in a text of any notation, complete or truncated. */
export function* credentialFields(
  text: string,
  names: readonly string[],
): Generator<CredentialField> {
  const pattern = fieldPattern(names);
  let done = 0;
  for (const part of decodedParts(text, new DecodedText())) {
    // One character for each byte, so that offsets are the same.
    const decoded = Buffer.from(part.bytes.buffer, 0, part.length).toString('latin1');
    pattern.lastIndex = 0;
    for (let found = pattern.exec(decoded); found; found = pattern.exec(decoded)) {
      const { 1: name = '', 2: nameQuote = '', 3: quote = '' } = found;
      const start = found.index + found[0].length;
      // Names within an earlier value are part of that value.
      if ((part.from[found.index] as number) < done || start >= part.length) continue;
      const { from, to } = quote
        ? quotedValue(text, part, start - 1)
        : plainValue(text, part, start, decoded);
      done = to;
      const value = decodedValue(text.slice(from, to));
      if (from === to || (!quote && /^(?:null|true|false)$/i.test(value))) continue;
      yield { name: name.toLowerCase(), value, from, to, missingQuote: quote ? '' : nameQuote };
    }
  }
}

/** A name with the characters up to its value. Repeats are limited, to limit the matching time. */
function fieldPattern(names: readonly string[]): RegExp {
  const name = `(?<![\\w.-])(?<!<[\\\\]{0,8}/)(${names.join('|')})`;
  const assignment = '[\\\\]{0,64}(["\']?)[ \\t\\r\\n]{0,20}(?::|=>?)[ \\t\\r\\n]{0,20}';
  const element = '(?:[ \\t\\r\\n][^<>]{0,80})?>[ \\t\\r\\n]{0,20}(?:<!\\[CDATA\\[)?';
  const label = '[ \\t\\r\\n]{0,20}:?[ \\t\\r\\n]{0,20}(?:<[^<>]{1,80}>[ \\t\\r\\n]{0,20}){1,6}';
  return new RegExp(`${name}(?:${assignment}[\\\\]{0,64}(["'])?|${element}|${label})`, 'gi');
}

/** The range between the quote at this position and the next one that is escaped to the same depth. */
function quotedValue(text: string, part: DecodedText, at: number) {
  const [start, from] = [part.from[at] as number, part.to[at] as number];
  const quote = text.slice(start, from);
  const depth = backslashesBefore(text, start);
  let to = text.indexOf(quote, from);
  // JSON doubles the backslashes at each level and adds one: a quote within the value has more.
  while (to !== -1 && backslashesBefore(text, to) % (2 * depth + 2) !== depth) {
    to = text.indexOf(quote, to + quote.length);
  }
  return { from, to: to === -1 ? text.length : Math.max(from, to - depth) };
}

function backslashesBefore(text: string, end: number): number {
  let count = 0;
  while (text[end - 1 - count] === '\\') count++;
  return count;
}

/** The range of a value without quotes: an object or list, or the rest of a word. */
function plainValue(text: string, part: DecodedText, start: number, decoded: string) {
  const from = part.from[start] as number;
  if (/[{[]/.test(text[from] ?? '')) return { from, to: listEnd(text, from) };
  WORD_END.lastIndex = start + schemeLength(decoded, start);
  const end = WORD_END.exec(decoded)?.index ?? part.length;
  if (end < part.length) return { from, to: part.from[end] as number };
  // A value that is longer than the part.
  WORD_END.lastIndex = part.to[part.length - 1] as number;
  return { from, to: WORD_END.exec(text)?.index ?? text.length };
}

const WORD_END = /[\s"'&<,;}\])]/g;
/** Schemes of authorization (IANA), and two usual ones without registration. */
const SCHEME =
  /(?:apikey|basic|bearer|digest|dpop|gnap|hawk|hoba|mutual|negotiate|oauth|privatetoken|scram-sha-(?:1|256)|token|vapid)[ \t]+/iy;

/** The length of the scheme at a position, with the space after it; 0 without one. */
export function schemeLength(text: string, at: number): number {
  SCHEME.lastIndex = at;
  return SCHEME.exec(text)?.[0].length ?? 0;
}

function listEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** A text without escapes, up to 64 Ki characters: longer credentials are not repeated elsewhere. */
function decodedValue(text: string): string {
  for (const part of decodedParts(text, new DecodedText())) {
    const decoded = Buffer.from(part.bytes.subarray(0, part.length)).toString();
    return decoded.replace(/\\(.)/gs, '$1');
  }
  return '';
}
