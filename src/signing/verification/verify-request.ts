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

/** The extent of the search for mistakes. */
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

/** The secrets that a signer may have used. */
export interface SecretSource {
  /** The secret of the API key, then others that are at hand. Throws when the secret is missing. */
  readonly first: (apiKey: string | undefined) => Promise<readonly KnownSecret[]>;
  /** Secrets that are costly to load: they are requested only when they may help. */
  readonly others?: (() => Promise<readonly KnownSecret[]>) | undefined;
}

/** Runs a search to its end, and leaves time for other work. */
export type RunSearch = <Result>(search: Search<Result>) => Promise<Result>;

/** A verdict with its input and its warnings. */
export interface Verification {
  readonly capture: CapturedRequest;
  /** The secret of the request comes first. */
  readonly secrets: readonly NamedSecret[];
  readonly examination: Examination;
  /** Warnings about the capture, the verdict, the key and the address. */
  readonly warnings: readonly string[];
  readonly theirs: TheirString | undefined;
  /** The certain reason why the platform refuses a right signature. */
  readonly refused: PlatformRefusal | undefined;
  /** With `--last`: the call in one line, and for `--json`. */
  readonly call?: { readonly line: string; readonly document: object } | undefined;
  /** The `--effort` that tries more signers; undefined when none does. */
  readonly moreEffort: 'normal' | 'high' | undefined;
  /** Replaces the secrets in a text with {@link SECRET_MARK}. */
  readonly hide: (text: string) => string;
}

/** Whether the signature is right, and no other reason for a refusal is certain. */
export function isAccepted({ examination, refused }: Verification): boolean {
  return examination.verdict.valid && refused === undefined;
}

/**
 * Verifies a captured request with every known secret (contract section 3), under the reading of the
 * capture that explains its signature best.
 *
 * @param pasted The string of another program to compare with, if there is one.
 * @throws {MopError} `usage` for a request without a valid signature; the errors of `secrets`.
 */
export async function verifyRequest(
  captured: CapturedRequest,
  pasted: string | undefined,
  { effort, now, maxSkewSeconds, readings, sentAt }: VerifyRequestOptions,
  source: SecretSource,
  run: RunSearch,
): Promise<Verification> {
  const apiKey = commonFieldText(signedContent(captured), 'api_key');
  let secrets = await source.first(apiKey);
  let capture = await rightCapture(captured, secrets[0]?.secret ?? '', readings);
  const options = {
    now,
    sentAt: sentAt ?? capture.sentAt ?? unixTime(headerValue(capture.headers, 'Date') ?? ''),
    maxSkewSeconds,
    readings,
  };
  const verifyWith = (reading: CapturedRequest, maxEffort: number): Promise<Examination> =>
    run(examine(reading, secrets, { ...options, effort: maxEffort }));

  let examination = await verifyWith(capture, EFFORTS[effort]);
  if (!examination.isExplained || examination.verdict.diagnosis.length > 1) {
    for (const reading of (await otherReadings(capture)).slice(0, MAX_READINGS)) {
      const found = await verifyWith(reading, EFFORTS.low);
      if (!isBetter(found, examination)) continue;
      capture = reading;
      examination = found;
    }
  }
  if (source.others && (!examination.isExplained || pasted !== undefined)) {
    const before = secrets.length;
    secrets = distinct([...secrets, ...(await source.others())]);
    if (!examination.isExplained && secrets.length > before) {
      // The wrong secret rarely occurs together with a rare mistake.
      const withOthers = await verifyWith(capture, EFFORTS.low);
      if (withOthers.isExplained) examination = withOthers;
    }
  }
  if (capture.doubt && !examination.isExplained) throw capture.doubt;
  const known = secrets.map(({ secret }) => secret);
  const hide = secretHider(known, SECRET_MARK);
  let theirs: TheirString | undefined;
  if (pasted !== undefined) {
    const search = compareTheirs(pasted, examination, known, hide, THEIR_EFFORTS[effort]);
    ({ theirs, examination } = await run(search));
  }
  const { verdict } = examination;
  return {
    hide,
    capture,
    secrets,
    examination,
    refused: verdict.refused,
    warnings: [
      ...capture.notes,
      ...verdict.warnings,
      ...keyWarnings(signedContent(capture), apiKey, secrets),
      ...verdict.alternatives.map(
        (id) => `the mistake ${id} would give this request the same signature`,
      ),
      ...(verdict.complete ? [] : [incompleteWarning(verdict, effort)]),
    ],
    moreEffort: moreEffort(verdict, effort),
    theirs,
  };
}

/** Maximum number of other readings that are searched for mistakes. */
const MAX_READINGS = 5;

/** Whether an examination explains its signature with fewer mistakes than another. */
function isBetter(found: Examination, best: Examination): boolean {
  if (!found.isExplained || !best.isExplained) return found.isExplained;
  return found.verdict.diagnosis.length < best.verdict.diagnosis.length;
}

/** Drops secrets that occur before. */
export function distinct(secrets: readonly KnownSecret[]): readonly KnownSecret[] {
  const seen = new Set<string>();
  return secrets.filter(({ secret }) => !seen.has(secret) && seen.add(secret));
}

function incompleteWarning({ canonical }: Verdict, effort: Effort): string {
  return isLarge(canonical)
    ? 'the request is large: only some single mistakes were tried'
    : `the search reached the limit of --effort ${effort}: not every combination of mistakes was tried`;
}

/** A large request gets the same search with `high` as with `normal`. */
function moreEffort({ canonical }: Verdict, effort: Effort): Verification['moreEffort'] {
  if (isLarge(canonical)) return effort === 'low' ? 'normal' : undefined;
  return effort === 'high' ? undefined : 'high';
}

/** Warnings about the key and the secret, independent of the signature. */
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
