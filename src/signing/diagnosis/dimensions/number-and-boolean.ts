import { printJson } from '../../../json/print.ts';
import type { JsonValue } from '../../../json/value.ts';
import { isIntegerText, NUMBER_PRINTERS } from '../languages/number-text.ts';
import { memoized } from '../memoized.ts';
import { type Evidence, type Mistake, RARE, styled, USUAL, type Variant } from '../mistake.ts';
import type { Place, PrintStyle } from '../print-style.ts';

/** Numbers and booleans as another language prints them (contract section 3, "Value text"). */

export const numberReformatted: Mistake = {
  id: 'number-reformatted',
  readsEveryValue: true,
  perField: true,
  fix: 'sign numbers with the characters that they have in the JSON that is sent',
  variants: ({ fields }) => {
    const printers = NUMBER_PRINTERS.flatMap(({ title, print, rare }): Printer[] => [
      { how: title, print, rare },
      {
        rare,
        isScoped: true,
        how: `${title}, except integers`,
        family: title,
        print: (text) => (isIntegerText(text) ? text : print(text)),
      },
      {
        rare,
        isScoped: true,
        how: `${title}, only integers`,
        family: title,
        print: (text) => (isIntegerText(text) ? print(text) : text),
      },
    ]);
    const literals = literalsOf(fields, 'number');
    return literalVariants('numbers', literals, printers, (print) => ({ number: print }));
  },
};

export const booleanReformatted: Mistake = {
  id: 'boolean-reformatted',
  readsEveryValue: true,
  perField: true,
  fix: 'sign booleans as true and false',
  variants: ({ fields }) => {
    const printers = BOOLEAN_WORDS.map(
      ([yes, no], index): Printer => ({
        rare: index >= USUAL_BOOLEAN_WORDS,
        how: `as ${yes} and ${no === '' ? 'empty text' : no}`,
        print: (text) => (text === 'true' ? yes : no),
      }),
    );
    return literalVariants('booleans', literalsOf(fields, 'boolean'), printers, (print) => ({
      boolean: (value, place) => print(String(value), place),
    }));
  },
};

const BOOLEAN_WORDS: readonly (readonly [yes: string, no: string])[] = [
  ['True', 'False'],
  ['1', '0'],
  ['1', ''],
  ['true', ''],
  ['TRUE', 'FALSE'],
  ['yes', 'no'],
  ['Y', 'N'],
  ['y', 'n'],
  ['T', 'F'],
  ['t', 'f'],
  ['on', 'off'],
  ['-1', '0'],
  ['True', ''],
  ['"true"', '"false"'],
  ['是', '否'],
  ['Wahr', 'Falsch'],
  ['Bool(true)', 'Bool(false)'],
  ['Optional(true)', 'Optional(false)'],
];
const USUAL_BOOLEAN_WORDS = 4;

/** A number or boolean in the characters of the JSON. */
interface Literal {
  readonly text: string;
  readonly place: Place;
}

interface Printer {
  readonly how: string;
  /** The line in docs/diagnosis.md, shared by several printers; default {@link how}. */
  readonly family?: string;
  readonly print: (text: string) => string;
  readonly rare?: boolean | undefined;
  /** Whether it applies to only some of the numbers. */
  readonly isScoped?: boolean;
}

/**
 * A variant for each printer, everywhere or in one place only. Omits printers whose output for this
 * request is right, or equal to an earlier printer's: they cannot be distinguished.
 */
function literalVariants(
  subject: string,
  literals: readonly Literal[],
  printers: readonly Printer[],
  inStyle: (print: (text: string, place: Place) => string) => Partial<PrintStyle>,
): readonly Variant[] {
  const seen = new Set([literals.map(({ text }) => text).join(' ')]);
  const variants: Variant[] = [];
  const kept = printers.map((printer) => ({ ...printer, print: memoized(printer.print) }));
  for (const [where, places] of PLACES) {
    for (const { how, family = how, print, rare = false, isScoped = false } of kept) {
      const printed = (text: string, place: Place): string =>
        places.includes(place) ? print(text) : text;
      const outcome = literals.map(({ text, place }) => printed(text, place)).join(' ');
      if (seen.has(outcome)) continue;
      seen.add(outcome);
      variants.push({
        ...styled(`${subject}${where} were signed ${how}`, inStyle(printed)),
        family: `${subject} were signed ${family}`,
        cost: (rare ? RARE : USUAL) + Number(isScoped || where !== ''),
      });
    }
  }
  return variants;
}

const PLACES: readonly (readonly [where: string, places: readonly Place[]])[] = [
  ['', ['field', 'nested']],
  [' outside nested JSON', ['field']],
  [' inside nested JSON', ['nested']],
];

/** The distinct literals of a kind at each place. */
function literalsOf(fields: Evidence['fields'], kind: 'number' | 'boolean'): readonly Literal[] {
  const found = { field: new Set<string>(), nested: new Set<string>() };
  const visit = (value: JsonValue, place: Place): void => {
    if (value.kind === 'array') for (const item of value.items) visit(item, 'nested');
    if (value.kind === 'object') for (const member of value.members) visit(member.value, 'nested');
    if (value.kind === kind) found[place].add(printJson(value));
  };
  for (const { value } of fields) visit(value, 'field');
  return (['field', 'nested'] as const).flatMap((place) =>
    [...found[place]].map((text) => ({ text, place })),
  );
}
