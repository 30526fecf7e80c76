import type { Entry, Omitted } from '../canonical.ts';
import { alignCanonical } from '../compare.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import type { NamedSecret } from '../diagnosis/mistake.ts';
import type { ReceivedRequest } from '../received-request.ts';
import type { Piece } from '../text-difference.ts';
import { stringsToSign } from './strings-to-sign.ts';
import { type VectorFile, vectorOf } from './vector.ts';
import type { Examination } from './verify.ts';

/**
 * The steps to a signature (D1 section 5). U+E000 is the secret, U+E001 that of another account.
 */
export interface Layers {
  readonly received: string;
  readonly expected: string;
  /** The signed fields and headers, in the order of the request. */
  readonly entries: readonly Entry[];
  readonly omitted: readonly Omitted[];
  readonly right: string;
  /** The string that the signer hashed; null when it is unknown or correct. */
  readonly signed: string | null;
  /** The pieces of `signed` (`theirs`) and `right` (`ours`); empty without `signed`. */
  readonly difference: readonly Piece[];
  readonly diagnosis: readonly Diagnosis[];
  /** The request as a test vector with a dummy secret; null when that is not possible. */
  readonly vector: VectorFile | null;
}

/**
 * The secret of the request is the first one; `hide` replaces the secrets in a text with U+E000.
 */
export function layersOf(
  request: ReceivedRequest,
  examination: Examination,
  secrets: readonly NamedSecret[],
  hide: (text: string) => string,
): Layers {
  const { verdict } = examination;
  const { entries, omitted } = examination.right;
  const { right, signed } = stringsToSign(examination, secrets, hide);
  const isWrong = signed !== undefined && signed !== right;
  const vector = vectorOf(request, examination, secrets);
  return {
    received: hide(verdict.received),
    expected: verdict.expected,
    entries: entries.map((entry) => ({
      ...entry,
      name: hide(entry.name),
      value: hide(entry.value),
    })),
    omitted,
    right,
    signed: isWrong ? signed : null,
    difference: isWrong ? alignCanonical(signed, right) : [],
    diagnosis: verdict.diagnosis,
    vector: vector ? { mode: verdict.mode, vectors: [vector] } : null,
  };
}
