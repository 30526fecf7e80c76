import { parseJson } from '../../../json/parse.ts';
import { JsonSyntaxError } from '../../../json/reader.ts';
import { type DateForm, dateForms } from '../languages/date-text.ts';
import { NUMBER_PRINTERS } from '../languages/number-text.ts';
import {
  type Evidence,
  edited,
  type Mistake,
  RARE,
  styled,
  UNCOMMON,
  type Variant,
  VERY_RARE,
  variantsIf,
} from '../mistake.ts';
import { fieldText, jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { allTexts, someText } from '../values.ts';

/** Texts whose signed form differs from the sent one (contract section 3, "Value text"). */

interface TextChange {
  readonly title: string;
  /** Default: `texts`. */
  readonly subject?: string;
  /** The line in docs/diagnosis.md, shared by several changes. */
  readonly family?: string;
  readonly change: (text: string) => string;
  readonly cost?: number;
}

const CHANGES: readonly TextChange[] = [
  { title: 'without the white space around them', change: (text) => text.trim() },
  { title: 'without the white space after them', change: (text) => text.trimEnd(), cost: 3 },
  {
    title: 'without the white space in front of them',
    change: (text) => text.trimStart(),
    cost: 4,
  },
  { title: 'without spaces', change: (text) => text.replace(/\s+/g, ''), cost: 3 },
  { title: 'with one space for several', change: (text) => text.replace(/\s+/g, ' '), cost: 4 },
  { title: 'in lower case', change: (text) => text.toLowerCase(), cost: 3 },
  { title: 'in upper case', change: (text) => text.toUpperCase(), cost: 3 },
  { title: 'with the escapes of JSON', change: (text) => JSON.stringify(text).slice(1, -1) },
  { title: 'with "\\/" for "/"', change: (text) => text.replaceAll('/', '\\/'), cost: 3 },
  { title: 'with their escapes read (\\n as a line end)', change: unescaped, cost: 3 },
  {
    title: 'with twice as many backslashes',
    change: (text) => text.replaceAll('\\', '\\\\'),
    cost: 3,
  },
  { title: 'without backslashes', change: (text) => text.replaceAll('\\', ''), cost: 3 },
  {
    title: 'with a backslash before quotes (addslashes of PHP)',
    change: (text) => text.replace(/['"\\]/g, '\\$&'),
    cost: 4,
  },
  { title: 'with quotes doubled', change: (text) => text.replace(/['"]/g, '$&$&'), cost: RARE },
  { title: 'without quotes', change: (text) => text.replace(/['"]/g, ''), cost: 4 },
  {
    title: 'with "-" and "_" for "+" and "/"',
    change: (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
    cost: RARE,
  },
  { title: 'with a space for "+"', change: (text) => text.replaceAll('+', ' '), cost: 3 },
  { title: 'with "+" for a space', change: (text) => text.replaceAll(' ', '+'), cost: 3 },
  { title: 'with "%20" for a space', change: (text) => text.replaceAll(' ', '%20'), cost: 3 },
  { title: 'without "+"', change: (text) => text.replaceAll('+', ''), cost: 4 },
  { title: 'without "&"', change: (text) => text.replaceAll('&', ''), cost: RARE },
  { title: 'without "-"', change: (text) => text.replaceAll('-', ''), cost: RARE },
  {
    title: 'without their country code',
    change: (text) => text.replace(/^(?:\+|00)\d{1,2}[- ]?(?=\d{9,})/, ''),
    cost: 4,
  },
  {
    title: 'with "*" for the middle digits',
    change: (text) => text.replace(/^(\D*\d{3})\d{4}(?=\d{4}$)/, '$1****'),
    cost: RARE,
  },
  {
    title: 'with plain quotes for typographic ones',
    change: (text) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
    cost: 4,
  },
  {
    title: 'with plain dashes for long ones',
    change: (text) => text.replace(/[–—−]/g, '-'),
    cost: 4,
  },
  { title: 'with typographic apostrophes', change: (text) => text.replaceAll("'", '’'), cost: 4 },
  { title: 'with "-" for "·"', change: (text) => text.replaceAll('·', '-'), cost: RARE },
  { title: 'without "·"', change: (text) => text.replaceAll('·', ''), cost: RARE },
  { title: 'without tags', change: (text) => text.replace(/<[^<>]*>/g, ''), cost: 4 },
  {
    title: 'without characters beyond U+FFFF',
    change: (text) => text.replace(/[\ud800-\udfff]/g, ''),
    cost: 4,
  },
  { title: 'without a byte order mark', change: (text) => text.replaceAll('\ufeff', ''), cost: 4 },
  {
    title: 'without characters of zero width',
    change: (text) => text.replace(/\p{Cf}|\ufe0e|\ufe0f/gu, ''),
    cost: 4,
  },
  {
    title: 'with a space for a no-break space',
    change: (text) => text.replaceAll('\u00a0', ' '),
    cost: 4,
  },
  {
    title: 'without control characters',
    change: (text) => text.replace(/\p{Cc}/gu, ''),
    cost: 4,
  },
  ...['" "', '"  "', '"\\n"', '"\\r\\n"', '"\\t"'].map((shown) => ({
    title: `with ${shown} after them`,
    change: (text: string) => text + JSON.parse(shown),
    cost: RARE,
  })),
  { title: 'with a space in front', change: (text) => ` ${text}`, cost: RARE },
  { title: 'with their JSON printed compactly', change: reprinted(RIGHT_STYLE), cost: 3 },
  {
    title: 'with their JSON printed as by json.dumps of Python',
    change: reprinted(SPACED_STYLE),
    cost: 3,
  },
  { title: 'as Base64', change: (text) => Buffer.from(text).toString('base64'), cost: RARE },
];

/** The same date with other separators, or without its time. */
const DATE_CHANGES: readonly TextChange[] = [
  {
    title: 'with "/" between year, month and day',
    change: (text) => text.replace(DATE, '$1/$2/$3'),
  },
  {
    title: 'with "." between year, month and day',
    change: (text) => text.replace(DATE, '$1.$2.$3'),
    cost: 4,
  },
  {
    title: 'with "-" between year, month and day',
    change: (text) => text.replace(DATE, '$1-$2-$3'),
  },
  {
    title: 'without separators in dates',
    change: (text) => (DATE.test(text) ? text.replace(/[-/:T ]/g, '') : text),
    cost: 4,
  },
  {
    title: 'without the time after dates',
    change: (text) => text.replace(/^(\d{4}[-/]\d{2}[-/]\d{2})[T ].*$/, '$1'),
  },
  {
    title: 'with " " for "T" in dates',
    change: (text) => text.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 '),
  },
  {
    title: 'with "T" for " " in dates',
    change: (text) => text.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T'),
  },
];
const DATE = /^(\d{4})[-/](\d{2})[-/](\d{2})/;

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

/** A text that a program may parse as a number. */
const NUMERIC = /^[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;

const NUMERIC_CHANGES: readonly TextChange[] = [
  {
    title: 'without leading zeros',
    change: (text) => text.replace(/^([+-]?)0+(?=\d)/, '$1'),
    cost: 3,
  },
  ...NUMBER_PRINTERS.map(({ title, print }) => ({
    title: `${title}, parsed as numbers`,
    family: 'texts of digits were parsed as numbers, and signed in a form of number-reformatted',
    change: (text: string): string => print(text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')),
    cost: 4,
  })),
];

export const valueReformatted: Mistake = {
  id: 'value-reformatted',
  readsEveryValue: true,
  perField: true,
  fix: 'sign every text with exactly the characters that are sent',
  variants: (evidence) => [
    ...CHANGES.flatMap((row) => textVariants(evidence, row)),
    ...NUMERIC_CHANGES.flatMap((row) =>
      textVariants(evidence, {
        ...row,
        change: (text) => (NUMERIC.test(text) ? row.change(text) : text),
      }),
    ),
    ...DATE_CHANGES.flatMap((row) => textVariants(evidence, row)),
    ...dateVariants(evidence),
    ...variantsIf(
      evidence.fields.some(({ value }) => value.kind !== 'string' && value.kind !== 'null'),
      ...NOT_TEXT,
    ),
  ],
};

/** Programs that read every value as a text: `v.(string)` of Go, `textValue()` of Jackson. */
const NOT_TEXT: readonly Variant[] = ['', 'null', 'undefined'].map((word) => ({
  ...styled(`values that are not text were signed as ${word || 'empty text'}`, {
    number: (text, place) => (place === 'field' ? word : text),
    boolean: (value, place) => (place === 'field' ? word : String(value)),
    nested: () => word,
  }),
  fix: 'convert numbers, booleans and nested JSON to text before signing',
  cost: word === 'undefined' ? RARE : 4,
}));

/** A single business field signed with the value of another one. */
export function valuesOfOthers({ fields }: Evidence): readonly Variant[] {
  const texts = fields.flatMap(({ name, source, value, position }) => {
    const text = source === 'business' ? fieldText(value, RIGHT_STYLE) : undefined;
    return text === undefined || text.length < MIN_VALUE_LENGTH ? [] : [{ name, position, text }];
  });
  if (texts.length > MAX_VALUES) return [];
  return texts.flatMap((own) =>
    texts
      .filter((other) => other !== own)
      .map((other) => ({
        ...edited(`${own.name} was signed with the value of ${other.name}`, (pair) =>
          pair.position === own.position ? { ...pair, value: other.text } : pair,
        ),
        family:
          'a single business field was signed with the value of another one, of 6 characters or more',
        fields: [own.name],
        // A date in another zone, in one field alone, costs 6.
        cost: 5,
      })),
  );
}

/** Shorter values, such as `true`, are equal by chance. */
const MIN_VALUE_LENGTH = 6;
/** More fields give too many combinations. */
const MAX_VALUES = 40;

/** Two variants: one for all texts, including nested JSON, and one for fields only. */
function textVariants(
  { fields }: Evidence,
  {
    subject = 'texts',
    title,
    family = `${subject} were signed ${title}`,
    change,
    cost = 2,
  }: TextChange,
): readonly Variant[] {
  const changes = (text: string): boolean => change(text) !== text;
  const changesFields = fields.some(({ value }) => value.kind === 'string' && changes(value.value));
  const changesNested = someText(
    fields.filter(({ value }) => value.kind !== 'string'),
    changes,
  );
  return [
    ...variantsIf(changesFields, {
      ...styled(`${subject} were signed ${title}`, { string: change }),
      family,
      cost,
    }),
    ...variantsIf(changesNested, {
      ...styled(`${subject}, those inside nested JSON too, were signed ${title}`, {
        characters: change,
      }),
      family,
      cost: cost + 1,
    }),
  ];
}

/** The dates of a request, printed in one form and zone. */
interface DateGroup extends Pick<DateForm, 'form' | 'zone'> {
  /** The printed text of each date. */
  readonly texts: Map<string, string>;
}

/**
 * The variants that print the dates of fields and nested JSON in another form or zone. Of two variants
 * with the same texts, the first is returned.
 */
function dateVariants(evidence: Evidence): readonly Variant[] {
  const dates = allTexts(evidence.fields).filter((text) => text.length >= 8 && text.length <= 40);
  const groups = new Map<string, DateGroup>();
  for (const date of new Set(dates)) {
    for (const { title, form, zone, text } of dateForms(date)) {
      const group = groups.get(title) ?? { form, zone, texts: new Map() };
      groups.set(title, group);
      group.texts.set(date, text);
    }
  }
  const seen = new Set<string>();
  return [...groups.values()].flatMap((group) => {
    const { form, texts } = group;
    const outcome = JSON.stringify([...texts]);
    if (seen.has(outcome)) return [];
    seen.add(outcome);
    const withoutZone = groups.get(form)?.texts ?? new Map<string, string>();
    return textVariants(evidence, {
      ...dateTitle(group, withoutZone, evidence),
      subject: 'dates',
      family: 'dates were signed in another form, such as yyyy-MM-dd HH:mm:ss, or time zone',
      change: (text) => texts.get(text) ?? text,
    });
  });
}

/**
 * Names the form of the dates, and the fields whose text the zone changes. In a form without a time,
 * another zone changes only the dates that move to another day.
 *
 * @param withoutZone The texts of the dates in this form and their own zone.
 */
function dateTitle(
  { form, zone, texts }: DateGroup,
  withoutZone: ReadonlyMap<string, string>,
  { fields }: Evidence,
): Pick<TextChange, 'title' | 'cost'> {
  const namesOf = (wanted: readonly string[]): string =>
    fields
      .filter((field) => allTexts([field]).some((text) => wanted.includes(text)))
      .map(({ name }) => name)
      .join(', ');
  const dates = [...texts.keys()];
  const moved = dates.filter((date) => texts.get(date) !== withoutZone.get(date));
  // Another form and another zone are two mistakes.
  if (moved.length === dates.length) return { title: form + zone, cost: 5 };
  if (moved.length > 0) {
    return { title: `${form}, and ${namesOf(moved)} ${zone.replace(/^\W+/, '')}`, cost: 5 };
  }
  return dates.length === withoutZone.size
    ? { title: form, cost: 3 }
    : { title: `${form}, in ${namesOf(dates)} alone`, cost: 4 };
}

/** Words that languages print for a missing value. */
const MISSING_VALUE_WORDS = [
  // An empty text may also be a truncated string.
  { word: '', cost: UNCOMMON },
  { word: 'null', cost: 4 },
  { word: 'undefined', cost: 4 },
  ...['None', '<nil>', 'nil', '[object Object]', 'NaN', 'false', '0'].map((word) => ({
    word,
    cost: RARE,
  })),
];

const MISSING_VALUE_LIST = MISSING_VALUE_WORDS.map(({ word }) => word || 'empty text').join(', ');

/** A single field with its text truncated, as a database column of limited length does. */
export function truncatedTexts({ fields, signatureName }: Evidence): readonly Variant[] {
  return fields.flatMap(({ name, source, value, position }) => {
    if (name === signatureName || source !== 'business' || value.kind !== 'string') return [];
    const count = Math.min(value.value.length - 1, MAX_TRUNCATED_LENGTH);
    const lengths = Array.from({ length: count }, (_, index) => index + 1);
    return lengths.map((length) => ({
      ...edited(`only the first ${length} characters of ${name} were signed`, (pair) =>
        pair.position === position ? { ...pair, value: value.value.slice(0, length) } : pair,
      ),
      family: 'a single text was cut to its first characters, up to 63',
      fields: [name],
      cost: VERY_RARE,
    }));
  });
}

const MAX_TRUNCATED_LENGTH = 63;

/** A single field signed without its value. */
export function lostValues({ fields, signatureName }: Evidence): readonly Variant[] {
  return fields
    .filter(
      ({ name, source, value }) =>
        name !== signatureName && source === 'business' && value.kind !== 'null',
    )
    .flatMap((field) =>
      MISSING_VALUE_WORDS.map(({ word, cost }) => ({
        ...edited(
          `${field.name} was signed as ${word === '' ? 'empty text' : JSON.stringify(word)}, not as its value`,
          (pair) => (pair.position === field.position ? { ...pair, value: word } : pair),
        ),
        family: `a single field was signed without its value, as ${MISSING_VALUE_LIST}`,
        fix: 'sign the value that is sent, and do not change it after signing',
        fields: [field.name],
        cost,
      })),
    );
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
