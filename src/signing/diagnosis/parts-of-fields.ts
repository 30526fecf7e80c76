import type { Evidence, Variant } from './mistake.ts';
import type { Pair, Signer } from './signer.ts';

/** Mistakes in the text of values that a signer makes in only some of the fields. */

/** The texts of fields with a mistake. */
type Texts = ReadonlyMap<number, string>;

/** Groups of fields that a program builds separately. */
const SCOPES = [
  { source: 'business', where: 'in business fields alone' },
  { source: 'header', where: 'in headers alone' },
] as const;

/** Mistakes in business fields only, and in headers only. */
export function inSomeFields(
  right: Signer,
  { fields }: Evidence,
  variants: readonly Variant[],
): readonly Variant[] {
  const sources = new Map(fields.map(({ position, source }) => [position, source]));
  return variants
    .filter(({ changesText }) => changesText)
    .flatMap((variant) => {
      const changed = changedTexts(right, variant.change(right));
      return SCOPES.flatMap(({ source, where }) => {
        const affected = [...changed].filter(([position]) => sources.get(position) === source);
        if (affected.length < 2 || affected.length === changed.size) return [];
        const texts = withTexts(variant, where, new Map(affected));
        return [{ ...texts, cost: variant.cost + 1 }];
      });
    });
}

/**
 * Mistakes in a single field. Of several variants that give a field the same text, the most plausible
 * one is listed.
 *
 * @param variants Sorted by plausibility.
 */
export function inOneField(
  right: Signer,
  { fields }: Evidence,
  variants: readonly Variant[],
  maxCount: number,
): readonly Variant[] {
  const sent = singleTexts(right.pairs);
  const names = new Map(fields.map(({ position, name }) => [position, name]));
  const known = new Set<string>();
  const found: Variant[] = [];
  for (const variant of variants) {
    if (!variant.changesText) continue;
    const changed = changedTexts(right, variant.change(right));
    if (changed.size < 2) continue;
    for (const [position, text] of changed) {
      const key = `${position} ${text}`;
      if (known.has(key)) continue;
      known.add(key);
      const name = names.get(position) ?? '';
      found.push({
        ...withTexts(variant, `in ${name} alone`, new Map([[position, text]])),
        fix: `sign ${name} with the characters that are sent: ${sent.get(position)}`,
        slot: String(position),
        cost: variant.cost + 1,
      });
      if (found.length >= maxCount) return found;
    }
  }
  return found;
}

/** A variant that sets the text of a single field. */
export interface OneFieldText {
  readonly position: number;
  readonly variant: Variant;
}

/** A variant as the text of one field; undefined unless the signers differ in exactly one text. */
export function oneFieldText(
  [variant]: readonly Variant[],
  right: Signer,
  wrong: Signer,
): OneFieldText | undefined {
  const isText = variant?.changesText || /^\d+$/.test(variant?.slot ?? '');
  if (!variant || !isText || right.pairs.length !== wrong.pairs.length) return undefined;
  const changed = [...changedTexts(right, wrong)];
  const [only] = changed;
  if (!only || changed.length > 1) return undefined;
  const [position, text] = only;
  const { change } = withTexts(variant, '', new Map([[position, text]]));
  return { position, variant: { ...variant, change } };
}

/** The changed texts by position. Positions with several pairs are not included. */
function changedTexts(right: Signer, wrong: Signer): Texts {
  const sent = singleTexts(right.pairs);
  return new Map(
    [...singleTexts(wrong.pairs)].filter(([position, text]) => {
      const before = sent.get(position);
      return before !== undefined && before !== text;
    }),
  );
}

function singleTexts(pairs: readonly Pair[]): Texts {
  const texts = new Map<number, string>();
  const several = new Set<number>();
  for (const { position, value } of pairs) {
    if (texts.has(position)) several.add(position);
    texts.set(position, value);
  }
  for (const position of several) texts.delete(position);
  return texts;
}

function withTexts(variant: Variant, where: string, texts: Texts): Variant {
  return {
    ...variant,
    title: `${variant.title}, ${where}`,
    change: (signer) =>
      signer.withEdit((pair) => {
        const value = texts.get(pair.position);
        return value === undefined ? pair : { ...pair, value };
      }),
  };
}
