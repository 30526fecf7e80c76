import { canonicalString, digest, type Entry } from '../canonical.ts';
import { type Comparison, pairsOf } from '../compare.ts';
import { type Diagnosis, type Search, searchMistakes } from '../diagnosis/diagnose.ts';
import { DIAGNOSIS_IDS } from '../diagnosis/mistake.ts';
import { rightSigner } from '../diagnosis/signer.ts';
import type { Examination } from './verify.ts';

export interface TheirMistakes {
  readonly diagnosis: readonly Diagnosis[];
  readonly isComplete: boolean;
}

/**
 * Searches for the mistakes in the whole string, then in each field that differs, and in the order.
 * A field needs a {@link PART} of the effort.
 */
export function* mistakesIn(
  theirs: string,
  { pairs, moved, offset }: Comparison,
  { content, right, signer }: Examination,
  secret: string,
  effort: number,
): Search<TheirMistakes> {
  if (offset === undefined || signer?.canonical === theirs) {
    return { diagnosis: [], isComplete: true };
  }
  const parts = pairs.slice(0, MAX_FIELDS).map(({ name, theirs: value }) => {
    const others = right.entries.filter((entry) => entry.name !== name);
    const changed = value === undefined ? [] : [{ name, value, source: 'business' } as const];
    return canonicalString([...others, ...changed]);
  });
  if (moved.length > 0) parts.push(inTheirOrder(theirs, right.entries));
  function* search(signed: string, limit: number): Search<readonly Diagnosis[]> {
    const evidence = { ...content, signature: digest(signed, secret), secret, otherSecrets: [] };
    return (yield* searchMistakes(rightSigner(content, secret), evidence, limit)).diagnosis;
  }

  const whole = yield* search(theirs, effort);
  if (whole.length > 0) return { diagnosis: whole, isComplete: true };
  const found: (readonly Diagnosis[])[] = [];
  for (const part of parts) found.push(yield* search(part, effort * PART));
  const isComplete = pairs.length <= MAX_FIELDS && found.every(({ length }) => length > 0);
  return { diagnosis: merged(found.flat()), isComplete: isComplete && found.length > 0 };
}

const MAX_FIELDS = 12;
/** One field has single mistakes, which are tried first. */
const PART = 0.2;

function inTheirOrder(theirs: string, entries: readonly Entry[]): string {
  const right = new Map(entries.map((entry) => [entry.name, entry.value]));
  const pairs = pairsOf(theirs).filter(({ name }) => right.has(name));
  return pairs.map(({ name }) => `${name}=${right.get(name)}`).join('&');
}

/** One diagnosis for each id, with the fields of all, in the order of the contract. */
function merged(found: readonly Diagnosis[]): readonly Diagnosis[] {
  return DIAGNOSIS_IDS.flatMap((id) => {
    const same = found.filter((diagnosis) => diagnosis.id === id);
    const fields = [...new Set(same.flatMap((diagnosis) => diagnosis.fields))];
    return same.slice(0, 1).map((first) => ({ ...first, fields }));
  });
}
