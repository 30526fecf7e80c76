import { digest, sortedByName } from '../canonical.ts';
import { pastedCanonical, signedCanonical } from '../capture/pasted-canonical.ts';
import { type Comparison, compareCanonical } from '../compare.ts';
import type { Diagnosis, Search } from '../diagnosis/diagnose.ts';
import { SECRET_MARK } from '../mask-secret.ts';
import { mistakesIn } from './their-mistakes.ts';
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
