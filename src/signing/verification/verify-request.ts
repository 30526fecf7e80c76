import type { Readings } from '../../protocol/readings.ts';
import { secretReplacer } from '../../redaction/secrets.ts';
import { hexText, utf8Bytes } from '../bytes.ts';
import type { CapturedRequest } from '../capture/captured-request.ts';
import { otherReadings, rightCapture } from '../capture/read-capture.ts';
import { unixTime } from '../capture/sent-at.ts';
import { EFFORTS, isLarge, type Search } from '../diagnosis/diagnose.ts';
import type { KnownSecret, NamedSecret } from '../diagnosis/mistake.ts';
import { headerValue } from '../header-mode.ts';
import { SECRET_MARK, secretHider } from '../mask-secret.ts';
import { commonFieldText, type SignedContent, signedContent } from '../received-request.ts';
import type { PlatformRefusal } from './request-checks.ts';
import { compareTheirs, type TheirString } from './their-string.ts';
import { type Examination, examine, type Verdict } from './verify.ts';

export type Effort = keyof typeof EFFORTS;

/** Each field of the signer's string that differs has its own search. */
const THEIR_EFFORTS = { low: EFFORTS.low, normal: EFFORTS.low, high: EFFORTS.normal };

export interface VerifyRequestOptions {
  /** Unix seconds by the own clock. */
  readonly now: number;
  /** The time of sending in Unix seconds, in place of that of the capture. */
  readonly sentAt?: number | undefined;
  readonly maxSkewSeconds?: number | undefined;
  readonly readings: Readings;
  readonly effort: Effort;
}

export interface SecretSource {
  /** The secret of the API key, then others that are at hand. Throws when the secret is missing. */
  readonly first: (apiKey: string | undefined) => Promise<readonly KnownSecret[]>;
  /** Secrets that are costly to load: they are requested only when they may help. */
  readonly others?: (() => Promise<readonly KnownSecret[]>) | undefined;
}

/** Runs a search to its end, and leaves time for other work. */
export type RunSearch = <Result>(search: Search<Result>) => Promise<Result>;

export interface Verification {
  readonly capture: CapturedRequest;
  /** The secret of the request comes first. */
  readonly secrets: readonly NamedSecret[];
  readonly examination: Examination;
  readonly warnings: readonly string[];
  readonly theirs: TheirString | undefined;
  readonly refused: PlatformRefusal | undefined;
  /** With `--last`: the call in one line, and for `--json`. */
  readonly call?: { readonly line: string; readonly document: object } | undefined;
  /** The `--effort` that tries more signers; undefined when none does. */
  readonly moreEffort: 'normal' | 'high' | undefined;
  readonly hide: (text: string) => string;
}

/** Whether the signature is right, and no other reason for a refusal is certain. */
export function isAccepted({ examination, refused }: Verification): boolean {
  return examination.verdict.valid && refused === undefined;
}

/**
 * Verifies a captured request with every known secret (contract section 3). The reading of the
 * capture that explains its signature best counts. `pasted` is the string of another program to
 * compare with. @throws {MopError} `usage` for a request without a valid signature; the errors of
 * `secrets`.
 */
export async function verifyRequest(
  captured: CapturedRequest,
  pasted: string | undefined,
  options: VerifyRequestOptions,
  source: SecretSource,
  run: RunSearch,
): Promise<Verification> {
  const { effort } = options;
  const apiKey = commonFieldText(signedContent(captured), 'api_key');
  const first = await source.first(apiKey);
  const capture = await rightCapture(captured, first[0]?.secret ?? '', options.readings);
  const sentAt = options.sentAt ?? capture.sentAt ?? dateOf(capture);
  const examineWith: ExamineWith = (reading, secrets, limit) =>
    run(examine(reading, secrets, { ...options, sentAt, effort: limit }));

  const examination = await examineWith(capture, first, EFFORTS[effort]);
  let best = await bestReading({ capture, examination }, first, examineWith);
  let secrets = first;
  if (source.others && (!best.examination.isExplained || pasted !== undefined)) {
    secrets = distinct([...first, ...(await source.others())]);
    if (secrets.length > first.length) best = await withOthers(best, secrets, examineWith);
  }
  if (best.capture.doubt && !best.examination.isExplained) throw best.capture.doubt;
  const known = secrets.map(({ secret }) => secret);
  const hide = secretHider(known, SECRET_MARK);
  const compared =
    pasted === undefined
      ? { ...best, theirs: undefined }
      : await run(compareTheirs(pasted, best.examination, known, hide, THEIR_EFFORTS[effort]));
  const { verdict } = compared.examination;
  return {
    hide,
    capture: best.capture,
    secrets,
    examination: compared.examination,
    theirs: compared.theirs,
    refused: verdict.refused,
    warnings: [
      ...best.capture.notes,
      ...verdict.warnings,
      ...keyWarnings(signedContent(best.capture), apiKey, secrets),
      ...searchWarnings(verdict, effort),
    ],
    moreEffort: moreEffort(verdict, effort),
  };
}

type Examined = Pick<Verification, 'capture' | 'examination'>;

type ExamineWith = (
  reading: CapturedRequest,
  secrets: readonly KnownSecret[],
  effort: number,
) => Promise<Examination>;

function dateOf({ headers }: CapturedRequest): number | undefined {
  return unixTime(headerValue(headers, 'Date') ?? '');
}

async function bestReading(
  usual: Examined,
  secrets: readonly KnownSecret[],
  examineWith: ExamineWith,
): Promise<Examined> {
  const { isExplained, verdict } = usual.examination;
  if (isExplained && verdict.diagnosis.length <= 1) return usual;
  let best = usual;
  for (const capture of (await otherReadings(usual.capture)).slice(0, MAX_READINGS)) {
    const examination = await examineWith(capture, secrets, EFFORTS.low);
    if (isBetter(examination, best.examination)) best = { capture, examination };
  }
  return best;
}

const MAX_READINGS = 5;

function isBetter(found: Examination, best: Examination): boolean {
  if (!found.isExplained || !best.isExplained) return found.isExplained;
  return found.verdict.diagnosis.length < best.verdict.diagnosis.length;
}

/** An unexplained signature, examined with further secrets: one rarely occurs with a rare mistake. */
async function withOthers(
  best: Examined,
  secrets: readonly KnownSecret[],
  examineWith: ExamineWith,
): Promise<Examined> {
  if (best.examination.isExplained) return best;
  const examination = await examineWith(best.capture, secrets, EFFORTS.low);
  return examination.isExplained ? { ...best, examination } : best;
}

export function distinct(secrets: readonly KnownSecret[]): readonly KnownSecret[] {
  const seen = new Set<string>();
  return secrets.filter(({ secret }) => !seen.has(secret) && seen.add(secret));
}

function searchWarnings({ alternatives, complete, canonical }: Verdict, effort: Effort): string[] {
  const warnings = alternatives.map(
    (id) => `the mistake ${id} would give this request the same signature`,
  );
  if (complete) return warnings;
  const limit = isLarge(canonical)
    ? 'the request is large: only some single mistakes were tried'
    : `the search reached the limit of --effort ${effort}: not every combination of mistakes was tried`;
  return [...warnings, limit];
}

/** A large request gets the same search with `high` as with `normal`. */
function moreEffort({ canonical }: Verdict, effort: Effort): Verification['moreEffort'] {
  if (isLarge(canonical)) return effort === 'low' ? 'normal' : undefined;
  return effort === 'high' ? undefined : 'high';
}

function keyWarnings(
  content: SignedContent,
  apiKey: string | undefined,
  secrets: readonly KnownSecret[],
): readonly string[] {
  const [own] = secrets;
  const isOther = apiKey !== undefined && (own?.apiKey ?? apiKey) !== apiKey;
  const unknownKey = `the request's api_key is ${apiKey}, which has no known secret`;
  const leak =
    'contains the api secret, which must never be sent: ask the platform to replace the secret';
  const known = secrets.flatMap(({ secret }) => [secret, hexText(utf8Bytes(secret))]);
  const withoutSecrets = secretReplacer(known, SECRET_MARK);
  const leaks = content.fields.filter(
    ({ value }) => value.kind === 'string' && withoutSecrets(value.value) !== value.value,
  );
  return [
    ...(isOther ? [`${unknownKey}; the secret of ${own?.name} was used`] : []),
    ...leaks.map(({ name }) => `${name} ${leak}`),
  ];
}
