import type { Field } from '../received-request.ts';
import type { Table, TableRow, Variant } from './mistake.ts';
import type { PrintStyle } from './print-style.ts';
import type { PairEdit, Signer, Steps } from './signer.ts';
import { changeOf, type TextChange } from './text-change.ts';

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
