import { MopError } from '../../errors.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../protocol/limits.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import { type Readings, withDefaults } from '../../protocol/readings.ts';
import { assertOptions, assertText } from '../check-arguments.ts';
import {
  type Diagnosis,
  EFFORTS,
  runSearch,
  type Search,
  type SearchResult,
  searchMistakes,
} from '../diagnosis/diagnose.ts';
import type { Evidence, NamedSecret } from '../diagnosis/mistake.ts';
import { rightSigner, type Signer } from '../diagnosis/signer.ts';
import {
  explainContent,
  type Reads,
  readRequest,
  rightReading,
  type SignatureExplanation,
} from '../explain.ts';
import type { ReceivedRequest, SignedContent } from '../received-request.ts';
import { freshFields } from '../request-fields.ts';
import {
  type ClockCheck,
  checkClock,
  clockWarnings,
  contentWarnings,
  nameWarnings,
  type PlatformRefusal,
  readingWarnings,
  refusals,
  timestampRefusal,
} from './request-checks.ts';
import { signatureText, textDiagnosis } from './signature-text.ts';

export interface VerifyOptions {
  /** The time to compare the timestamp with, in Unix seconds; default: the system's clock. */
  readonly now?: number | undefined;
  /**
   * The time of sending in Unix seconds, if it is known: it replaces `now`. The platform refuses a
   * request whose timestamp differs from it by more than a minute.
   */
  readonly sentAt?: number | undefined;
  /** The maximum distance of the timestamp from `now`, in seconds; default 60 (D1 4.1 rule 1). */
  readonly maxSkewSeconds?: number | undefined;
  /**
   * The maximum number of characters that the search for mistakes builds and hashes under the default
   * reading; the other readings share half of it. 0: no search. Default: 150,000,000, up to 2 s.
   */
  readonly effort?: number | undefined;
  /**
   * Choices where D1 leaves a point open. Default: every reading of the signed text is tried; `nonce`
   * is `body-10` and `types` is `strict`.
   */
  readonly readings?: Readings | undefined;
}

/** The result of verifying a signature. */
export interface Verdict extends Omit<SearchResult, 'signer'> {
  /** False also when the platform would refuse the request with any signature. */
  readonly valid: boolean;
  readonly mode: SignatureMode;
  readonly received: string;
  /** The right signature: 32 upper-case hex digits. */
  readonly expected: string;
  /** `src1` of D1 section 5, without the secret. */
  readonly canonical: string;
  /** Why the platform refuses the request although `valid` is true; only for a certain reason. */
  readonly refused?: PlatformRefusal | undefined;
  readonly clock: ClockCheck;
  /** Uncertainties, and faults without an effect on `valid`, such as an old timestamp. */
  readonly warnings: readonly string[];
}

/** Whether the signature is right; the platform may still refuse the request. */
export function hasRightSignature(verdict: Pick<Verdict, 'received' | 'expected'>): boolean {
  return verdict.received === verdict.expected;
}

export interface Examination {
  readonly verdict: Verdict;
  /** The request under the reading of the verdict. */
  readonly content: SignedContent;
  readonly right: SignatureExplanation;
  /** Contains the secret: do not print it. Undefined when no signer was found. */
  readonly signer: Signer | undefined;
  /** Whether the diagnosis explains the signature. A text in place of a digest has no signer. */
  readonly isExplained: boolean;
  readonly options: VerifyOptions;
}

/**
 * Verifies the signature of a received request (D1 section 5), and diagnoses a wrong one. Signing
 * with the diagnosed mistakes reproduces the received signature. A diagnosis may also be a fault for
 * which the platform refuses any signature, such as a wrong version.
 *
 * @param secrets The secret of the request's api_key first, then the secrets of other accounts. The
 *   diagnosis uses their names.
 * @throws {MopError} `usage` for a request without a signature, or an invalid request.
 *
 * @example
 * ```ts
 * import { signBody, verifySignature } from 'mop-cli/signing';
 * import type { ClockCheck, Diagnosis, DiagnosisId, NamedSecret, Readings } from 'mop-cli/signing';
 * import type { ReceivedRequest, Verdict, VerifyOptions } from 'mop-cli/signing';
 *
 * const { body } = signBody('{"a":1}', { apiKey: 'sandbox', secret: 'sandbox-secret' });
 * const request: ReceivedRequest = { body: body.replace(/[0-9A-F]{32}/, (sign) => sign.toLowerCase()) };
 * const secret: NamedSecret = { name: 'sandbox', secret: 'sandbox-secret' };
 * const readings: Readings = { types: 'lenient' };
 * const options: VerifyOptions = { maxSkewSeconds: 60, readings };
 * const verdict: Verdict = verifySignature(request, [secret], options);
 * const [diagnosis]: readonly Diagnosis[] = verdict.diagnosis;
 * const id: DiagnosisId | undefined = diagnosis?.id;
 * const clock: ClockCheck = verdict.clock;
 * console.log(verdict.valid, id, clock.withinLimit);
 * // false hex-lowercase true
 * ```
 */
export function verifySignature(
  request: ReceivedRequest,
  secrets: string | readonly (string | NamedSecret)[],
  options: VerifyOptions = {},
): Verdict {
  return examineSignature(request, secrets, options).verdict;
}

/** {@link verifySignature}, with the signer of the verdict. */
export function examineSignature(...args: Parameters<typeof examine>): Examination {
  return runSearch(examine(...args));
}

/** {@link examineSignature} in steps: a program can do other work during a long search. */
export function* examine(
  request: ReceivedRequest,
  secrets: string | readonly (string | NamedSecret)[],
  options: VerifyOptions = {},
): Search<Examination> {
  const [own, ...otherSecrets] = namedSecrets(secrets);
  if (own === undefined) {
    const hint = 'pass at least one secret';
    throw new MopError('usage', 'there is no secret to verify with', { hint });
  }
  assertOptions('options', options);
  const reads = readRequest(request, options.readings);
  const inquiry = { reads, secret: own.secret, otherSecrets, effort: options.effort };
  const { content, signer, isExplained, ...found } = yield* explainReceived(inquiry);
  const right = explainContent(content, own.secret);
  const isRight = right.signature === content.signature;
  const refused = refusals(request, content).filter(
    ({ id }) => !found.diagnosis.some((other) => other.id === id),
  );
  const valid = isRight && refused.length === 0;
  const limit = options.maxSkewSeconds ?? MAX_CLOCK_SKEW_SECONDS;
  const now = options.sentAt ?? options.now ?? Math.floor(freshFields.now() / 1000);
  const clock = checkClock(content, now, limit);
  const late = options.sentAt === undefined ? undefined : timestampRefusal(clock);
  const verdict = {
    valid,
    mode: content.mode,
    received: content.signature,
    expected: right.signature,
    canonical: right.canonical,
    ...found,
    diagnosis: [...withoutVersion(found.diagnosis, refused), ...refused],
    ...(valid && late && { refused: late }),
    clock,
    warnings: [
      ...(isRight ? readingWarnings(content.readings, options.readings) : []),
      ...nameWarnings(content),
      ...contentWarnings(request, content, withDefaults(options.readings), isRight),
      ...(late ? [late.reason].filter(() => !valid) : clockWarnings(clock, limit)),
    ],
  };
  return { verdict, content, right, signer, isExplained, options };
}

/** Drops mistakes that concern only a refused protocol version: its fix covers them. */
function withoutVersion(
  found: readonly Diagnosis[],
  refused: readonly Diagnosis[],
): readonly Diagnosis[] {
  const version = refused.find(({ id }) => id === 'version');
  const isInVersion = ({ fields }: Diagnosis): boolean =>
    fields.length > 0 && fields.every((name) => version?.fields.includes(name));
  return found.filter((diagnosis) => !isInVersion(diagnosis));
}

interface Inquiry extends Pick<Evidence, 'secret' | 'otherSecrets'> {
  readonly reads: Reads;
  readonly effort: number | undefined;
}

/** The mistakes of a signature, under the reading with the fewest. */
type Found = SearchResult & Pick<Examination, 'content'>;

/** Explains the received signature, and the digest in a text that was sent in place of it. */
function* explainReceived(inquiry: Inquiry): Search<Found & Pick<Examination, 'isExplained'>> {
  const [{ signature }] = inquiry.reads;
  const found = yield* explainDigest(inquiry, signature);
  const isUnknown = found.candidates === 0 && found.complete;
  const text = found.signer ? undefined : signatureText(signature, isUnknown);
  if (text === undefined) return { ...found, isExplained: found.signer !== undefined };
  if (text.digest === undefined) {
    return { ...found, diagnosis: [textDiagnosis(signature, text)], isExplained: isUnknown };
  }
  const inner = yield* explainDigest(inquiry, text.digest);
  const isExplained = inner.signer !== undefined;
  const isRight = isExplained && inner.diagnosis.length === 0;
  const state = `; the digest in it is ${isRight ? 'right' : 'wrong too'}`;
  const diagnosis = [...inner.diagnosis, textDiagnosis(signature, text, state)];
  return { ...inner, diagnosis, isExplained };
}

function* explainDigest(inquiry: Inquiry, signature: string): Search<Found> {
  const { reads, secret } = inquiry;
  const content = rightReading(reads, signature, secret);
  if (content === undefined) return yield* findFewestMistakes(inquiry, signature);
  const signer = rightSigner(content, secret);
  return { content, signer, diagnosis: [], alternatives: [], candidates: 1, complete: true };
}

/**
 * Searches under the default reading. Unless one mistake explains the signature, searches the other
 * readings with half of the effort: the request may be right under them.
 */
function* findFewestMistakes(
  { reads: [usual, ...others], secret, otherSecrets, effort = EFFORTS.normal }: Inquiry,
  signature: string,
): Search<Found> {
  function* search(content: SignedContent, share: number, limit?: number): Search<Found> {
    const evidence = { ...content, signature, secret, otherSecrets };
    const right = rightSigner(content, secret);
    return { content, ...(yield* searchMistakes(right, evidence, share, limit)) };
  }
  let fewest = yield* search(usual, effort);
  let { candidates } = fewest;
  const { complete } = fewest;
  for (const other of others) {
    const count = fewest.signer ? fewest.diagnosis.length : Number.POSITIVE_INFINITY;
    if (count < 2) break;
    // Candidates with few mistakes come first: one found later than the best has no fewer mistakes.
    const share = effort / (2 * others.length);
    const found = yield* search(other, share, fewest.signer && fewest.candidates);
    candidates += found.candidates;
    if (found.signer && found.diagnosis.length < count) fewest = found;
  }
  return { ...fewest, candidates, complete: complete || fewest.signer !== undefined };
}

function namedSecrets(secrets: string | readonly (string | NamedSecret)[]): readonly NamedSecret[] {
  return [secrets].flat().map((given, index) => {
    const { secret, name = `secret ${index + 1}` }: Partial<NamedSecret> =
      typeof given === 'object' ? (given ?? {}) : { secret: given };
    assertText('secret', secret);
    return { name, secret };
  });
}
