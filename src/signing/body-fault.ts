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

const INSIDE = 'the signature can be verified in';

interface BytesForm extends BodyFault {
  readonly matches: (bytes: Uint8Array) => boolean;
}

const BYTE_FORMS: readonly BytesForm[] = [
  {
    form: 'begins with a byte order mark (EF BB BF)',
    hint: `send UTF-8 without the mark (.NET: new UTF8Encoding(false)); ${INSIDE} the body without these three bytes`,
    matches: (bytes) => begins(bytes, 0xef, 0xbb, 0xbf),
  },
  {
    form: 'is UTF-16, not UTF-8',
    hint: `encode the body as UTF-8; ${INSIDE} the body converted by iconv -f UTF-16 -t UTF-8`,
    matches: (bytes) =>
      begins(bytes, 0xff, 0xfe) ||
      begins(bytes, 0xfe, 0xff) ||
      /^(?:[^\0]\0){2}|^(?:\0[^\0]){2}/.test(latin1Text(bytes.subarray(0, 4))),
  },
  {
    form: 'is compressed with gzip; Content-Encoding is missing',
    hint: `send it uncompressed; ${INSIDE} the body decompressed by gunzip`,
    matches: (bytes) => begins(bytes, 0x1f, 0x8b),
  },
  {
    form: 'is cut off within a character',
    hint: 'send it whole: Content-Length counts the bytes of UTF-8, not characters',
    matches: endsWithinCharacter,
  },
  {
    form: 'is not UTF-8 text; it looks like GBK',
    hint: `encode the body as UTF-8; ${INSIDE} the body converted by iconv -f GBK -t UTF-8`,
    // Chinese characters have two bytes each; accented letters rarely follow each other.
    matches: (bytes) => !isUtf8(bytes) && highRuns(bytes).every(({ length }) => length % 2 === 0),
  },
  {
    form: 'is not UTF-8 text; it looks like Latin-1 or a code page of Windows',
    hint: `encode the body as UTF-8; ${INSIDE} the body converted by iconv -f WINDOWS-1252 -t UTF-8`,
    matches: (bytes) => !isUtf8(bytes),
  },
];

/**
 * Undefined for UTF-8 without a byte order mark (D1 section 1). A NUL at the start counts as
 * UTF-16.
 */
export function bytesFault(bytes: Uint8Array): BodyFault | undefined {
  return BYTE_FORMS.find(({ matches }) => matches(bytes));
}

const NOT_JSON = 'print the body with a JSON library, not with string functions';

/** A form of text that is not JSON, recognised where the parser stops. */
interface TextForm {
  readonly name: string;
  readonly hint: string;
  /** Sticky: matched at the offset of the syntax error. */
  readonly pattern: RegExp;
}

const TEXT_FORMS: readonly TextForm[] = [
  {
    name: 'a placeholder that was not replaced',
    hint: 'send the request and capture it, or replace the placeholders with values',
    pattern: /(?<=\{)\{|\$\{|<%|\$[A-Za-z_]/y,
  },
  {
    name: 'strings in single quotes, as Python prints a dict',
    hint: 'send json.dumps(body), or requests.post(url, json=body), never str(body)',
    pattern: /'[^']*': /y,
  },
  {
    name: 'strings in single quotes',
    hint: `${NOT_JSON}: JSON requires double quotes`,
    pattern: /'/y,
  },
  {
    name: 'typographic quotes',
    hint: 'replace each of them with ": editors and chat programs convert it',
    pattern: /[\u2018-\u201f\u300c\u300d\uff02]/y,
  },
  {
    name: 'a number that JSON does not have (NaN, Infinity)',
    hint: 'leave the field out or send null; Python: json.dumps(…, allow_nan=False) refuses it',
    pattern: /[+-]?(?:NaN|nan|Infinity|inf)\b/y,
  },
  {
    name: 'the JavaScript value undefined',
    hint: 'print the body with JSON.stringify, which leaves such a field out',
    pattern: /undefined\b/y,
  },
  {
    name: 'Python values (None, True, False)',
    hint: 'send json.dumps(body), never str(body)',
    pattern: /(?:None|True|False)\b/y,
  },
  {
    name: 'null, true or false in another case',
    hint: `${NOT_JSON}: JSON requires lower case`,
    pattern: /(?:nil|null|true|false)\b/iy,
  },
  { name: 'a comment', hint: 'remove it: JSON does not allow comments', pattern: /\/\/|\/\*|#/y },
  {
    name: 'the name of an object instead of its content',
    hint: 'convert the body to text with JSON.stringify before sending it',
    pattern: /object [A-Z]\w*\]/y,
  },
  {
    name: 'a map as Java prints it (name=value)',
    hint: 'print the body with Jackson or Gson, never with toString()',
    pattern: /(?<=[{,]\s*)[A-Za-z_]\w*=/y,
  },
  {
    name: 'a hash as Ruby or PHP prints it (=>)',
    hint: 'print the body with to_json or json_encode',
    pattern: /=>/y,
  },
  {
    name: 'names without quotes',
    hint: `${NOT_JSON}: JSON requires double quotes around names`,
    pattern: /[A-Za-z_$][\w$-]*\s*:/y,
  },
  {
    name: 'a comma before the end of an object or a list',
    hint: 'remove it: JSON allows commas only between values',
    pattern: /(?<=,\s*)[}\]]/y,
  },
  {
    name: 'a byte order mark',
    hint: 'remove it: UTF-8 does not need one',
    pattern: /\ufeff/y,
  },
  {
    name: 'a number that JSON does not allow',
    hint: `${NOT_JSON}: a JSON number begins with a digit, and with 0 only before a decimal point`,
    pattern: /[+.]\d|(?<=\b0)[\dxX]/y,
  },
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
      hint: `send the JSON itself; ${INSIDE} the output of base64 -d`,
    };
  }
  if (isUrlEncoded(start)) {
    return {
      form: URLENCODED_FORM,
      hint: `send the fields as a JSON object, with Content-Type: application/json; ${INSIDE} such an object`,
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
      hint: `send one object per request; ${INSIDE} each of them`,
    };
  }
  if (/control character/.test(message)) {
    return {
      form: `is not JSON: it contains a line break or another control character in the string${place}`,
      hint: `${NOT_JSON}: a line break in a string is \\n`,
    };
  }
  const found = TEXT_FORMS.find(({ pattern }) => {
    pattern.lastIndex = offset;
    return pattern.test(text);
  });
  if (found) return { form: `is not JSON: it contains ${found.name}${place}`, hint: found.hint };
  return {
    form:
      offset > text.length - start.length
        ? `is not JSON: ${message}`
        : 'is neither JSON nor a form',
    hint: 'check the quoting, and that the text was copied whole',
  };
}

export function valueFault(value: JsonValue): BodyFault {
  if (value.kind === 'string' && jsonObject(value.value)) {
    return {
      form: 'is JSON encoded twice: a string that contains the object',
      hint: `encode it once, or pass the object instead of its JSON to the library; ${INSIDE} the text of that string`,
    };
  }
  if (value.kind === 'array' && value.items.some(({ kind }) => kind === 'object')) {
    const count = value.items.length;
    return {
      form: `is a list of ${count === 1 ? 'one object' : `${count} values`}, not an object`,
      hint: `send each object separately; ${INSIDE} one object without the brackets`,
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
