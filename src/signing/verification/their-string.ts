import { canonicalString, digest, type Entry, sortedByName } from '../canonical.ts';
import { pastedCanonical, signedCanonical } from '../capture/pasted-canonical.ts';
import { type Comparison, compareCanonical, pairsOf } from '../compare.ts';
import { type Diagnosis, type Search, searchMistakes } from '../diagnosis/diagnose.ts';
import { DIAGNOSIS_IDS } from '../diagnosis/mistake.ts';
import { rightSigner } from '../diagnosis/signer.ts';
import { SECRET_MARK } from '../mask-secret.ts';
import type { Examination } from './verify.ts';

export interface TheirString {
  readonly canonical: string;
  /** Whether its digest, alone or with a known secret, is the received signature. */
  readonly signed: boolean;
  /** Whether escapes, such as those of a URL, were decoded in the pasted text. */
  readonly unescaped: boolean;
  readonly comparison: Comparison;
  /** The known mistakes in it, unless they are those of the signature. */
  readonly mistakes: readonly Diagnosis[];
}

type Hide = (text: string) => string;

/**
 * Compares a pasted string with the right one. Its mistakes explain a signature of that string for
 * which the search found no signer. The secret of the request is the first one.
 */
export function* compareTheirs(
  pasted: string,
  examination: Examination,
  secrets: readonly string[],
  hide: Hide,
  effort: number,
): Search<{ readonly theirs: TheirString; readonly examination: Examination }> {
  const { verdict, isExplained } = examination;
  const { canonical, received } = verdict;
  const [own = ''] = secrets;
  const isSigned = (text: string): boolean =>
    ['', ...secrets].some((secret) => digest(text, secret) === received.toUpperCase());
  const signed = signedCanonical(pasted, canonical, secrets, isSigned);
  // Hide secrets first: parsing may split a secret, and marks of differences may interrupt it.
  const [hidden, ours] = [hide(pasted), hide(canonical)];
  const theirs =
    signed === undefined ? pastedCanonical(hidden, ours, [SECRET_MARK, ...secrets]) : hide(signed);
  const text = signed ?? theirs.replaceAll(SECRET_MARK, own);
  const comparison = compareCanonical(theirs, rightPairs(examination, hide));
  const found = yield* mistakesIn(text, comparison, examination, own, effort);
  const mistakes = found.diagnosis;
  const isProof = !isExplained && found.isComplete && digest(text, own) === received;
  const diagnosis = [...mistakes, ...verdict.diagnosis];
  return {
    theirs: {
      canonical: theirs,
      signed: signed !== undefined,
      unescaped: !hidden.includes(theirs),
      comparison,
      mistakes,
    },
    examination: isProof
      ? { ...examination, isExplained: true, verdict: { ...verdict, diagnosis, complete: true } }
      : examination,
  };
}

export function rightPairs({ right }: Examination, hide: Hide) {
  const pairs = sortedByName(right.entries);
  return pairs.map(({ name, value }) => ({ name: hide(name), value: hide(value) }));
}

interface TheirMistakes {
  readonly diagnosis: readonly Diagnosis[];
  readonly isComplete: boolean;
}

/**
 * Searches for the mistakes in the whole string, then in each field that differs, and in the order.
 * A field needs a {@link PART} of the effort.
 */
function* mistakesIn(
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
