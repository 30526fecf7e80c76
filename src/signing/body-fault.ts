import { jsonObject } from '../json/parse.ts';
import type { JsonSyntaxError } from '../json/reader.ts';
import { describe, type JsonValue } from '../json/value.ts';
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
const BYTE_FORMS: readonly (readonly [
  is: (bytes: Uint8Array) => boolean,
  form: string,
  hint: string,
])[] = [
  [
    (bytes) => begins(bytes, 0xef, 0xbb, 0xbf),
    'begins with a byte order mark (EF BB BF)',
    'send UTF-8 without the mark (.NET: new UTF8Encoding(false)); the signature can be verified in the body without these three bytes',
  ],
  [
    (bytes) =>
      begins(bytes, 0xff, 0xfe) ||
      begins(bytes, 0xfe, 0xff) ||
      /^(?:[^\0]\0){2}|^(?:\0[^\0]){2}/.test(latin1Text(bytes.subarray(0, 4))),
    'is UTF-16, not UTF-8',
    'encode the body as UTF-8; the signature can be verified in the body converted by iconv -f UTF-16 -t UTF-8',
  ],
  [
    (bytes) => begins(bytes, 0x1f, 0x8b),
    'is compressed with gzip; Content-Encoding is missing',
    'send it uncompressed; the signature can be verified in the body decompressed by gunzip',
  ],
  [
    endsWithinCharacter,
    'is cut off within a character',
    'send it whole: Content-Length counts the bytes of UTF-8, not characters',
  ],
  [
    // Chinese characters have two bytes each; accented letters rarely follow each other.
    (bytes) => !isUtf8(bytes) && highRuns(bytes).every(({ length }) => length % 2 === 0),
    'is not UTF-8 text; it looks like GBK',
    'encode the body as UTF-8; the signature can be verified in the body converted by iconv -f GBK -t UTF-8',
  ],
  [
    (bytes) => !isUtf8(bytes),
    'is not UTF-8 text; it looks like Latin-1 or a code page of Windows',
    'encode the body as UTF-8; the signature can be verified in the body converted by iconv -f WINDOWS-1252 -t UTF-8',
  ],
];

/** Undefined for UTF-8 without a byte order mark (D1 section 1). A NUL at the start counts as UTF-16. */
export function bytesFault(bytes: Uint8Array): BodyFault | undefined {
  const [, form, hint] = BYTE_FORMS.find(([is]) => is(bytes)) ?? [];
  return form === undefined || hint === undefined ? undefined : { form, hint };
}

const JSON_LIBRARY = 'print the body with a JSON library, not with string functions';
const QUOTING = 'check the quoting, and that the text was copied whole';

/** Forms of text, where the parser stops: sticky patterns for the offset of the syntax error. */
const TEXT_FORMS: readonly (readonly [pattern: RegExp, content: string, hint: string])[] = [
  [
    /(?<=\{)\{|\$\{|<%|\$[A-Za-z_]/y,
    'a placeholder that was not replaced',
    'send the request and capture it, or replace the placeholders with values',
  ],
  [
    /'[^']*': /y,
    'strings in single quotes, as Python prints a dict',
    'send json.dumps(body), or requests.post(url, json=body), never str(body)',
  ],
  [/'/y, 'strings in single quotes', JSON_LIBRARY],
  [
    /[\u2018-\u201f\u300c\u300d\uff02]/y,
    'typographic quotes',
    'replace each of them with ": editors and chat programs convert it',
  ],
  [
    /[+-]?(?:NaN|nan|Infinity|inf)\b/y,
    'a number that JSON does not have (NaN, Infinity)',
    'leave the field out or send null; Python: json.dumps(…, allow_nan=False) refuses it',
  ],
  [
    /undefined\b/y,
    'the JavaScript value undefined',
    'print the body with JSON.stringify, which leaves such a field out',
  ],
  [
    /(?:None|True|False)\b/y,
    'Python values (None, True, False)',
    'send json.dumps(body), never str(body)',
  ],
  [/(?:nil|null|true|false)\b/iy, 'null, true or false in another case', JSON_LIBRARY],
  [/\/\/|\/\*|#/y, 'a comment', 'remove it: JSON does not allow comments'],
  [
    /object [A-Z]\w*\]/y,
    'the name of an object instead of its content',
    'convert the body to text with JSON.stringify before sending it',
  ],
  [
    /(?<=[{,]\s*)[A-Za-z_]\w*=/y,
    'a map as Java prints it (name=value)',
    'print the body with Jackson or Gson, never with toString()',
  ],
  [/=>/y, 'a hash as Ruby or PHP prints it (=>)', 'print the body with to_json or json_encode'],
  [/[A-Za-z_$][\w$-]*\s*:/y, 'names without quotes', JSON_LIBRARY],
  [
    /(?<=,\s*)[}\]]/y,
    'a comma before the end of an object or a list',
    'remove it: JSON allows commas only between values',
  ],
  [/\ufeff/y, 'a byte order mark', 'remove it: UTF-8 does not need one'],
  [
    /[+.]\d|(?<=\b0)[\dxX]/y,
    'a number that JSON does not allow',
    'print the body with a JSON library, not with string functions: a JSON number begins with a digit, and with 0 only before a decimal point',
  ],
];

export function textFault(text: string, { offset, message }: JsonSyntaxError): BodyFault {
  const place = / at line \d+ column \d+$/.exec(message)?.[0] ?? '';
  const start = text.trimStart();
  if (start === '') {
    return {
      form: 'is empty',
      hint: 'send a JSON object with the fields',
      inputHint: "pass a JSON object; '{}' is an object without fields",
    };
  }
  if (start.startsWith('<')) {
    return { form: 'is XML or HTML, not JSON', hint: 'send the fields as a JSON object' };
  }
  if (jsonObject(fromBase64(start))) {
    return {
      form: 'is JSON encoded as Base64',
      hint: 'send the JSON itself; the signature can be verified in the output of base64 -d',
    };
  }
  if (isUrlEncoded(start)) {
    return {
      form: URLENCODED_FORM,
      hint: 'send the fields as a JSON object, with Content-Type: application/json; the signature can be verified in such an object',
      inputHint:
        'write the fields as a JSON object, {"name":"value"}; mop sign and mop call also take -F name=value',
    };
  }
  if (offset >= text.trimEnd().length || /not closed/.test(message)) {
    return {
      form: `is not JSON: it is cut off after ${countBytes(text)}`,
      hint: 'copy it whole; if it was sent cut off, its Content-Length counted characters instead of UTF-8 bytes (杭州 has 6)',
    };
  }
  if (/after the end/.test(message) && /[{[]/.test(text[offset] ?? '')) {
    return {
      form: `contains several JSON documents, the second one${place}`,
      hint: 'send one object per request; the signature can be verified in each of them',
    };
  }
  if (/control character/.test(message)) {
    return {
      form: `is not JSON: it contains a line break or another control character in the string${place}`,
      hint: `${JSON_LIBRARY}: a line break in a string is \\n`,
    };
  }
  for (const [pattern, content, hint] of TEXT_FORMS) {
    pattern.lastIndex = offset;
    if (pattern.test(text)) return { form: `is not JSON: it contains ${content}${place}`, hint };
  }
  const isPart = offset > text.length - start.length;
  return { form: isPart ? `is not JSON: ${message}` : 'is neither JSON nor a form', hint: QUOTING };
}

/** The fault of a JSON value that is not an object. */
export function valueFault(value: JsonValue): BodyFault {
  if (value.kind === 'string' && jsonObject(value.value)) {
    return {
      form: 'is JSON encoded twice: a string that contains the object',
      hint: 'encode it once, or pass the object instead of its JSON to the library; the signature can be verified in the text of that string',
    };
  }
  if (value.kind === 'array' && value.items.some(({ kind }) => kind === 'object')) {
    const count = value.items.length;
    return {
      form: `is a list of ${count === 1 ? 'one object' : `${count} values`}, not an object`,
      hint: 'send each object separately; the signature can be verified in one object without the brackets',
    };
  }
  return {
    form: `is JSON, but not an object (it is ${describe(value)})`,
    hint: 'the platform takes an object with the request fields, such as {"bill_date":"2026-11-19"}',
  };
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
