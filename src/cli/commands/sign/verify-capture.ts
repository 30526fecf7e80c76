import { withoutEnd } from '../../../any-length.ts';
import { parseReadings } from '../../../protocol/readings.ts';
import { secretReplacer } from '../../../redaction/secrets.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
import { otherReadings, rightCapture } from '../../../signing/capture/read-capture.ts';
import { EFFORTS, isLarge } from '../../../signing/diagnosis/diagnose.ts';
import type { KnownSecret, NamedSecret } from '../../../signing/diagnosis/mistake.ts';
import { headerValue } from '../../../signing/header-mode.ts';
import { SECRET_MARK, secretHider } from '../../../signing/mask-secret.ts';
import {
  commonFieldText,
  type SignedContent,
  signedContent,
} from '../../../signing/received-request.ts';
import type { PlatformRefusal } from '../../../signing/verification/request-checks.ts';
import { type Examination, examine, type Verdict } from '../../../signing/verification/verify.ts';
import {
  allSecrets,
  distinct,
  type Keyring,
  keyringOf,
  ownSecret,
  SANDBOX_SECRET,
} from '../../clients/keyring.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import type { Settings } from '../../context/settings.ts';
import { withProgress } from './search-progress.ts';
import { compareTheirs, type TheirString } from './their-string.ts';
import { readVerifyInput } from './verify-input.ts';

type Effort = keyof typeof EFFORTS;

/** Each field of `--theirs` that differs has its own search. */
const THEIR_EFFORTS = { low: EFFORTS.low, normal: EFFORTS.low, high: EFFORTS.normal };

export interface VerifyCommandOptions {
  readonly header?: readonly string[];
  readonly entry?: number;
  /** The time of sending, in Unix seconds. */
  readonly now?: number;
  /** Seconds. */
  readonly maxSkew?: number;
  readonly theirs?: string;
  readonly reading?: readonly string[];
  readonly effort?: Effort;
}

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
 * Verifies a captured request with every known secret.
 *
 * @param request The capture as text, `@FILE`, or `-`.
 * @throws {MopError} `usage` for a capture that cannot be read, `config` without a secret.
 */
export async function verifyCapture(
  request: string,
  options: VerifyCommandOptions,
  context: Context,
): Promise<Verification> {
  const settings = settingsOf(context);
  const keyring = keyringOf(context);
  const loadSecrets = async () => secretsOf(await allSecrets(settings, keyring));
  const { capture, pasted } = await readVerifyInput(request, options, context.io, loadSecrets);
  return verifyRequest(capture, pasted, options, keyring, context);
}

/**
 * Verifies a request that was read, against the string of another program if there is one.
 *
 * @throws {MopError} `config` without a secret.
 */
export async function verifyRequest(
  captured: CapturedRequest,
  pasted: string | undefined,
  options: VerifyCommandOptions,
  keyring: Keyring,
  context: Context,
): Promise<Verification> {
  const settings = settingsOf(context);
  const { effort = 'normal' } = options;
  const readings = parseReadings(options.reading);
  const apiKey = commonFieldText(signedContent(captured), 'api_key');
  const own = await ownSecret(apiKey, settings, keyring);
  let capture = await rightCapture(captured, own.secret, readings);
  const verifyOptions = {
    now: Math.floor(context.io.now() / 1000),
    sentAt: options.now ?? capture.sentAt ?? dateOf(capture),
    maxSkewSeconds: options.maxSkew,
    readings,
  };
  const verifyWith = (
    reading: CapturedRequest,
    known: readonly KnownSecret[],
    maxEffort: number,
  ): Promise<Examination> =>
    withProgress(examine(reading, known, { ...verifyOptions, effort: maxEffort }), context);

  let secrets = distinct([own, SANDBOX_SECRET]);
  let examination = await verifyWith(capture, secrets, EFFORTS[effort]);
  if (!examination.isExplained || examination.verdict.diagnosis.length > 1) {
    for (const reading of (await otherReadings(capture)).slice(0, MAX_READINGS)) {
      const found = await verifyWith(reading, secrets, EFFORTS.low);
      if (!isBetter(found, examination)) continue;
      capture = reading;
      examination = found;
    }
  }
  // Loading the secret of another profile may run a command: load it only when it may help.
  if (settings.environment !== 'sandbox' && (!examination.isExplained || pasted !== undefined)) {
    const before = secrets.length;
    secrets = distinct([...secrets, ...(await allSecrets(settings, keyring))]);
    if (!examination.isExplained && secrets.length > before) {
      // The wrong secret rarely occurs together with a rare mistake.
      const withOthers = await verifyWith(capture, secrets, EFFORTS.low);
      if (withOthers.isExplained) examination = withOthers;
    }
  }
  if (capture.doubt && !examination.isExplained) throw capture.doubt;
  const known = secretsOf(secrets);
  const hide = secretHider(known, SECRET_MARK);
  let theirs: TheirString | undefined;
  if (pasted !== undefined) {
    const search = compareTheirs(pasted, examination, known, hide, THEIR_EFFORTS[effort]);
    ({ theirs, examination } = await withProgress(search, context));
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
      ...addressWarnings(capture, verdict, settings),
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

function secretsOf(known: readonly KnownSecret[]): readonly string[] {
  return known.map(({ secret }) => secret);
}

/** The `Date` header in Unix seconds; it always has a time zone. */
function dateOf({ headers }: CapturedRequest): number | undefined {
  const seconds = Math.floor(Date.parse(headerValue(headers, 'Date') ?? '') / 1000);
  return Number.isNaN(seconds) ? undefined : seconds;
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
  const known = secrets.flatMap(({ secret }) => [secret, Buffer.from(secret).toString('hex')]);
  const withoutSecrets = secretReplacer(known, SECRET_MARK);
  const leaks = content.fields.filter(
    ({ value }) => value.kind === 'string' && withoutSecrets(value.value) !== value.value,
  );
  return [
    ...(isOther ? [`${unknownKey}; the secret of ${own?.name} was used`] : []),
    ...leaks.map(({ name }) => `${name} ${leak}`),
  ];
}

/** A warning for a request to an address of another environment. */
function addressWarnings(
  { url }: CapturedRequest,
  { mode }: Verdict,
  settings: Settings,
): readonly string[] {
  const { environment } = settings;
  const keys = {
    production: mode === 'body' ? 'base_url' : 'open_base_url',
    test: mode === 'body' ? 'test_base_url' : 'open_test_base_url',
  } as const;
  return (['production', 'test'] as const)
    .filter((other) => {
      const address = settings.find(keys[other])?.value;
      return other !== environment && address && url?.startsWith(`${withoutEnd(address, '/')}/`);
    })
    .map((other) => `the request went to ${keys[other]}, but the environment is ${environment}`);
}
