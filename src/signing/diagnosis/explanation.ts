import type { Attempt } from './attempts.ts';
import { fixOf } from './fixes.ts';
import { DIAGNOSIS_IDS, type DiagnosisId, type Evidence, type Variant } from './mistake.ts';
import type { Signer } from './signer.ts';

/** One of the mistakes that together reproduce the received signature. */
export interface Diagnosis {
  readonly id: DiagnosisId;
  /** The mistake of the signer, in words. */
  readonly title: string;
  /** The affected fields, in the order of the request. */
  readonly fields: readonly string[];
  readonly fix: string;
}

/** Describes the mistakes of an attempt, in the order of the contract. */
export function diagnosed(
  { signer, variants }: Attempt,
  right: Signer,
  evidence: Evidence,
): readonly Diagnosis[] {
  let before = right;
  const found = new Map<DiagnosisId, Diagnosis>();
  const needed = neededFor(signer.signature, variants, right);
  // An intermediate text may be neither right nor signed: show the right and signed texts.
  const isFlattened = needed.some(({ id }) => id === 'nested-flattened');
  for (const variant of needed) {
    const after = variant.change(before);
    const [wanted, wrong] = isFlattened ? [right, signer] : [before, after];
    const next = diagnosisOf(variant, changesBetween(before, after), wanted, wrong, evidence);
    const same = found.get(next.id);
    found.set(next.id, same ? merged(same, next) : next);
    before = after;
  }
  const order = [...evidence.fields, ...evidence.files].map(({ name }) => name);
  return [...found.values()]
    .map((diagnosis) => ({
      ...diagnosis,
      fields: diagnosis.fields.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    }))
    .sort((a, b) => DIAGNOSIS_IDS.indexOf(a.id) - DIAGNOSIS_IDS.indexOf(b.id));
}

function diagnosisOf(
  variant: Variant,
  changed: readonly number[],
  wanted: Signer,
  wrong: Signer,
  evidence: Evidence,
): Diagnosis {
  const fields = evidence.fields.filter(({ position }) => changed.includes(position));
  const title = variant.title + (variant.fields ? '' : exampleOf(changed, wanted, wrong));
  return {
    id: variant.id,
    title,
    fields: variant.fields ?? fields.map(({ name }) => name),
    fix: fixOf({ ...variant, title }, evidence, lostPairs(changed, wanted, wrong)),
  };
}

/** The same mistake made with different fields. */
function merged(a: Diagnosis, b: Diagnosis): Diagnosis {
  return {
    id: a.id,
    title: `${a.title}; ${b.title}`,
    fields: [...new Set([...a.fields, ...b.fields])],
    fix: a.fix === b.fix ? a.fix : `${a.fix}; ${b.fix}`,
  };
}

/** Drops variants that the signature does not need, such as unused parts of a habit. */
function neededFor(
  signature: string,
  variants: readonly Variant[],
  right: Signer,
): readonly Variant[] {
  let needed = variants;
  for (const variant of variants) {
    const others = needed.filter((other) => other !== variant);
    const without = others.reduce((signer, { change }) => change(signer), right);
    if (without.signature === signature) needed = others;
  }
  return needed;
}

/** The positions of the fields whose pairs differ between two signers. */
function changesBetween(before: Signer, after: Signer): readonly number[] {
  if (before.pairs === after.pairs) return [];
  const [old, now] = [textsOf(before), textsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (position) => old.get(position) !== now.get(position),
  );
}

/** The joined pairs of each field, by position. */
function textsOf({ pairs }: Signer): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { name, value, position } of pairs) {
    const others = texts.get(position);
    texts.set(position, `${others === undefined ? '' : `${others}&`}${name}=${value}`);
  }
  return texts;
}

/** The right pairs of fields that were not signed. */
function lostPairs(changed: readonly number[], wanted: Signer, wrong: Signer): readonly string[] {
  const [right, signed] = [textsOf(wanted), textsOf(wrong)];
  return changed.flatMap((position) => (signed.has(position) ? [] : [right.get(position) ?? '']));
}

/** The first changed pair, before and after, for the title. */
function exampleOf(changed: readonly number[], wanted: Signer, wrong: Signer): string {
  const [right, signed] = [textsOf(wanted), textsOf(wrong)];
  for (const position of changed) {
    const [text, sent] = [signed.get(position), right.get(position)];
    if (text !== undefined && sent !== undefined && text !== sent) {
      return `: ${excerpt(text, sent)} instead of ${excerpt(sent, text)}`;
    }
  }
  return '';
}

/** A pair for a message. A long pair is cut to its name and the part at the first difference. */
function excerpt(pair: string, other: string): string {
  let same = 0;
  while (same < pair.length && pair[same] === other[same]) same++;
  const name = pair.slice(0, pair.indexOf('=') + 1);
  const from = Math.max(name.length, same - MAX_BEFORE_DIFFERENCE);
  const value = pair.slice(from, from + EXCERPT_LENGTH);
  const shown = `${from > name.length ? '…' : ''}${value}${from + EXCERPT_LENGTH < pair.length ? '…' : ''}`;
  return name + (/^\s|\s$|[\p{Cc}]/u.test(shown) ? JSON.stringify(shown) : shown);
}

/** The characters of a value in a title. */
const EXCERPT_LENGTH = 40;
const MAX_BEFORE_DIFFERENCE = 12;
