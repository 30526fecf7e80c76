import type { JsonValue } from '../../../json/value.ts';
import { isIntegerText, NUMBER_PRINTERS } from '../languages/number-text.ts';
import { memoized } from '../memoized.ts';
import { type Evidence, type Mistake, styled, type Variant } from '../mistake.ts';
import type { Place, PrintStyle } from '../print-style.ts';

/** Numbers and booleans as another language prints them (contract section 3, "Value text"). */

export const numberReformatted: Mistake = {
  id: 'number-reformatted',
  looksInside: true,
  fix: 'sign numbers with the characters that they have in the JSON that is sent',
  variants: (evidence) => {
    const tokens = literalsOf(evidence, 'number');
    const prints = NUMBER_PRINTERS.flatMap(({ title, print, rare }): Candidate<string>[] => [
      { how: title, print, rare },
      {
        rare,
        how: `${title}, integers left as they are`,
        print: (text) => (isIntegerText(text) ? text : print(text)),
      },
    ]);
    return literalVariants(
      'numbers',
      tokens,
      (text) => text,
      prints,
      (number) => ({ number }),
    );
  },
};

export const booleanReformatted: Mistake = {
  id: 'boolean-reformatted',
  looksInside: true,
  fix: 'sign booleans as true and false',
  variants: (evidence) => {
    const tokens = literalsOf(evidence, 'boolean');
    const words: readonly (readonly [yes: string, no: string])[] = [
      ['True', 'False'],
      ['1', '0'],
      ['1', ''],
      ['TRUE', 'FALSE'],
      ['yes', 'no'],
      ['Y', 'N'],
    ];
    const usual = 3;
    const prints: readonly Candidate<boolean>[] = words.map(([yes, no], index) => ({
      rare: index >= usual,
      how: `as ${yes} and ${no === '' ? 'empty text' : no}`,
      print: (value) => (value ? yes : no),
    }));
    return literalVariants('booleans', tokens, String, prints, (boolean) => ({ boolean }));
  },
};

interface Literal<Value> {
  readonly value: Value;
  readonly place: Place;
}

interface Candidate<Value> {
  readonly how: string;
  readonly print: (value: Value) => string;
  readonly rare?: boolean | undefined;
}

/**
 * A variant for each way to print the literals, everywhere or in one place only, but for those
 * that print these literals like one before or like the right one: in no request made of these
 * literals could they be told apart.
 */
function literalVariants<Value>(
  what: string,
  literals: readonly Literal<Value>[],
  right: (value: Value) => string,
  candidates: readonly Candidate<Value>[],
  inStyle: (print: (value: Value, place: Place) => string) => Partial<PrintStyle>,
): readonly Variant[] {
  const seen = new Set([literals.map(({ value }) => right(value)).join(' ')]);
  const variants: Variant[] = [];
  const printers = candidates.map(({ print, ...rest }) => ({ ...rest, print: memoized(print) }));
  for (const [where, places] of PLACES) {
    for (const { how, print, rare = false } of printers) {
      const printed = (value: Value, place: Place): string =>
        places.includes(place) ? print(value) : right(value);
      const outcome = literals.map(({ value, place }) => printed(value, place)).join(' ');
      if (seen.has(outcome)) continue;
      seen.add(outcome);
      variants.push({ ...styled(`${what}${where} were signed ${how}`, inStyle(printed)), rare });
    }
  }
  return variants;
}

const PLACES: readonly (readonly [where: string, places: readonly Place[]])[] = [
  ['', ['field', 'nested']],
  [' outside nested JSON', ['field']],
  [' inside nested JSON', ['nested']],
];

function literalsOf(evidence: Evidence, kind: 'number'): readonly Literal<string>[];
function literalsOf(evidence: Evidence, kind: 'boolean'): readonly Literal<boolean>[];
/** The distinct literals of a kind at each place. */
function literalsOf(
  { fields }: Evidence,
  kind: 'number' | 'boolean',
): readonly Literal<string | boolean>[] {
  const found = { field: new Set<string | boolean>(), nested: new Set<string | boolean>() };
  const visit = (value: JsonValue, place: Place): void => {
    if (value.kind === 'array') for (const item of value.items) visit(item, 'nested');
    if (value.kind === 'object') for (const member of value.members) visit(member.value, 'nested');
    if (value.kind !== kind) return;
    found[place].add(value.kind === 'number' ? value.text : value.value);
  };
  for (const { value } of fields) visit(value, 'field');
  return (['field', 'nested'] as const).flatMap((place) =>
    [...found[place]].map((value) => ({ value, place })),
  );
}
