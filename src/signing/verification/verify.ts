import { MopError } from '../../errors.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../protocol/limits.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import type { Readings } from '../../protocol/readings.ts';
import { assertOptions, assertSecret } from '../check-arguments.ts';
import {
  type Diagnosis,
  EFFORTS,
  runSearch,
  type Search,
  type SearchResult,
  searchMistakes,
} from '../diagnosis/diagnose.ts';
import type { NamedSecret } from '../diagnosis/mistake.ts';
import { rightSigner, type Signer } from '../diagnosis/signer.ts';
import { explainContent, readSigned, type SignatureExplanation } from '../explain.ts';
import type { ReadContent } from '../read-contents.ts';
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
import { type SignatureText, signatureText } from './signature-text.ts';

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

/** A verdict, with the signer that reproduces the received signature. */
export interface Examination {
  readonly verdict: Verdict;
  /** The request under the reading of the verdict. */
  readonly content: SignedContent;
  readonly right: SignatureExplanation;
  /** The readings that a right signature depends on, and that nobody chose. */
  readonly assumed: Readings;
  /** Contains the secret: do not print it. Undefined when no signer was found. */
  readonly signer: Signer | undefined;
  /** Whether the diagnosis explains the signature. A text in place of a digest has no signer. */
  readonly isExplained: boolean;
  /** The options of the examination. */
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
 * import {
 *   type ClockCheck,
 *   type Diagnosis,
 *   type DiagnosisId,
 *   type NamedSecret,
 *   type Readings,
 *   type ReceivedRequest,
 *   signBody,
 *   type Verdict,
 *   type VerifyOptions,
 *   verifySignature,
 * } from 'mop-cli/signing';
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
export function examineSignature(
  request: ReceivedRequest,
  secrets: string | readonly (string | NamedSecret)[],
  options: VerifyOptions = {},
): Examination {
  return runSearch(examine(request, secrets, options));
}

/** {@link examineSignature} in steps: a program can do other work during a long search. */
export function* examine(
  request: ReceivedRequest,
  secrets: string | readonly (string | NamedSecret)[],
  options: VerifyOptions,
): Search<Examination> {
  const [own, ...others] = namedSecrets(secrets);
  if (own === undefined) {
    throw new MopError('usage', 'there is no secret to verify with', {
      hint: 'pass at least one secret',
    });
  }
  assertOptions('options', options);
  const { readings, effort } = options;
  const signed = readSigned(request, own.secret, readings);
  const isRight = signed.right.signature === signed.content.signature;
  const { content, signer, isExplained, ...found } = isRight
    ? { ...NO_MISTAKES, content: signed.content, signer: rightSigner(signed.content, own.secret) }
    : yield* explainWrong([signed, ...signed.others], own.secret, others, effort);
  const right = explainContent(content, own.secret);
  const { mode, signature: received } = content;
  const refusedAlways = refusals(request, content).filter(
    ({ id }) => !found.diagnosis.some((other) => other.id === id),
  );
  const valid = isRight && refusedAlways.length === 0;
  const limit = options.maxSkewSeconds ?? MAX_CLOCK_SKEW_SECONDS;
  const now = options.sentAt ?? options.now ?? Math.floor(freshFields.now() / 1000);
  const clock = checkClock(content, now, limit);
  const late = options.sentAt === undefined ? undefined : timestampRefusal(clock);
  const assumed = isRight ? signed.assumed : {};
  const verdict = {
    valid,
    mode,
    received,
    expected: right.signature,
    canonical: right.canonical,
    ...found,
    diagnosis: [...withoutVersion(found.diagnosis, refusedAlways), ...refusedAlways],
    ...(valid && late && { refused: late }),
    clock,
    warnings: [
      ...readingWarnings(assumed),
      ...nameWarnings(content),
      ...contentWarnings(request, content, signed.readings),
      ...(late ? [late.reason].filter(() => !valid) : clockWarnings(clock, limit)),
    ],
  };
  return { verdict, content, right, assumed, signer, isExplained, options };
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

const NO_MISTAKES = {
  diagnosis: [],
  alternatives: [],
  candidates: 1,
  complete: true,
  isExplained: true,
};

/** {@link findFewestMistakes}, where the signature may be a text in place of a digest. */
function* explainWrong(
  reads: readonly [ReadContent, ...ReadContent[]],
  secret: string,
  otherSecrets: readonly NamedSecret[],
  effort: number | undefined,
): Search<SearchResult & Pick<Examination, 'content' | 'isExplained'>> {
  const found = yield* findFewestMistakes(reads, secret, otherSecrets, effort);
  const isExplained = found.signer !== undefined;
  const isUnknown = found.candidates === 0;
  const { signature } = found.content;
  const text = isExplained ? undefined : signatureText(signature, isUnknown);
  if (text === undefined) return { ...found, isExplained };
  if (text.digest === undefined) {
    return { ...found, diagnosis: [textDiagnosis(signature, text, '')], isExplained: isUnknown };
  }
  const { digest } = text;
  const withDigest = ({ content, assumed }: ReadContent): ReadContent => ({
    content: { ...content, signature: digest },
    assumed,
  });
  const right = reads.find(({ content }) => explainContent(content, secret).signature === digest);
  const [usual, ...others] = reads;
  const inner = right
    ? { ...NO_MISTAKES, ...right, signer: rightSigner(right.content, secret) }
    : yield* findFewestMistakes(
        [withDigest(usual), ...others.map(withDigest)],
        secret,
        otherSecrets,
        effort,
      );
  const state = `; the digest in it is ${right ? 'right' : 'wrong too'}`;
  return {
    ...inner,
    content: { ...inner.content, signature },
    diagnosis: [...inner.diagnosis, textDiagnosis(signature, text, state)],
    isExplained: inner.signer !== undefined,
  };
}

function textDiagnosis(signature: string, { kind, fix }: SignatureText, state: string): Diagnosis {
  const start = signature.length > 60 ? `${signature.slice(0, 50)}…` : signature;
  const shown = /["\p{Cc}]/u.test(start) ? start.replace(/\p{Cc}/gu, '\ufffd') : `"${start}"`;
  return {
    id: 'signature-format',
    title: `the signature ${shown} is ${kind}${state}`,
    fields: [],
    fix,
  };
}

/**
 * Searches under the default reading. Unless one mistake explains the signature, searches the other
 * readings, under which the request may be right. They share half of the effort. The result
 * is complete if a signer was found, or the search under the default reading is complete.
 */
function* findFewestMistakes(
  [usual, ...others]: readonly [ReadContent, ...ReadContent[]],
  secret: string,
  otherSecrets: readonly NamedSecret[],
  effort: number = EFFORTS.normal,
): Search<SearchResult & Pick<Examination, 'content'>> {
  function* search({ content }: ReadContent, share: number, limit?: number) {
    const evidence = { ...content, secret, otherSecrets };
    const found = yield* searchMistakes(rightSigner(content, secret), evidence, share, limit);
    return { content, ...found };
  }
  let fewest = yield* search(usual, effort);
  const { complete } = fewest;
  let { candidates } = fewest;
  const share = effort / (2 * others.length);
  for (const other of others) {
    const count = fewest.signer ? fewest.diagnosis.length : Number.POSITIVE_INFINITY;
    if (count < 2) break;
    // Candidates with few mistakes come first: one found later than the best has no fewer mistakes.
    const found = yield* search(other, share, fewest.signer && fewest.candidates);
    candidates += found.candidates;
    if (found.signer && found.diagnosis.length < count) fewest = found;
  }
  return { ...fewest, candidates, complete: complete || fewest.signer !== undefined };
}

function namedSecrets(secrets: string | readonly (string | NamedSecret)[]): readonly NamedSecret[] {
  const list = Array.isArray(secrets) ? (secrets as readonly (string | NamedSecret)[]) : [secrets];
  return list.map((given, index) => {
    const named = typeof given === 'object' ? (given as NamedSecret | null) : undefined;
    const secret = named ? named.secret : given;
    assertSecret(secret);
    return { name: named?.name ?? `secret ${index + 1}`, secret };
  });
}
