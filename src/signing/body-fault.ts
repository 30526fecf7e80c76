import { jsonObject } from '../json/parse.ts';
import type { JsonSyntaxError } from '../json/reader.ts';
import { describe, type JsonValue } from '../json/value.ts';
import FAULTS from './body-faults.json' with { type: 'json' };
import { base64Bytes, byteLength, isUtf8, latin1Text, utf8Text } from './bytes.ts';

export interface BodyFault {
  /** The predicate of a sentence about the body: `is XML`. */
  readonly form: string;
  readonly hint: string;
  /** The hint for a body that is given to sign; default: correct the JSON. */
  readonly inputHint?: string;
}

/** `curl -d` and HTML pages send such a form. */
export const URLENCODED_FORM = 'is a urlencoded form; the platform takes JSON';

/** `encoding` is the value of Content-Encoding. */
export function compressedBody(encoding: string): string {
  return `the body is compressed (Content-Encoding: ${encoding})`;
}

/** Whether a text begins with `name=`, unlike a sentence, JSON or markup. */
export function isUrlEncoded(text: string): boolean {
  return /^\s*(?![{["])[^=&<>\s]+=/.test(text);
}

/** Forms of bytes, recognised before they become text. */
const BYTE_FORMS: Readonly<Record<keyof typeof FAULTS.bytes, (bytes: Uint8Array) => boolean>> = {
  'byte-order-mark': (bytes) => begins(bytes, 0xef, 0xbb, 0xbf),
  'utf-16': (bytes) =>
    begins(bytes, 0xff, 0xfe) ||
    begins(bytes, 0xfe, 0xff) ||
    /^(?:[^\0]\0){2}|^(?:\0[^\0]){2}/.test(latin1Text(bytes.subarray(0, 4))),
  gzip: (bytes) => begins(bytes, 0x1f, 0x8b),
  'cut-character': endsWithinCharacter,
  // Chinese characters have two bytes each; accented letters rarely follow each other.
  gbk: (bytes) => !isUtf8(bytes) && highRuns(bytes).every(({ length }) => length % 2 === 0),
  'latin-1': (bytes) => !isUtf8(bytes),
};

/** Undefined for UTF-8 without a byte order mark (D1 section 1). A NUL at the start counts as UTF-16. */
export function bytesFault(bytes: Uint8Array): BodyFault | undefined {
  const form = keys(BYTE_FORMS).find((name) => BYTE_FORMS[name](bytes));
  return form && faultOf(FAULTS.bytes[form]);
}

function keys<Key extends string>(forms: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(forms) as Key[];
}

/** A fault of body-faults.json, with the value of its form. */
function faultOf([form = '', hint = '', inputHint]: readonly string[], value = ''): BodyFault {
  return { form: form.replace('$1', () => value), hint, ...(inputHint && { inputHint }) };
}

/** Forms of text, where the parser stops: sticky patterns for the offset of the syntax error. */
const TEXT_FORMS: Readonly<Record<keyof typeof FAULTS.text, RegExp>> = {
  placeholder: /(?<=\{)\{|\$\{|<%|\$[A-Za-z_]/y,
  'python-dict': /'[^']*': /y,
  'single-quotes': /'/y,
  'typographic-quotes': /[\u2018-\u201f\u300c\u300d\uff02]/y,
  'no-number': /[+-]?(?:NaN|nan|Infinity|inf)\b/y,
  undefined: /undefined\b/y,
  'python-words': /(?:None|True|False)\b/y,
  'other-case': /(?:nil|null|true|false)\b/iy,
  comment: /\/\/|\/\*|#/y,
  'object-name': /object [A-Z]\w*\]/y,
  'java-map': /(?<=[{,]\s*)[A-Za-z_]\w*=/y,
  'ruby-hash': /=>/y,
  'bare-names': /[A-Za-z_$][\w$-]*\s*:/y,
  'last-comma': /(?<=,\s*)[}\]]/y,
  mark: /\ufeff/y,
  'bad-number': /[+.]\d|(?<=\b0)[\dxX]/y,
};

export function textFault(text: string, { offset, message }: JsonSyntaxError): BodyFault {
  const { body } = FAULTS;
  const place = / at line \d+ column \d+$/.exec(message)?.[0] ?? '';
  const start = text.trimStart();
  if (start === '') return faultOf(body.empty);
  if (start.startsWith('<')) return faultOf(body.markup);
  if (jsonObject(fromBase64(start))) return faultOf(body.base64);
  if (isUrlEncoded(start)) return faultOf(body.urlencoded);
  if (offset >= text.trimEnd().length || /not closed/.test(message)) {
    return faultOf(body.cut, countBytes(text));
  }
  if (/after the end/.test(message) && /[{[]/.test(text[offset] ?? '')) {
    return faultOf(body.documents, place);
  }
  if (/control character/.test(message)) return faultOf(body.control, place);
  const found = keys(TEXT_FORMS).find((name) => {
    TEXT_FORMS[name].lastIndex = offset;
    return TEXT_FORMS[name].test(text);
  });
  if (found !== undefined) return faultOf(FAULTS.text[found], place);
  return offset > text.length - start.length ? faultOf(body.syntax, message) : faultOf(body.other);
}

/** The fault of a JSON value that is not an object. */
export function valueFault(value: JsonValue): BodyFault {
  const { body } = FAULTS;
  if (value.kind === 'string' && jsonObject(value.value)) return faultOf(body['encoded-twice']);
  if (value.kind === 'array' && value.items.some(({ kind }) => kind === 'object')) {
    const count = value.items.length;
    return faultOf(body.list, count === 1 ? 'one object' : `${count} values`);
  }
  return faultOf(body['no-object'], describe(value));
}

function countBytes(text: string): string {
  const count = byteLength(text);
  return count === 1 ? '1 byte' : `${count} bytes`;
}

function begins(bytes: Uint8Array, ...start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function highRuns(bytes: Uint8Array): readonly string[] {
  return latin1Text(bytes).match(/[\x80-\xff]+/g) ?? [];
}

function endsWithinCharacter(bytes: Uint8Array): boolean {
  const [start] = /[\xc2-\xf4][\x80-\xbf]{0,2}$/.exec(latin1Text(bytes.subarray(-3))) ?? [];
  return start !== undefined && !isUtf8(bytes) && isUtf8(bytes.subarray(0, -start.length));
}

/** Decodes Base64 that begins with `ey`, which is `{"` or `{ `; empty for any other text. */
function fromBase64(text: string): string {
  const isBase64 = text.startsWith('ey') && /^[\w+/-]+={0,2}\s*$/.test(text);
  return isBase64 ? utf8Text(base64Bytes(text)) : '';
}
