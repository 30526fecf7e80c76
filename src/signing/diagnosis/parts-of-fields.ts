import type { Evidence, Variant } from './mistake.ts';
import type { Pair, Signer } from './signer.ts';

// Mistakes in the text of values that a signer makes in only some of the fields.

type Texts = ReadonlyMap<number, string>;

const SCOPES = [
  { source: 'business', where: 'in business fields alone' },
  { source: 'header', where: 'in headers alone' },
] as const;

/**
 * Mistakes in business fields only, in headers only, and in a single field. Of several variants
 * that give a field the same text, the most plausible one is listed.
 */
export function partsOfFields(
  right: Signer,
  { fields }: Evidence,
  variants: readonly Variant[],
  maxCount: number,
): readonly Variant[] {
  const sent = singleTexts(right.pairs);
  const byPosition = new Map(fields.map((field) => [field.position, field]));
  const known = new Set<string>();
  const found: Variant[] = [];
  for (const variant of variants.filter(({ changesText }) => changesText).slice(0, maxCount)) {
    const changed = [...changedTexts(right, variant.change(right))];
    if (changed.length < 2) continue;
    for (const { source, where } of SCOPES) {
      const affected = changed.filter(([at]) => byPosition.get(at)?.source === source);
      if (affected.length < 2 || affected.length === changed.length) continue;
      found.push({ ...withTexts(variant, where, new Map(affected)), cost: variant.cost + 1 });
    }
    for (const [position, text] of changed) {
      const key = `${position} ${text}`;
      if (known.has(key)) continue;
      known.add(key);
      const { name = '' } = byPosition.get(position) ?? {};
      found.push({
        ...withTexts(variant, `in ${name} alone`, new Map([[position, text]])),
        fix: `sign ${name} with the characters that are sent: ${sent.get(position)}`,
        slot: String(position),
        cost: variant.cost + 1,
      });
    }
    if (found.length >= maxCount) break;
  }
  return found;
}

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
