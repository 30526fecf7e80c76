import { latin1Text, strictUtf8Text } from '../signing/bytes.ts';
import { entityCharacter } from './entities.ts';

// Each function decodes a whole text in place, so that headers, bodies and line ends keep their order.

const ESCAPE =
  /((?:\\x[\dA-Fa-f]{2}|\\[0-3][0-7]{2}){1,20000})|\\(?:u\{([\dA-Fa-f]{1,6})\}|U(00[\dA-Fa-f]{6})|[uU]([\dA-Fa-f]{4})|([0-7]{1,2})|(\r?\n[ \t]*)|(.))/gs;
const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * Decodes the backslash escapes of JSON, C, Python, Ruby, Go, Rust, PHP, strace and nginx. `\xNN` and
 * `\NNN` are bytes: of UTF-8, or else of Latin-1.
 */
export function withoutBackslashes(text: string): readonly string[] {
  if (!text.includes('\\')) return [];
  const decoded = decodeBackslashes(text, bytesText);
  return /\\x[89a-f]|\\[23][0-7]{2}/i.test(text)
    ? [decoded, decodeBackslashes(text, latin1Text)]
    : [decoded];
}

/** UTF-8 bytes as text; other bytes are read as Latin-1, as in a string of Python 3 or JavaScript. */
export function bytesText(bytes: Uint8Array): string {
  return strictUtf8Text(bytes) ?? latin1Text(bytes);
}

function decodeBackslashes(text: string, textOf: (bytes: Uint8Array) => string): string {
  return text.replace(ESCAPE, (all, bytes, point, long, unit, octal, lineEnd, other) => {
    if (bytes !== undefined) return textOf(escapedBytes(bytes));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (lineEnd !== undefined) return '';
    if (other !== undefined) return CONTROLS[other] ?? other;
    return character(Number.parseInt(point ?? long ?? unit, 16)) ?? all;
  });
}

function escapedBytes(escapes: string): Uint8Array {
  return Uint8Array.from(escapes.match(/x..|[0-7]{3}/g) ?? [], (code) =>
    code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8),
  );
}

/** Joins a string that source code or util.inspect writes as a sum of strings. */
export function withoutSums(text: string): readonly string[] {
  const joined = text.replace(/(["'`])\s*[+.]\s{0,200}\1/g, '');
  return joined === text ? [] : [joined];
}

/** Decodes the doubled quotes of CSV and SQL. */
export function withoutDoubledQuotes(text: string): readonly string[] {
  return ['"', "'"].flatMap((quote) => {
    const doubled = quote + quote;
    return text.includes(doubled) ? [text.replaceAll(doubled, quote)] : [];
  });
}

export function withoutEntities(text: string): readonly string[] {
  // Browsers accept a number without a semicolon.
  const entity = /&(?:(\w{2,40});|(#x[\da-f]{1,40}|#\d{1,40});?)/gi;
  if (!/&[a-z#]/i.test(text)) return [];
  return [text.replace(entity, (all, name, number) => entityCharacter(name ?? number) ?? all)];
}

/** Decodes percent-encoding; `+` is a space where spaces are not encoded. */
export function withoutPercents(text: string): readonly string[] {
  if (!/%[\da-f]{2}/i.test(text)) return [];
  const decode = (from: string): string => decodeRuns(from, /(?:%[\da-f]{2}){1,20000}/gi, hexCodes);
  if (!text.includes('+')) return [decode(text)];
  const readings = [decode(text.replaceAll('+', ' ')), decode(text)];
  return text.includes('%20') ? readings.reverse() : readings;
}

/** Decodes the quoted-printable of mails (RFC 2045 section 6.7), with its soft line ends. */
export function withoutQuotedPrintable(text: string): readonly string[] {
  if (!/=[C-F][\dA-F](?:=\r?\n)?=[89AB][\dA-F]|quoted-printable/i.test(text)) return [];
  return [decodeQuotedPrintable(text)];
}

export function decodeQuotedPrintable(text: string): string {
  return decodeRuns(text.replace(/=\r?\n/g, ''), /(?:=[\da-f]{2}){1,20000}/gi, hexCodes);
}

/** Decodes the bytes that `less` prints as `<E6>`. */
export function withoutAngles(text: string): readonly string[] {
  const runs = /(?:<[89A-F][\dA-F]>){1,20000}/g;
  return runs.test(text) ? [decodeRuns(text, runs, hexCodes)] : [];
}

/** Decodes the numbers of MongoDB, such as `{"$numberLong":"4"}` and `NumberLong("4")`. */
export function withoutExtendedNumbers(text: string): readonly string[] {
  const number =
    /\{\s*"\$number[A-Z][a-z]{2,9}\d*"\s*:\s*"(-?[\d.eE+-]{1,40})"\s*\}|\bNumber(?:Int|Long|Decimal)\("?(-?[\d.]{1,40})"?\)/g;
  const result = text.replace(number, (_, json, shell) => json ?? shell);
  return result === text ? [] : [result];
}

const hexCodes = (run: string): readonly number[] =>
  (run.match(/[\da-f]{2}/gi) ?? []).map((code) => Number.parseInt(code, 16));

/** Decodes the bytes that `cat -v` prints as `M-f`, `M-^]` and `^M`; `cat -A` adds `$` to each line. */
export function withoutMeta(text: string): readonly string[] {
  const runs = /(?:M-(?:\^[?-_]|[ -~])){2,20000}/g;
  const lineEnd = /\^M\$?$/gm;
  if (!runs.test(text) && !lineEnd.test(text)) return [];
  const codes = (run: string): readonly number[] =>
    [...run.matchAll(/M-(?:\^(.)|(.))/g)].map(([, control, plain = '']) =>
      control === undefined ? plain.charCodeAt(0) + 128 : (control.charCodeAt(0) ^ 64) + 128,
    );
  return [decodeRuns(text.replace(lineEnd, ''), runs, codes)];
}

function decodeRuns(text: string, runs: RegExp, codes: (run: string) => readonly number[]): string {
  return text.replace(runs, (run) => strictUtf8Text(Uint8Array.from(codes(run))) ?? run);
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
