import { parseJson } from '../../../json/parse.ts';
import { JsonSyntaxError } from '../../../json/reader.ts';
import { type Evidence, fewFields, mistake, RARE, type Table } from '../mistake.ts';
import { jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import {
  base64,
  type Convert,
  changeOf,
  each,
  framed,
  hex,
  lowerCase,
  type Row,
  rowsOf,
  type TextChange,
  table,
  upperCase,
  wrapped,
} from '../steps.ts';
import { allTexts } from '../values.ts';
import { type DateForm, dateForms } from './date-text.ts';
import { wrappedValues } from './encodings.ts';
import { NUMBER_PRINTERS } from './numbers.ts';

// Texts whose signed characters differ from the sent ones (contract section 3, "Value text").

const CHANGES: readonly Row<TextChange>[] = [
  ...rowsOf<TextChange>({
    2: {
      'without the white space around them': (text) => text.trim(),
      'with the escapes of JSON': (text) => JSON.stringify(text).slice(1, -1),
      'with a space for "+" (a "+" in a query is read as a space)': [/\+/g, ' '],
      'with "/" between year, month and day': [/^(\d{4})-(\d{2})-(\d{2})/, '$1/$2/$3'],
      'with "-" between year, month and day': [/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3'],
      'without the time after dates': [/^(\d{4}[-/]\d{2}[-/]\d{2})[T ].*$/, '$1'],
      'with " " for "T" in dates': [/^(\d{4}-\d{2}-\d{2})T/, '$1 '],
      'with "T" for " " in dates': [/^(\d{4}-\d{2}-\d{2}) /, '$1T'],
    },
    3: {
      'without the white space after them': (text) => text.trimEnd(),
      'without spaces': [/\s+/g, ''],
      'in lower case': lowerCase,
      'in upper case': upperCase,
      'with "\\/" for "/"': [/\//g, '\\/'],
      'with their escapes read (\\n as a line end)': unescaped,
      'with twice as many backslashes': [/\\/g, '\\\\'],
      'without backslashes': [/\\/g, ''],
      'with "+" for a space': [/ /g, '+'],
      'with "%20" for a space': [/ /g, '%20'],
      'with their JSON printed compactly': reprinted(RIGHT_STYLE),
      'with their JSON printed as by json.dumps of Python': reprinted(SPACED_STYLE),
      'without leading zeros': numeric((text) => text),
    },
    4: {
      'without the white space in front of them': (text) => text.trimStart(),
      'with one space for several': [/\s+/g, ' '],
      'with a backslash before quotes (addslashes of PHP)': [/['"\\]/g, '\\$&'],
      'without quotes': [/['"]/g, ''],
      'without "+"': [/\+/g, ''],
      'without their country code': [/^(?:\+|00)\d{1,2}[- ]?(?=\d{9,})/, ''],
      'with plain quotes for typographic ones': (text) =>
        text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
      'with plain dashes for long ones': [/[–—−]/g, '-'],
      'with typographic apostrophes': [/'/g, '’'],
      'without tags': [/<[^<>]*>/g, ''],
      'without characters beyond U+FFFF': [/[\ud800-\udfff]/g, ''],
      'without a byte order mark': [/\ufeff/g, ''],
      'without characters of zero width': [/\p{Cf}|\ufe0e|\ufe0f/gu, ''],
      'with a space for a no-break space': [/\u00a0/g, ' '],
      'without control characters': [/\p{Cc}/gu, ''],
      'with "." between year, month and day': [/^(\d{4})-(\d{2})-(\d{2})/, '$1.$2.$3'],
      'without separators in dates': (text) =>
        /^\d{4}[-/]\d{2}[-/]\d{2}/.test(text) ? text.replace(/[-/:T ]/g, '') : text,
    },
    [RARE]: {
      'with quotes doubled': [/['"]/g, '$&$&'],
      'with "-" and "_" for "+" and "/"': (text) => text.replace(/\+/g, '-').replace(/\//g, '_'),
      'without "&"': [/&/g, ''],
      'without "-"': [/-/g, ''],
      'with "*" for the middle digits': [/^(\D*\d{3})\d{4}(?=\d{4}$)/, '$1****'],
      'with "-" for "·"': [/·/g, '-'],
      'without "·"': [/·/g, ''],
      'as Base64': base64,
      'as Base64 with a line end after it': (text) => `${base64(text)}\n`,
      'as hex': hex,
    },
  }),
  ...wrapped(3, 'Optional[V] of Java', 'Some(V) of Scala or Rust', 'Optional(V) of Swift'),
  ...framed(RARE, ' V', 'V ', 'V  ', 'V\n', 'V\r\n', 'V\t'),
];

export const valueReformatted = mistake(
  'value-reformatted',
  [
    texts('texts were signed', CHANGES),
    texts('texts of Base64 were signed', wrappings()),
    texts('texts were signed', parsedNumbers()),
    // Programs that read every value as a text: `v.(string)` of Go, `textValue()` of Jackson.
    table(
      'style',
      'values that are not text were signed as',
      each(4, '*', ['empty text', 'null', 'undefined'], (how): Partial<PrintStyle> => {
        const word = how === 'empty text' ? '' : how;
        return {
          number: (text, place) => (place === 'field' ? word : text),
          boolean: (value, place) => (place === 'field' ? word : String(value)),
          nested: () => word,
        };
      }),
      { fix: 'convert numbers, booleans and nested JSON to text before signing' },
    ),
    wrappedValues('[V] of Go or Java'),
  ],
  {
    'dates were signed in another form, such as yyyy-MM-dd HH:mm:ss, or time zone': otherDates,
  },
);

/** Two variants for each row: one for the fields, and a costlier one for nested JSON too. */
function texts(subject: string, rows: readonly Row<TextChange>[]): Table {
  const nested = subject.replace(/ (?=were signed)/, ', those inside nested JSON too, ');
  return [
    ...table('string', subject, rows),
    ...table('characters', nested, rows).map((row) => ({ ...row, cost: row.cost + 1 })),
  ];
}

/** Base64 in lines of a fixed width, as MIME encoders print it. */
function wrappings(): readonly Row<TextChange>[] {
  return [76, 64].flatMap((width) =>
    ['\r\n', '\n'].flatMap((lineEnd) => {
      const how = `with ${JSON.stringify(lineEnd)} every ${width} characters`;
      return [
        [how, 3, inLines(width, lineEnd, '')],
        [`${how} and at the end`, 3, inLines(width, lineEnd, lineEnd)],
      ];
    }),
  );
}

function inLines(width: number, lineEnd: string, end: string): Convert {
  return (text) => {
    // Shorter texts are often words.
    if (text.length < 24 || !/^[A-Za-z\d+/\s]+={0,2}$/.test(text.trimEnd())) return text;
    const lines = text.replace(/\s/g, '').match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    return lines.join(lineEnd) + end;
  };
}

function parsedNumbers(): readonly Row<TextChange>[] {
  // A wrapper such as Optional[…] has its own row for texts.
  const others = NUMBER_PRINTERS.filter(([how]) => !how.includes('…'));
  return others.map(([how, , print]) => [`${how}, parsed as numbers`, 4, numeric(changeOf(print))]);
}

/** Changes a text that a program may parse as a number. */
function numeric(print: Convert): Convert {
  return (text) =>
    /^[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/.test(text)
      ? print(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1'))
      : text;
}

function reprinted(style: PrintStyle): Convert {
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

interface DateGroup extends Pick<DateForm, 'form' | 'zone'> {
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
  table(
    'characters',
    'texts were normalized to',
    each(2, '*', ['NFC', 'NFD', 'NFKC', 'NFKD'], (form) => (text: string) => text.normalize(form)),
  ),
]);

const LINE_END = /\r\n|\r|\n/g;

export const newlineStyle = mistake('newline-style', [
  table('characters', '', {
    2: {
      'line ends were signed as LF': [LINE_END, '\n'],
      'line ends were signed as CR LF': [LINE_END, '\r\n'],
      'line ends were signed as CR': [LINE_END, '\r'],
      'line ends were signed as spaces': [LINE_END, ' '],
      'line ends were left out': [/[\r\n]/g, ''],
      'a line end at the end of texts was dropped': [/(?:\r\n|\r|\n)$/, ''],
      'line ends were signed as the two characters \\n': (text) =>
        text.replace(/\n/g, '\\n').replace(/\r/g, '\\r'),
    },
  }),
  table(
    'characters',
    'line ends were signed as',
    each(4, '"*"', ['<br>', '<br/>', '<br />', '<br />\n', ';', '|'], (end) => [LINE_END, end]),
  ),
]);
