import { utf8Bytes } from '../../bytes.ts';
import { RARE, type Variant } from '../mistake.ts';
import type { Steps } from '../signer.ts';
import { type Row, table, textTable } from '../steps.ts';
import { lowerEscape } from './nested.ts';

/** Encodings and quotes of a value's text, which must be signed without them (D1 5.1). */

/** Encodes a text; `charset` converts the text to bytes, UTF-8 by default. */
type Encode = (text: string, charset?: Steps['encode']) => string;
type Encoding = readonly [name: string, apply: Encode];

export const RFC_3986 = percentEncoder('-_.~');
export const PHP_URLENCODE = percentEncoder('-_.', '+');
export const QUOTE_PLUS = percentEncoder('-_.~', '+');
export const QUOTE = percentEncoder('-_.~/');
export const JAVA_URL_ENCODER = percentEncoder('-_.*', '+');

/** Percent-encodings of languages. They differ in the unescaped characters and in the space. */
const PERCENT_ENCODINGS: readonly Encoding[] = [
  ['encodeURIComponent of JavaScript', percentEncoder("-_.!~*'()")],
  ['RFC 3986 (rawurlencode of PHP)', RFC_3986],
  ['quote of Python', QUOTE],
  ['quote_plus of Python (QueryEscape of Go)', QUOTE_PLUS],
  ['urlencode of PHP', PHP_URLENCODE],
  ['URLEncoder of Java', JAVA_URL_ENCODER],
  ['UrlEncode of .NET', percentEncoder('-_.!*()', '+', 'lower')],
  ['RFC 3986 in lower case', percentEncoder('-_.~', '%20', 'lower')],
  ['encodeURI of JavaScript', percentEncoder("-_.!~*'();,/?:@&=+$#")],
  ['escape of JavaScript', escapedUnits],
];

export const VALUE_URL_ENCODED = [
  ...values('value-url-encoded', 'the values were percent-encoded', 2, PERCENT_ENCODINGS),
  ...namesAndValues(PERCENT_ENCODINGS),
  ...values(
    'value-url-encoded',
    'the values were percent-encoded twice',
    RARE,
    PERCENT_ENCODINGS.map(([name, apply]): Encoding => [name, (text) => apply(apply(text))]),
  ),
  ...wholeString('value-url-encoded', 'the whole string was percent-encoded', PERCENT_ENCODINGS),
  ...textTable('value-url-encoded', 'pair', 'the values were signed', [
    ['before they were percent-encoded', 2, ofValue(urlDecoded)],
  ]),
];

/** Names and values percent-encoded: a new row for each encoding of names that need it. */
function namesAndValues(encodings: readonly Encoding[]): readonly Variant[] {
  const rows = encodings.map(([name, apply]): Row<'pair'> => [`(${name})`, 2, encodedPair(apply)]);
  return textTable('value-url-encoded', 'pair', 'names and values were percent-encoded', rows);
}

/** Encodes the name and the value of a pair, in the charset of the signer. */
export function encodedPair(apply: Encode): Row<'pair'>[2] {
  return (pair, charset) => ({
    ...pair,
    name: apply(pair.name, charset),
    value: apply(pair.value, charset),
  });
}

/** The HTML escapes of libraries. All agree on `&`, `<` and `>`, but not on quotes. */
const HTML_ESCAPES: readonly Encoding[] = [
  ['& < > and quotes (htmlspecialchars of PHP)', htmlEscaper('&quot;', '&#039;')],
  ['& < > " \' (html.escape of Python)', htmlEscaper('&quot;', '&#x27;')],
  ['& < > " \' (JavaScript libraries)', htmlEscaper('&quot;', '&#39;')],
  ["& < > \" ' (Go's template.HTMLEscapeString)", htmlEscaper('&#34;', '&#39;')],
  ['& < > " \' (XML)', htmlEscaper('&quot;', '&apos;')],
  ['& < > "', htmlEscaper('&quot;', "'")],
  ['& < >', htmlEscaper('"', "'")],
  ['numeric references', references((code) => `&#${code};`)],
  ['hexadecimal references', references((code) => `&#x${code.toString(16)};`)],
];

export const HTML_ENTITIES = [
  ...values('html-entities', 'the values were escaped for HTML:', 2, HTML_ESCAPES),
  ...wholeString('html-entities', 'the whole string was escaped for HTML:', HTML_ESCAPES),
  ...table('html-entities', 'rewrite', 'the string was', [
    ['copied from a page that showed it as HTML (&timestamp as ×tamp)', RARE, shownAsHtml],
  ]),
  ...textTable('html-entities', 'pair', 'the values were signed', [
    ['before they were escaped for HTML', 2, ofValue(htmlUnescaped)],
  ]),
];

function values(
  id: 'value-url-encoded' | 'html-entities',
  subject: string,
  cost: number,
  encodings: readonly Encoding[],
): readonly Variant[] {
  return textTable(
    id,
    'pair',
    subject,
    encodings.map(([name, apply]) => [nameText(subject, name), cost, ofValue(apply)]),
  );
}

function wholeString(
  id: 'value-url-encoded' | 'html-entities',
  subject: string,
  encodings: readonly Encoding[],
): readonly Variant[] {
  return table(
    id,
    'rewrite',
    subject,
    encodings.map(([name, apply]) => [nameText(subject, name), RARE, (text) => apply(text)]),
  );
}

function nameText(subject: string, name: string): string {
  return subject.endsWith(':') ? name : `(${name})`;
}

function ofValue(apply: Encode): Row<'pair'>[2] {
  return (pair, charset) => ({ ...pair, value: apply(pair.value, charset) });
}

const NOT_ASCII = /[^\0-\x7f]/g;

const QUOTES: readonly Encoding[] = [
  ['as JSON', (text) => JSON.stringify(text)],
  [
    'as JSON with \\u escapes (json.dumps of Python)',
    (text) => JSON.stringify(text).replace(NOT_ASCII, lowerEscape),
  ],
  [
    'as JSON with \\u003c (encoding/json of Go)',
    (text) => JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, lowerEscape),
  ],
  [
    'as JSON with \\u escapes and "\\/" (json_encode of PHP)',
    (text) => JSON.stringify(text).replace(NOT_ASCII, lowerEscape).replaceAll('/', '\\/'),
  ],
  ['as JSON with "\\/"', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
  ['as Optional("…") of Swift', (text) => `Optional(${JSON.stringify(text)})`],
  ['as Some("…") of Rust', (text) => `Some(${JSON.stringify(text)})`],
  ['as String("…") of Rust', (text) => `String(${JSON.stringify(text)})`],
  ['in double quotes', (text) => `"${text}"`],
  ['in single quotes', (text) => `'${text}'`],
];

export const STRING_QUOTED = table(
  'string-quoted',
  'string',
  'texts were signed',
  QUOTES.map(([how, quote], index) => [how, index === 0 ? 2 : 3, (text) => quote(text)]),
);

/** Decodes percent-encoded text. Returns any other text unchanged. */
export function urlDecoded(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
}

/** UTF-16 code units as `%u676d`, unlike {@link urlDecoded}. */
function escapedUnits(text: string): string {
  return text.replace(/[^A-Za-z0-9@*_+\-./]/g, (unit) => {
    const code = unit.charCodeAt(0);
    const digits = code.toString(16).toUpperCase();
    return code < 256 ? `%${digits.padStart(2, '0')}` : `%u${digits.padStart(4, '0')}`;
  });
}

function percentEncoder(kept: string, space = '%20', hex: 'upper' | 'lower' = 'upper'): Encode {
  const encoded = new RegExp(`[^A-Za-z0-9${kept.replace(/[-\\\]^]/g, '\\$&')}]+`, 'gu');
  const tokens = Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, '0');
    return byte === 0x20 ? space : `%${hex === 'upper' ? digits.toUpperCase() : digits}`;
  });
  return (text, charset = (run) => run) =>
    text.replace(encoded, (run) => {
      const bytes = charset(run);
      let percent = '';
      for (const byte of typeof bytes === 'string' ? utf8Bytes(bytes) : bytes) {
        percent += tokens[byte];
      }
      return percent;
    });
}

function htmlEscaper(double: string, single: string): Encode {
  const entities: Readonly<Record<string, string>> = {
    ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
    ...{ '"': double, "'": single },
  };
  return (text) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function references(print: (code: number) => string): Encode {
  return (text) =>
    text.replace(/[^\0-\x7f]/gu, (character) => print(character.codePointAt(0) ?? 0));
}

function htmlUnescaped(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt)|quot|#34|#x22|(?:apos|#0*39|#x27));/gi,
    (entity, named?: string) => {
      if (named !== undefined) return LEGACY[named.toLowerCase()] ?? entity;
      return /quot|34|22/.test(entity) ? '"' : "'";
    },
  );
}

/**
 * A canonical string after a browser rendered it as HTML. Names such as `times` and `not` are
 * entities even without a semicolon (HTML, "named character references"): `&timestamp` becomes
 * `×tamp`.
 */
function shownAsHtml(text: string): string {
  return text.replace(LEGACY_ENTITY, (_, name: string) => LEGACY[name] ?? '');
}

const LEGACY: Readonly<Record<string, string>> = {
  ...{ times: '×', not: '¬', copy: '©', reg: '®', sect: '§', para: '¶', curren: '¤', cent: '¢' },
  ...{ pound: '£', yen: '¥', deg: '°', micro: 'µ', divide: '÷', uml: '¨', shy: '\u00ad' },
  ...{ eth: 'ð', amp: '&', lt: '<', gt: '>', quot: '"' },
};

const LEGACY_ENTITY = new RegExp(`&(${Object.keys(LEGACY).join('|')});?`, 'g');
