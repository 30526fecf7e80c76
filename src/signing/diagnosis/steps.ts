import { md5Hex } from '../../runtime/md5.ts';
import { base64Text, hexText, utf8Bytes } from '../bytes.ts';
import type { Field } from '../received-request.ts';
import type { Table, TableRow, Variant } from './mistake.ts';
import type { PrintStyle } from './print-style.ts';
import type { PairEdit, Signer, Steps } from './signer.ts';

export type Change = Variant['change'];

/** Turns the change of a row into the change of a signer: one entry for each step of D1 section 5. */
const STEPS = {
  fields:
    (change: (fields: readonly Field[]) => readonly Field[]): Change =>
    (signer) =>
      signer.with({ fields: change(signer.steps.fields) }),
  /** The text of fields that are null; undefined leaves them out. */
  nullText: (nullText: PrintStyle['nullText']) => styled({ nullText }),
  number: (number: PrintStyle['number']) => styled({ number }),
  boolean: (boolean: PrintStyle['boolean']) => styled({ boolean }),
  /** Strings outside nested JSON, after earlier changes. */
  string: (change: TextChange) => restyled('string', change),
  /** Strings inside nested JSON too, after earlier changes. */
  characters: (change: TextChange) => restyled('characters', change),
  nested: (nested: PrintStyle['nested']) => styled({ nested }),
  layout: (layout: PrintStyle['layout']) => styled({ layout }),
  memberOrder: (memberOrder: PrintStyle['memberOrder']) => styled({ memberOrder }),
  /** Quoted strings in nested JSON, after earlier escapes. */
  escape: (change: TextChange) => restyled('escape', change),
  style: styled,
  /** Pairs, after their values were converted to text. */
  pair: edited,
  /** Pairs, of which only the value or its encoding changes. */
  text: edited,
  order: (order: Steps['order']) => stepped({ order }),
  join: (join: Steps['join']) => stepped({ join }),
  /** The joined pairs, after earlier changes. */
  rewrite:
    (textChange: TextChange): Change =>
    (signer) => {
      const { rewrite: before } = signer.steps;
      const change = changeOf(textChange);
      return signer.with({ rewrite: (text) => change(before(text)) });
    },
  secret: (change: TextChange) => stepped({ transformSecret: changeOf(change) }),
  append: (append: Steps['append']) => stepped({ append }),
  encode: (encode: Steps['encode']) => stepped({ encode }),
  digest: (digest: Steps['digest']) => stepped({ digest }),
  write: (write: Steps['write']) => stepped({ write }),
  steps: stepped,
  /** Any change, for a mistake that no single step describes. */
  signer: (change: Change) => change,
} satisfies Record<string, (change: never) => Change>;

export type StepName = keyof typeof STEPS;
export type StepChange<Name extends StepName> = Parameters<(typeof STEPS)[Name]>[0];

const TEXT_STEPS: ReadonlySet<StepName> = new Set([
  ...(['text', 'number', 'boolean', 'string', 'characters'] as const),
  ...(['nested', 'layout', 'memberOrder', 'escape', 'style'] as const),
]);

/** The rows of a table by their cost: how a variant differs from the right signer, and its change. */
export type Rows<Change> = Readonly<Record<number, Readonly<Record<string, Change>>>>;

/** A row in a list, for rows that are built from other lists. */
export type Row<Change> = readonly [how: string, cost: number, change: Change];

type More = Pick<TableRow, 'fields' | 'fix' | 'slot'>;

/** The variants of a table, one for each row. The subject begins every title: `the pairs were`. */
export function table<Name extends StepName>(
  step: Name,
  subject: string,
  rows: Rows<StepChange<Name>> | readonly Row<StepChange<Name>>[],
  more: More = {},
): Table {
  const changeOf = STEPS[step] as (change: StepChange<Name>) => Change;
  return rowsOf(rows).map(([how, cost, change]) => ({
    title: subject + (subject === '' || /^(?:,|$)/.test(how) ? '' : ' ') + how,
    cost,
    change: changeOf(change),
    changesText: TEXT_STEPS.has(step),
    ...more,
  }));
}

export function rowsOf<Change>(
  rows: Rows<Change> | readonly Row<Change>[],
): readonly Row<Change>[] {
  if (Symbol.iterator in rows) return rows;
  return Object.entries({ ...rows }).flatMap(([cost, changes]: [string, Rows<Change>[number]]) =>
    Object.entries(changes).map(([how, change]): Row<Change> => [how, Number(cost), change]),
  );
}

export function mapped<From, To>(
  rows: Rows<From> | readonly Row<From>[],
  added: number,
  changeOf: (from: From, how: string) => To,
): readonly Row<To>[] {
  return rowsOf(rows).map(([how, cost, from]) => [how, cost + added, changeOf(from, how)]);
}

/** A row for each text. In the title, `*` is the text, and `"*"` the text in quotes. */
export function each<Change>(
  cost: number,
  how: string,
  texts: readonly string[],
  changeFor: (text: string) => Change,
): readonly Row<Change>[] {
  const titleOf = (text: string): string =>
    how.replace(/("?)\*\1/, (_, quote: string) => (quote ? shownText(text) : text));
  return texts.map((text) => [titleOf(text), cost, changeFor(text)]);
}

function styled(changes: Partial<PrintStyle>): Change {
  return (signer: Signer) => signer.withStyle(changes);
}

function restyled(key: 'string' | 'characters' | 'escape', textChange: TextChange): Change {
  const change = changeOf(textChange);
  return (signer: Signer) => {
    const before = signer.steps.style[key];
    return signer.withStyle({ [key]: (text: string) => change(before(text)) });
  };
}

function edited(edit: PairEdit): Change {
  return (signer: Signer) => signer.withEdit(edit);
}

function stepped(changes: Partial<Steps>): Change {
  return (signer: Signer) => signer.with(changes);
}

export function separatorText(separator: string): string {
  return separator && `, with ${JSON.stringify(separator)} between`;
}

function shownText(text: string): string {
  return text === '' ? 'empty text' : JSON.stringify(text);
}

/**
 * A sample such as `Optional[V]`, in which `V` is the text; a pattern and its replacement; or code.
 */
export type TextChange = string | readonly [pattern: RegExp, other: string] | Convert;
export type Convert = (text: string) => string;

export const lowerCase: Convert = (text) => text.toLowerCase();
export const upperCase: Convert = (text) => text.toUpperCase();
export const capitalized: Convert = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** `orderId` for `order_id`. Capital letters stay. */
export const camelName: Convert = (name) =>
  name.replace(/(?<![_-])[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
export const md5: Convert = (text) => md5Hex(text);
export const md5Upper: Convert = (text) => md5(text).toUpperCase();
export const base64: Convert = (text) => base64Text(utf8Bytes(text));
export const hex: Convert = (text) => hexText(utf8Bytes(text));

export function changeOf(change: TextChange): Convert {
  if (typeof change === 'function') return change;
  if (typeof change !== 'string') return (text) => text.replace(...change);
  const [before, behind = ''] = change.split('V');
  return (text) => before + text + behind;
}

type SampleRow = readonly [how: string, cost: number, sample: string];

/** Rows of samples, which are in the titles. */
export function framed(cost: number, ...samples: readonly string[]): readonly SampleRow[] {
  return samples.map((sample) => [frameTitle(sample), cost, sample]);
}

/** Rows of samples with their language, such as `Optional[V] of Java`. */
export function wrapped(cost: number, ...samples: readonly string[]): readonly SampleRow[] {
  return samples.map((sample) => {
    const [wrapper = ''] = sample.split(' of ');
    return [`as ${sample.replace('V', '…')}`, cost, wrapper];
  });
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ '\n': 'a line end', '\r\n': 'a Windows line end', '\r': 'a carriage return' },
  ...{ '\t': 'a tab', ' ': 'a space', '  ': 'two spaces', '\ufeff': 'a byte order mark' },
};
const BRACKETS: Readonly<Record<string, string>> = {
  ...{ '""': 'double quotes', "''": 'single quotes', '()': 'parentheses', '[]': 'brackets' },
  ...{ '{}': 'braces', '<>': 'angle brackets', '  ': 'spaces' },
  ...{ "b''": 'a bytes literal of Python' },
};

function frameTitle(sample: string): string {
  const [before = '', behind = ''] = sample.split('V');
  const nameOf = (text: string): string => NAMES[text] ?? JSON.stringify(text);
  if (before === '') return `with ${nameOf(behind)} appended`;
  if (behind === '') return `with ${nameOf(before)} in front`;
  const brackets = BRACKETS[before + behind];
  return brackets ? `in ${brackets}` : `as ${sample.replace('V', '…')}`;
}

/** The text of a sample such as `<pairs>&<secret>`, by the names of its parts. */
export function filledBy<Name extends string>(
  sample: string,
): (parts: Readonly<Record<Name, string>>) => string {
  const pieces = sample.split(/<(\w+)>/);
  return (parts) =>
    pieces.map((piece, index) => (index % 2 === 0 ? piece : parts[piece as Name])).join('');
}
