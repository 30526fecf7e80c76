import { parseJson } from '../../../json/parse.ts';
import { JsonSyntaxError } from '../../../json/reader.ts';
import { base64Text, hexText, utf8Bytes } from '../../bytes.ts';
import { type Evidence, fewFields, mistake, RARE, type Table } from '../mistake.ts';
import { jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { type Row, type Rows, rowsOf, table, tableOf } from '../steps.ts';
import { allTexts } from '../values.ts';
import { type DateForm, dateForms } from './date-text.ts';
import { NUMBER_PRINTERS } from './numbers.ts';

/** Texts whose signed characters differ from the sent ones (contract section 3, "Value text"). */

type Change = (text: string) => string;

const without = (pattern: RegExp): Change => swapped(pattern, '');
const swapped =
  (pattern: RegExp, other: string): Change =>
  (text) =>
    text.replace(pattern, other);

const CHANGES: Rows<Change> = {
  2: {
    'without the white space around them': (text) => text.trim(),
    'with the escapes of JSON': (text) => JSON.stringify(text).slice(1, -1),
    'with a space for "+" (a "+" in a query is read as a space)': swapped(/\+/g, ' '),
    'with "/" between year, month and day': swapped(/^(\d{4})-(\d{2})-(\d{2})/, '$1/$2/$3'),
    'with "-" between year, month and day': swapped(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3'),
    'without the time after dates': swapped(/^(\d{4}[-/]\d{2}[-/]\d{2})[T ].*$/, '$1'),
    'with " " for "T" in dates': swapped(/^(\d{4}-\d{2}-\d{2})T/, '$1 '),
    'with "T" for " " in dates': swapped(/^(\d{4}-\d{2}-\d{2}) /, '$1T'),
  },
  3: {
    'without the white space after them': (text) => text.trimEnd(),
    'without spaces': without(/\s+/g),
    'in lower case': (text) => text.toLowerCase(),
    'in upper case': (text) => text.toUpperCase(),
    'with "\\/" for "/"': swapped(/\//g, '\\/'),
    'with their escapes read (\\n as a line end)': unescaped,
    'with twice as many backslashes': swapped(/\\/g, '\\\\'),
    'without backslashes': without(/\\/g),
    'with "+" for a space': swapped(/ /g, '+'),
    'with "%20" for a space': swapped(/ /g, '%20'),
    'with their JSON printed compactly': reprinted(RIGHT_STYLE),
    'with their JSON printed as by json.dumps of Python': reprinted(SPACED_STYLE),
    'without leading zeros': numeric((text) => text),
    'as Optional[…] of Java': (text) => `Optional[${text}]`,
    'as Some(…) of Scala or Rust': (text) => `Some(${text})`,
    'as Optional(…) of Swift': (text) => `Optional(${text})`,
  },
  4: {
    'without the white space in front of them': (text) => text.trimStart(),
    'with one space for several': swapped(/\s+/g, ' '),
    'with a backslash before quotes (addslashes of PHP)': swapped(/['"\\]/g, '\\$&'),
    'without quotes': without(/['"]/g),
    'without "+"': without(/\+/g),
    'without their country code': without(/^(?:\+|00)\d{1,2}[- ]?(?=\d{9,})/),
    'with plain quotes for typographic ones': (text) =>
      text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
    'with plain dashes for long ones': swapped(/[–—−]/g, '-'),
    'with typographic apostrophes': swapped(/'/g, '’'),
    'without tags': without(/<[^<>]*>/g),
    'without characters beyond U+FFFF': without(/[\ud800-\udfff]/g),
    'without a byte order mark': without(/\ufeff/g),
    'without characters of zero width': without(/\p{Cf}|\ufe0e|\ufe0f/gu),
    'with a space for a no-break space': swapped(/\u00a0/g, ' '),
    'without control characters': without(/\p{Cc}/gu),
    'with "." between year, month and day': swapped(/^(\d{4})-(\d{2})-(\d{2})/, '$1.$2.$3'),
    'without separators in dates': (text) =>
      /^\d{4}[-/]\d{2}[-/]\d{2}/.test(text) ? text.replace(/[-/:T ]/g, '') : text,
  },
  [RARE]: {
    'with quotes doubled': swapped(/['"]/g, '$&$&'),
    'with "-" and "_" for "+" and "/"': (text) => text.replace(/\+/g, '-').replace(/\//g, '_'),
    'without "&"': without(/&/g),
    'without "-"': without(/-/g),
    'with "*" for the middle digits': swapped(/^(\D*\d{3})\d{4}(?=\d{4}$)/, '$1****'),
    'with "-" for "·"': swapped(/·/g, '-'),
    'without "·"': without(/·/g),
    'with a space in front': (text) => ` ${text}`,
    'with " " after them': (text) => `${text} `,
    'with "  " after them': (text) => `${text}  `,
    'with "\\n" after them': (text) => `${text}\n`,
    'with "\\r\\n" after them': (text) => `${text}\r\n`,
    'with "\\t" after them': (text) => `${text}\t`,
    'as Base64': (text) => base64Text(utf8Bytes(text)),
    'as Base64 with a line end after it': (text) => `${base64Text(utf8Bytes(text))}\n`,
    'as hex': (text) => hexText(utf8Bytes(text)),
  },
};

export const valueReformatted = mistake(
  'value-reformatted',
  [
    texts('texts were signed', rowsOf(CHANGES)),
    texts('texts of Base64 were signed', wrappings()),
    texts('texts were signed', parsedNumbers()),
    // Programs that read every value as a text: `v.(string)` of Go, `textValue()` of Jackson.
    tableOf(
      'style',
      'values that are not text were signed as',
      ['', 'null', 'undefined'].map((word) => [
        word || 'empty text',
        4,
        {
          number: (text, place) => (place === 'field' ? word : text),
          boolean: (value, place) => (place === 'field' ? word : String(value)),
          nested: () => word,
        },
      ]),
      { fix: 'convert numbers, booleans and nested JSON to text before signing' },
    ),
  ],
  {
    'dates were signed in another form, such as yyyy-MM-dd HH:mm:ss, or time zone': otherDates,
  },
);

/** Two variants for each row: one for the fields, and a costlier one for nested JSON too. */
function texts(subject: string, rows: readonly Row<Change>[]): Table {
  const nested = subject.replace(/ (?=were signed)/, ', those inside nested JSON too, ');
  return [
    ...tableOf('string', subject, rows),
    ...tableOf('characters', nested, rows).map((row) => ({ ...row, cost: row.cost + 1 })),
  ];
}

/** Base64 in lines of a fixed width, as MIME encoders print it. */
function wrappings(): readonly Row<Change>[] {
  return [76, 64].flatMap((width) =>
    ['\r\n', '\n'].flatMap((lineEnd) => {
      const how = `with ${JSON.stringify(lineEnd)} every ${width} characters`;
      return [
        [how, 3, wrapped(width, lineEnd, '')],
        [`${how} and at the end`, 3, wrapped(width, lineEnd, lineEnd)],
      ];
    }),
  );
}

function wrapped(width: number, lineEnd: string, end: string): Change {
  return (text) => {
    // Shorter texts are often words.
    if (text.length < 24 || !/^[A-Za-z\d+/\s]+={0,2}\s*$/.test(text)) return text;
    const lines = text.replace(/\s/g, '').match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    return lines.join(lineEnd) + end;
  };
}

/** Texts of digits that were parsed as numbers, and printed as one. */
function parsedNumbers(): readonly Row<Change>[] {
  return (
    rowsOf(NUMBER_PRINTERS)
      // A wrapper such as Optional[…] has its own row for texts.
      .filter(([how]) => !how.includes('…'))
      .map(([how, , print]) => [`${how}, parsed as numbers`, 4, numeric(print)])
  );
}

/** Changes a text that a program may parse as a number. */
function numeric(print: Change): Change {
  return (text) =>
    /^[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/.test(text)
      ? print(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'))
      : text;
}

/** Parses a text that is JSON and prints it again. Returns any other text unchanged. */
function reprinted(style: PrintStyle): Change {
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

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    const read: unknown = JSON.parse(`"${text.replace(/(?<!\\)"/g, '\\"')}"`);
    return typeof read === 'string' ? read : text;
  } catch {
    return text;
  }
}

/** The dates of a request, printed in one form and zone. */
interface DateGroup extends Pick<DateForm, 'form' | 'zone'> {
  /** The printed text of each date. */
  readonly printed: Map<string, string>;
}

function otherDates(evidence: Evidence): Table {
  const fields = fewFields(evidence);
  const dates = allTexts(fields).filter(({ length }) => length >= 8 && length <= 40);
  const groups = new Map<string, DateGroup>();
  for (const date of new Set(dates)) {
    for (const { form, zone, text } of dateForms(date)) {
      const group = groups.get(form + zone) ?? { form, zone, printed: new Map() };
      groups.set(form + zone, group);
      group.printed.set(date, text);
    }
  }
  const namesOf = (wanted: readonly string[]): string =>
    fields
      .filter((field) => allTexts([field]).some((text) => wanted.includes(text)))
      .map(({ name }) => name)
      .join(', ');
  return [...groups.values()].flatMap(({ form, zone, printed }) => {
    const withoutZone = groups.get(form)?.printed ?? new Map<string, string>();
    const own = [...printed.keys()];
    // In a form without a time, another zone changes only the dates that move to another day.
    const moved = own.filter((date) => printed.get(date) !== withoutZone.get(date));
    if (zone !== '' && moved.length === 0) return [];
    const isWhole = moved.length === own.length;
    const where = isWhole ? zone : `, and ${namesOf(moved)} ${zone.replace(/^\W+/, '')}`;
    const some = own.length === withoutZone.size ? '' : `, in ${namesOf(own)} alone`;
    const how = form + (moved.length > 0 ? where : some);
    // Another form and another zone are two mistakes.
    const cost = moved.length > 0 ? 5 : some === '' ? 3 : 4;
    return texts('dates were signed', [[how, cost, (text) => printed.get(text) ?? text]]);
  });
}

export const unicodeForm = mistake('unicode-form', [
  tableOf(
    'characters',
    'texts were normalized to',
    ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => [form, 2, (text) => text.normalize(form)]),
  ),
]);

const LINE_END = /\r\n|\r|\n/g;

export const newlineStyle = mistake('newline-style', [
  table('characters', '', {
    2: {
      'line ends were signed as LF': swapped(LINE_END, '\n'),
      'line ends were signed as CR LF': swapped(LINE_END, '\r\n'),
      'line ends were signed as CR': swapped(LINE_END, '\r'),
      'line ends were signed as spaces': swapped(LINE_END, ' '),
      'line ends were left out': without(/[\r\n]/g),
      'a line end at the end of texts was dropped': without(/(?:\r\n|\r|\n)$/),
      'line ends were signed as the two characters \\n': (text) =>
        text.replace(/\n/g, '\\n').replace(/\r/g, '\\r'),
    },
  }),
  tableOf(
    'characters',
    'line ends were signed as',
    ['<br>', '<br/>', '<br />', '<br />\n', ';', '|'].map((end) => [
      JSON.stringify(end),
      4,
      swapped(LINE_END, end),
    ]),
  ),
]);
