import { MopError } from '../../errors.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../protocol/limits.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { findMistakes, type SearchResult } from '../diagnosis/diagnose.ts';
import type { NamedSecret } from '../diagnosis/mistake.ts';
import { rightSigner, type Signer } from '../diagnosis/signer.ts';
import { explainContent } from '../explain.ts';
import { WORD_STYLES } from '../header-name.ts';
import { type ReceivedRequest, type SignedContent, signedContent } from '../received-request.ts';
import { freshFields } from '../request-fields.ts';
import {
  type ClockCheck,
  checkClock,
  clockWarnings,
  contentWarnings,
  transportWarnings,
} from './request-checks.ts';

export interface VerifyOptions {
  /** The time to compare the timestamp with, in Unix seconds; default the system's clock. */
  readonly now?: number | undefined;
  /** How far the timestamp may be from it, in seconds; default 60 (D1 4.1 rule 1). */
  readonly maxSkewSeconds?: number | undefined;
  /** How much the search for mistakes may compute; default about a second of work. */
  readonly effort?: number | undefined;
}

/** The result of verifying a signature. */
export interface Verdict extends Omit<SearchResult, 'signer'> {
  readonly valid: boolean;
  readonly mode: SignatureMode;
  readonly received: string;
  /** The right one: 32 upper-case hex digits. */
  readonly expected: string;
  /** `src1` of D1 section 5, without the secret. */
  readonly canonical: string;
  readonly clock: ClockCheck;
  /** Other reasons for the platform to refuse the request, and uncertainties. */
  readonly warnings: readonly string[];
}

/** A verdict, and the signer who gives the received signature; undefined when none was found. */
export interface Examination {
  readonly verdict: Verdict;
  /** The request as it was read to come to the verdict. */
  readonly content: SignedContent;
  /** Knows the secret: not to be shown. */
  readonly signer: Signer | undefined;
}

/**
 * Verifies the signature of a received request (D1 section 5) and, when it is wrong, finds out
 * what its signer did. Nothing is guessed: a diagnosis is what gives the received signature when
 * it is done again.
 *
 * @param secrets First the secret that belongs to the api_key of the request, then those of other
 *   accounts that the signer may have mixed up.
 * @throws {MopError} `usage` when the request carries no signature or cannot be one.
 */
export function verifySignature(
  request: ReceivedRequest,
  secrets: string | readonly NamedSecret[],
  options: VerifyOptions = {},
): Verdict {
  return examineSignature(request, secrets, options).verdict;
}

/** {@link verifySignature}, with the signer that the verdict rests on. */
export function examineSignature(
  request: ReceivedRequest,
  secrets: string | readonly NamedSecret[],
  options: VerifyOptions = {},
): Examination {
  const [own, ...others] = typeof secrets === 'string' ? [{ name: '', secret: secrets }] : secrets;
  if (own === undefined) {
    throw new MopError('usage', 'there is no secret to verify with', { hint: 'pass at least one' });
  }
  const content = readingOf(request, own.secret);
  const { canonical, signature: expected } = explainContent(content, own.secret);
  const { mode, signature: received } = content;
  const right = rightSigner(content, own.secret);
  const evidence = { ...content, secret: own.secret, otherSecrets: others };
  const { signer, ...found } =
    received === expected
      ? { diagnosis: [], signer: right, alternatives: [], candidates: 1, complete: true }
      : findMistakes(right, evidence, options.effort);
  const limit = options.maxSkewSeconds ?? MAX_CLOCK_SKEW_SECONDS;
  const clock = checkClock(content, options.now ?? Math.floor(freshFields.now() / 1000), limit);
  const verdict = {
    valid: received === expected,
    mode,
    received,
    expected,
    canonical,
    ...found,
    clock,
    warnings: [
      ...transportWarnings(request, content),
      ...contentWarnings(content),
      ...clockWarnings(clock, limit),
    ],
  };
  return { verdict, content, signer };
}

/**
 * How the request is to be read. Where the case of header names was lost, those that the documents
 * do not name are spelled as the signature wants them, if one of the usual ways does.
 */
function readingOf(request: ReceivedRequest, secret: string): SignedContent {
  const usual = signedContent(request);
  if (!usual.namesRestored) return usual;
  const fits = (content: SignedContent): boolean =>
    explainContent(content, secret).signature === content.signature;
  return WORD_STYLES.map((style) => signedContent(request, style)).find(fits) ?? usual;
}
