import { utf8Bytes } from '../../bytes.ts';
import { mistake, RARE, type Table } from '../mistake.ts';
import { inUtf8, type PairEdit, type Steps } from '../signer.ts';
import {
  changeOf,
  framed,
  mapped,
  type Row,
  rowsOf,
  type TextChange,
  table,
  wrapped,
} from '../steps.ts';
import { escapeHtml, escapeSlashes, escapeUnicode } from './nested.ts';

// A value is signed without an encoding or quotes (D1 5.1).

/** Encodes a text; `charset` converts the text to bytes, UTF-8 by default. */
type Encode = (text: string, charset?: Steps['encode']) => string;
type Encodings = Readonly<Record<string, Encode>>;

export const RFC_3986 = percentEncoder('-_.~');

/** Percent-encodings of languages. They differ in the unescaped characters and in the space. */
const PERCENT_ENCODINGS: Encodings = {
  'encodeURIComponent of JavaScript': percentEncoder("-_.!~*'()"),
  'RFC 3986 (rawurlencode of PHP)': RFC_3986,
  'quote of Python': percentEncoder('-_.~/'),
  'quote_plus of Python (QueryEscape of Go)': percentEncoder('-_.~', '+'),
  'urlencode of PHP': percentEncoder('-_.', '+'),
  'URLEncoder of Java, URLSearchParams of JavaScript': percentEncoder('-_.*', '+'),
  'UrlEncode of .NET': percentEncoder('-_.!*()', '+', 'lower'),
  'RFC 3986 in lower case': percentEncoder('-_.~', '%20', 'lower'),
  'encodeURI of JavaScript': percentEncoder("-_.!~*'();,/?:@&=+$#"),
  'escape of JavaScript': escapedUnits,
};

export const valueUrlEncoded = mistake('value-url-encoded', [
  ...encoded('percent-encoded', PERCENT_ENCODINGS),
  table(
    'text',
    'names and values were percent-encoded',
    encodings(PERCENT_ENCODINGS, 2, (encode) => (pair, charset) => ({
      ...pair,
      name: encode(pair.name, charset),
      value: encode(pair.value, charset),
    })),
  ),
  table(
    'text',
    'the values were percent-encoded twice',
    encodings(PERCENT_ENCODINGS, RARE, (encode) => ofValue((text) => encode(encode(text)))),
  ),
  table('text', 'the values were signed', [
    ['before they were percent-encoded', 2, ofValue(urlDecoded)],
  ]),
]);

/** The HTML escapes of libraries. All agree on `&`, `<` and `>`, but not on quotes. */
const HTML_ESCAPES: Encodings = {
  '& < > and quotes (htmlspecialchars of PHP)': htmlEscaper('&quot;', '&#039;'),
  '& < > " \' (html.escape of Python)': htmlEscaper('&quot;', '&#x27;'),
  '& < > " \' (JavaScript libraries)': htmlEscaper('&quot;', '&#39;'),
  "& < > \" ' (Go's template.HTMLEscapeString)": htmlEscaper('&#34;', '&#39;'),
  '& < > " \' (XML)': htmlEscaper('&quot;', '&apos;'),
  '& < > "': htmlEscaper('&quot;', "'"),
  '& < >': htmlEscaper('"', "'"),
  'numeric references': references((code) => `&#${code};`),
  'hexadecimal references': references((code) => `&#x${code.toString(16)};`),
};

export const htmlEntities = mistake('html-entities', [
  ...encoded('escaped for HTML', HTML_ESCAPES),
  table('rewrite', 'the string was', [
    ['copied from a page that showed it as HTML (&timestamp as ×tamp)', RARE, shownAsHtml],
  ]),
  table('text', 'the values were signed', [
    ['before they were escaped for HTML', 2, ofValue(htmlUnescaped)],
  ]),
]);

function encoded(how: string, list: Encodings): readonly Table[] {
  const ofString = (encode: Encode) => (text: string) => encode(text);
  return [
    table('text', `the values were ${how}`, encodings(list, 2, ofValue)),
    table('rewrite', `the whole string was ${how}`, encodings(list, RARE, ofString)),
  ];
}

function encodings<Change>(list: Encodings, cost: number, changeOf: (encode: Encode) => Change) {
  return Object.entries(list).map(
    ([name, encode]): Row<Change> => [`(${name})`, cost, changeOf(encode)],
  );
}

function ofValue(encode: Encode): PairEdit {
  return (pair, charset) => ({ ...pair, value: encode(pair.value, charset) });
}

const json = JSON.stringify as (text: string) => string;

export const stringQuoted = mistake('string-quoted', [
  table('string', 'texts were signed', [
    ...rowsOf<TextChange>({
      2: { 'as JSON': json },
      3: {
        'as JSON with \\u escapes (json.dumps of Python)': (text) => escapeUnicode(json(text)),
        'as JSON with \\u003c (encoding/json of Go)': (text) => escapeHtml(json(text)),
        'as JSON with \\u escapes and "\\/" (json_encode of PHP)': (text) =>
          escapeSlashes(escapeUnicode(json(text))),
        'as JSON with "\\/"': (text) => escapeSlashes(json(text)),
        'as Optional("…") of Swift': (text) => `Optional(${json(text)})`,
        'as Some("…") of Rust': (text) => `Some(${json(text)})`,
        'as String("…") of Rust': (text) => `String(${json(text)})`,
      },
    }),
    ...[...framed(3, '"V"', "'V'"), ...wrapped(RARE, '<<"V">> of Erlang', "b'V' of Python")],
  ]),
  // Programs that sign the lists in which a library keeps parameters or headers.
  wrappedValues("['V'] of Python", "('V',) of Python"),
]);

export function wrappedValues(...samples: readonly string[]): Table {
  const rows = mapped(wrapped(RARE, ...samples), 0, (sample) => ofValue(changeOf(sample)));
  return table('text', 'the values were signed', rows);
}

export function urlDecoded(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
}

/** UTF-16 code units as `%u676d`, which no decoder of URLs reads. */
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
  // Signers of one search encode the same texts again and again.
  const known = new Map<string, string>();
  return (text, charset = inUtf8) => {
    const isKept = charset === inUtf8 && text.length <= MAX_KNOWN;
    const before = isKept ? known.get(text) : undefined;
    if (before !== undefined) return before;
    const result = text.replace(encoded, (run) => {
      const bytes = charset(run);
      let percent = '';
      for (const byte of typeof bytes === 'string' ? utf8Bytes(bytes) : bytes) {
        percent += tokens[byte];
      }
      return percent;
    });
    if (known.size >= MAX_KNOWN) known.clear();
    if (isKept) known.set(text, result);
    return result;
  };
}

/** The number of texts, and their length. */
const MAX_KNOWN = 1000;

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
  return text
    .replace(/&(?:quot|#34|#x22);/gi, '"')
    .replace(/&(?:apos|#0*39|#x27);/gi, "'")
    .replace(/&(amp|lt|gt);/gi, (_, name: string) => LEGACY[name.toLowerCase()] ?? '');
}

/**
 * A string that a browser rendered as HTML. Names such as `times` and `not` are entities even
 * without a semicolon: `&timestamp` becomes `×tamp`.
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
