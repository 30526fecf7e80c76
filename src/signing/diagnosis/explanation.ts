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
    const changed = new Set(differences(before, after).map(({ position }) => position));
    const [wanted, wrong] = isFlattened ? [right, signer] : [before, after];
    const shown = differences(wanted, wrong).filter(({ position }) => changed.has(position));
    const next = diagnosisOf(variant, changed, shown, evidence);
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
  changed: ReadonlySet<number>,
  shown: readonly Difference[],
  evidence: Evidence,
): Diagnosis {
  const fields = evidence.fields.filter(({ position }) => changed.has(position));
  const title = variant.title + (variant.fields ? '' : exampleOf(shown));
  const lost = shown.flatMap(({ right = '', signed }) => (signed === undefined ? [right] : []));
  return {
    id: variant.id,
    title,
    fields: variant.fields ?? fields.map(({ name }) => name),
    fix: fixOf({ ...variant, title }, evidence, lost),
  };
}

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

interface Difference {
  readonly position: number;
  readonly right: string | undefined;
  readonly signed: string | undefined;
}

function differences(right: Signer, wrong: Signer): readonly Difference[] {
  if (right.pairs === wrong.pairs) return [];
  const [old, now] = [textsOf(right), textsOf(wrong)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((position) => ({ position, right: old.get(position), signed: now.get(position) }))
    .filter(({ right, signed }) => right !== signed);
}

function textsOf({ pairs }: Signer): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { name, value, position } of pairs) {
    const others = texts.get(position);
    texts.set(position, `${others === undefined ? '' : `${others}&`}${name}=${value}`);
  }
  return texts;
}

function exampleOf(changed: readonly Difference[]): string {
  const [first] = changed.flatMap(({ right, signed }) =>
    right === undefined || signed === undefined ? [] : [{ right, signed }],
  );
  if (first === undefined) return '';
  const { right, signed } = first;
  return `: ${excerpt(signed, right)} instead of ${excerpt(right, signed)}`;
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

const EXCERPT_LENGTH = 40;
const MAX_BEFORE_DIFFERENCE = 12;
