import type { SignatureMode } from '../../protocol/operations.ts';
import type { Entry, Omitted } from '../../signing/canonical.ts';
import { alignCanonical } from '../../signing/compare.ts';
import {
  type Diagnosis,
  runSearch,
  type Search as Steps,
} from '../../signing/diagnosis/diagnose.ts';
import { SECRET_MARK, secretHider } from '../../signing/mask-secret.ts';
import type { Piece } from '../../signing/text-difference.ts';
import { stringsToSign } from '../../signing/verification/strings-to-sign.ts';
import { type VectorFile, vectorOf } from '../../signing/verification/vector.ts';
import { examine } from '../../signing/verification/verify.ts';
import type { SearchJob } from './search-job.ts';

/**
 * The steps from a request to its signature (D1 section 5). U+E000 replaces the secret, and U+E001
 * the secret of another account.
 */
export interface Layers {
  readonly valid: boolean;
  readonly mode: SignatureMode;
  readonly received: string;
  readonly expected: string;
  /** The signed fields and headers, in the order of the request. */
  readonly entries: readonly Entry[];
  readonly omitted: readonly Omitted[];
  /** The correct string to sign. */
  readonly right: string;
  /** The string that the signer hashed; null when it is unknown or correct. */
  readonly signed: string | null;
  /**
   * The pieces of `signed` (`theirs`) and `right` (`ours`), equal or different; empty without
   * `signed`.
   */
  readonly difference: readonly Piece[];
  readonly diagnosis: readonly Diagnosis[];
  readonly warnings: readonly string[];
  /** The request as a test vector with a dummy secret; null when that is not possible. */
  readonly vector: VectorFile | null;
}

/**
 * Examines a signed request and returns its layers, which contain no secret.
 *
 * @throws {MopError} `usage` when the request has no signature or cannot be signed.
 */
export function layersOf(job: SearchJob): Layers {
  return runSearch(layersInSteps(job));
}

/** {@link layersOf} in steps of about 10 ms. */
export function* layersInSteps({ request, readings, secrets, now }: SearchJob): Steps<Layers> {
  const known = secrets.map(({ secret }) => secret);
  const hide = secretHider(known, SECRET_MARK);
  const examination = yield* examine(request, secrets, { readings, now });
  const { verdict } = examination;
  const { entries, omitted } = examination.right;
  const { right, signed } = stringsToSign(examination, secrets, hide);
  const isWrong = signed !== undefined && signed !== right;
  const vector = vectorOf(request, examination, secrets);
  return {
    valid: verdict.valid,
    mode: verdict.mode,
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
    warnings: verdict.warnings.map(hide),
    vector: vector ? { mode: verdict.mode, vectors: [vector] } : null,
  };
}
