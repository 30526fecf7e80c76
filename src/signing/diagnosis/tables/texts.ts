import { parseJson } from '../../../json/parse.ts';
import { JsonSyntaxError } from '../../../json/reader.ts';
import { base64Text, hexText, utf8Bytes } from '../../bytes.ts';
import { type DiagnosisId, RARE, type Variant } from '../mistake.ts';
import { jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { type Row, table } from '../steps.ts';
import { NUMBER_PRINTERS } from './numbers.ts';

/** Texts whose signed characters differ from the sent ones (contract section 3, "Value text"). */

type TextRow = readonly [how: string, cost: number, change: (text: string) => string];

/**
 * Two variants for each row: one for the fields, and one for nested JSON too.
 *
 * @param subject Such as `texts were signed`; the first word gets a remark for nested JSON.
 */
export function texts(
  id: DiagnosisId,
  subject: string,
  rows: readonly TextRow[],
): readonly Variant[] {
  const nested = subject.replace(/^([\w ]+?) (were|was)/, '$1, those inside nested JSON too, $2');
  const costlier = rows.map(([how, cost, change]): TextRow => [how, cost + 1, change]);
  return [...table(id, 'string', subject, rows), ...table(id, 'characters', nested, costlier)];
}

const SHAPES: readonly TextRow[] = [
  ['without the white space around them', 2, (text) => text.trim()],
  ['without the white space after them', 3, (text) => text.trimEnd()],
  ['without the white space in front of them', 4, (text) => text.trimStart()],
  ['without spaces', 3, (text) => text.replace(/\s+/g, '')],
  ['with one space for several', 4, (text) => text.replace(/\s+/g, ' ')],
  ['in lower case', 3, (text) => text.toLowerCase()],
  ['in upper case', 3, (text) => text.toUpperCase()],
  ['with the escapes of JSON', 2, (text) => JSON.stringify(text).slice(1, -1)],
  ['with "\\/" for "/"', 3, (text) => text.replaceAll('/', '\\/')],
  ['with their escapes read (\\n as a line end)', 3, unescaped],
  ['with twice as many backslashes', 3, (text) => text.replaceAll('\\', '\\\\')],
  ['without backslashes', 3, (text) => text.replaceAll('\\', '')],
  [
    'with a backslash before quotes (addslashes of PHP)',
    4,
    (text) => text.replace(/['"\\]/g, '\\$&'),
  ],
  ['with quotes doubled', RARE, (text) => text.replace(/['"]/g, '$&$&')],
  ['without quotes', 4, (text) => text.replace(/['"]/g, '')],
  [
    'with "-" and "_" for "+" and "/"',
    RARE,
    (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
  ],
  ['with a space for "+" (a "+" in a query is read as a space)', 2, plusAsSpace],
  ['with "+" for a space', 3, (text) => text.replaceAll(' ', '+')],
  ['with "%20" for a space', 3, (text) => text.replaceAll(' ', '%20')],
  ['without "+"', 4, (text) => text.replaceAll('+', '')],
  ['without "&"', RARE, (text) => text.replaceAll('&', '')],
  ['without "-"', RARE, (text) => text.replaceAll('-', '')],
  ['without their country code', 4, (text) => text.replace(/^(?:\+|00)\d{1,2}[- ]?(?=\d{9,})/, '')],
  [
    'with "*" for the middle digits',
    RARE,
    (text) => text.replace(/^(\D*\d{3})\d{4}(?=\d{4}$)/, '$1****'),
  ],
  [
    'with plain quotes for typographic ones',
    4,
    (text) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
  ],
  ['with plain dashes for long ones', 4, (text) => text.replace(/[–—−]/g, '-')],
  ['with typographic apostrophes', 4, (text) => text.replaceAll("'", '’')],
  ['with "-" for "·"', RARE, (text) => text.replaceAll('·', '-')],
  ['without "·"', RARE, (text) => text.replaceAll('·', '')],
  ['without tags', 4, (text) => text.replace(/<[^<>]*>/g, '')],
  ['without characters beyond U+FFFF', 4, (text) => text.replace(/[\ud800-\udfff]/g, '')],
  ['without a byte order mark', 4, (text) => text.replaceAll('\ufeff', '')],
  ['without characters of zero width', 4, (text) => text.replace(/\p{Cf}|\ufe0e|\ufe0f/gu, '')],
  ['with a space for a no-break space', 4, (text) => text.replaceAll('\u00a0', ' ')],
  ['without control characters', 4, (text) => text.replace(/\p{Cc}/gu, '')],
  ...['" "', '"  "', '"\\n"', '"\\r\\n"', '"\\t"'].map(
    (end): TextRow => [`with ${end} after them`, RARE, (text) => text + JSON.parse(end)],
  ),
  ['with a space in front', RARE, (text) => ` ${text}`],
  ['with their JSON printed compactly', 3, reprinted(RIGHT_STYLE)],
  ['with their JSON printed as by json.dumps of Python', 3, reprinted(SPACED_STYLE)],
  ['as Base64', RARE, (text) => base64Text(utf8Bytes(text))],
  ['as Base64 with a line end after it', RARE, (text) => `${base64Text(utf8Bytes(text))}\n`],
  ['as hex', RARE, (text) => hexText(utf8Bytes(text))],
  ...[
    ['every 76 characters', 76, '\r\n', '\r\n'],
    ['every 76 characters', 76, '\n', '\n'],
    ['every 64 characters', 64, '\n', '\n'],
    ['every 64 characters', 64, '\r\n', '\r\n'],
    ['every 76 characters, except at the end', 76, '\r\n', ''],
    ['every 76 characters, except at the end', 76, '\n', ''],
    ['every 64 characters, except at the end', 64, '\n', ''],
  ].map(
    ([where, width, lineEnd, last]): TextRow => [
      `with ${JSON.stringify(lineEnd)} ${where} (Base64 of MIME)`,
      3,
      (text) => wrappedBase64(text, Number(width), String(lineEnd), String(last)),
    ],
  ),
  ...['Optional[…]', 'Some(…)', 'Just …', 'Optional(…)', '{…}'].map(
    (form): TextRow => [`as ${form}`, 3, (text) => form.replace('…', () => text)],
  ),
];

const DATE = /^(\d{4})[-/](\d{2})[-/](\d{2})/;

/** The same date with other separators, or without its time. */
const DATES: readonly TextRow[] = [
  ['with "/" between year, month and day', 2, (text) => text.replace(DATE, '$1/$2/$3')],
  ['with "." between year, month and day', 4, (text) => text.replace(DATE, '$1.$2.$3')],
  ['with "-" between year, month and day', 2, (text) => text.replace(DATE, '$1-$2-$3')],
  [
    'without separators in dates',
    4,
    (text) => (DATE.test(text) ? text.replace(/[-/:T ]/g, '') : text),
  ],
  [
    'without the time after dates',
    2,
    (text) => text.replace(/^(\d{4}[-/]\d{2}[-/]\d{2})[T ].*$/, '$1'),
  ],
  ['with " " for "T" in dates', 2, (text) => text.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ')],
  ['with "T" for " " in dates', 2, (text) => text.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')],
];

const NUMERIC = /^[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;
const PARSED: readonly TextRow[] = [
  ['without leading zeros', 3, numeric((text) => text.replace(/^([+-]?)0+(?=\d)/, '$1'))],
  ...NUMBER_PRINTERS.map(
    ([how, , print]): TextRow => [`${how}, parsed as numbers`, 4, numeric(print)],
  ),
];

/** Changes a text that a program may parse as a number, after its leading zeros were dropped. */
function numeric(print: (text: string) => string): (text: string) => string {
  return (text) =>
    NUMERIC.test(text) ? print(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')) : text;
}

const NOT_TEXT_FIX = 'convert numbers, booleans and nested JSON to text before signing';

export const VALUE_REFORMATTED = [
  ...texts('value-reformatted', 'texts were signed', [...SHAPES, ...PARSED, ...DATES]),
  // Programs that read every value as a text: `v.(string)` of Go, `textValue()` of Jackson.
  ...table(
    'value-reformatted',
    'style',
    'values that are not text were signed as',
    ['', 'null', 'undefined'].map(
      (word): Row<'style'> => [
        word || 'empty text',
        word === 'undefined' ? RARE : 4,
        {
          number: (text, place) => (place === 'field' ? word : text),
          boolean: (value, place) => (place === 'field' ? word : String(value)),
          nested: () => word,
        },
        { fix: NOT_TEXT_FIX },
      ],
    ),
  ),
];

export const UNICODE_FORM = table(
  'unicode-form',
  'characters',
  'texts were normalized to',
  (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map(
    (form): Row<'characters'> => [form, 2, (text) => text.normalize(form)],
  ),
);

const LINE_ENDS: readonly (readonly [how: string, lineEnd: string, cost: number])[] = [
  ['as LF', '\n', 2],
  ['as CR LF', '\r\n', 2],
  ['as CR', '\r', 2],
  ['as spaces', ' ', 2],
  ...['<br>', '<br/>', '<br />', '<br />\n', ';', '|'].map((lineEnd): [string, string, number] => [
    `as ${JSON.stringify(lineEnd)}`,
    lineEnd,
    4,
  ]),
];

export const NEWLINE_STYLE = table('newline-style', 'characters', '', [
  ...LINE_ENDS.map(
    ([how, lineEnd, cost]): Row<'characters'> => [
      `line ends were signed ${how}`,
      cost,
      (text) => text.replace(/\r\n|\r|\n/g, lineEnd),
    ],
  ),
  ['line ends were left out', 2, (text) => text.replace(/[\r\n]/g, '')],
  ['a line end at the end of texts was dropped', 2, (text) => text.replace(/(?:\r\n|\r|\n)$/, '')],
  [
    'line ends were signed as the two characters \\n',
    2,
    (text) => text.replace(/\n/g, '\\n').replace(/\r/g, '\\r'),
  ],
]);

/** A text with the escapes of JSON read; any other text unchanged. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    const read: unknown = JSON.parse(`"${text.replace(/(?<!\\)"/g, '\\"')}"`);
    return typeof read === 'string' ? read : text;
  } catch {
    return text;
  }
}

function plusAsSpace(text: string): string {
  return text.replaceAll('+', ' ');
}

/** Base64 in lines of a fixed width, as MIME encoders print it. Other texts stay unchanged. */
function wrappedBase64(text: string, width: number, lineEnd: string, last: string): string {
  const isBase64 = text.length >= MIN_BASE64 && /^[A-Za-z\d+/\s]+={0,2}\s*$/.test(text);
  if (!isBase64) return text;
  const lines = text.replace(/\s/g, '').match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
  return lines.join(lineEnd) + last;
}

/** Shorter texts are often words. */
const MIN_BASE64 = 24;

/** Parses a text that is JSON and prints it again. Returns any other text unchanged. */
function reprinted(style: PrintStyle): (text: string) => string {
  return (text) => {
    if (!/^\s*[{[]/.test(text)) return text;
    try {
      return jsonText(parseJson(text), style);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return text;
      throw error;
    }
  };
}
