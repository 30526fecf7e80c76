import { secretReplacer } from '../../../http/secrets.ts';
import { parseReadings } from '../../../protocol/readings.ts';
import { digest, sortedByName } from '../../../signing/canonical.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
import { pastedCanonical, signedCanonical } from '../../../signing/capture/pasted-canonical.ts';
import { rightReading } from '../../../signing/capture/read-capture.ts';
import { type Comparison, compareCanonical } from '../../../signing/compare.ts';
import { EFFORTS, isLarge } from '../../../signing/diagnosis/diagnose.ts';
import type { KnownSecret, NamedSecret } from '../../../signing/diagnosis/mistake.ts';
import { SECRET_MARK, secretHider } from '../../../signing/mask-secret.ts';
import {
  commonFieldText,
  type SignedContent,
  signedContent,
} from '../../../signing/received-request.ts';
import { type Examination, examine, type Verdict } from '../../../signing/verification/verify.ts';
import {
  allSecrets,
  anySecret,
  distinct,
  type Keyring,
  keyringOf,
  loadedSecrets,
  ownSecret,
  SANDBOX_SECRET,
} from '../../clients/keyring.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import type { Settings } from '../../context/settings.ts';
import { withProgress } from './search-progress.ts';
import { readVerifyInput } from './verify-input.ts';

type Effort = keyof typeof EFFORTS;

export interface VerifyCommandOptions {
  readonly header?: readonly string[];
  readonly entry?: number;
  /** Unix seconds. */
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
  /** With `--last`: the probable reason why the platform refused a right signature. */
  readonly refused?: string | undefined;
  /** The `--effort` that tries more signers; undefined when none does. */
  readonly moreEffort: 'normal' | 'high' | undefined;
  /** Replaces the secrets in a text with {@link SECRET_MARK}. */
  readonly hide: (text: string) => string;
}

/** The canonical string of another program, secrets marked. */
export interface TheirString {
  readonly canonical: string;
  /** Whether its digest, alone or with a known secret, is the received signature. */
  readonly signed: boolean;
  /** Whether escapes, such as those of a URL, were decoded in the pasted text. */
  readonly unescaped: boolean;
  readonly comparison: Comparison;
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
  const { capture, pasted } = await readVerifyInput(request, options, context.io, () =>
    allSecrets(settings, keyring),
  );
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
  const readings = parseReadings(options.reading);
  const apiKey = commonFieldText(signedContent(captured), 'api_key');
  const own = await ownSecret(apiKey, settings, keyring);
  const capture = await rightReading(captured, own.secret, readings);
  const content = signedContent(capture);
  const verifyWith = (known: readonly KnownSecret[], maxEffort: number): Promise<Examination> => {
    const search = examine(capture, known, {
      now: options.now ?? Math.floor(context.io.now() / 1000),
      maxSkewSeconds: options.maxSkew,
      readings,
      effort: maxEffort,
    });
    return withProgress(search, context);
  };

  let secrets = distinct([own, SANDBOX_SECRET]);
  const { effort = 'normal' } = options;
  let examination = await verifyWith(secrets, EFFORTS[effort]);
  // Loading the secret of another profile may run a command: load it only when it may help.
  if (settings.environment !== 'sandbox' && (!examination.signer || pasted !== undefined)) {
    const all = [...secrets, await anySecret(settings, keyring)];
    for await (const known of loadedSecrets(keyring.profiles())) all.push(known);
    const before = secrets.length;
    secrets = distinct(all);
    if (!examination.signer && secrets.length > before) {
      // The wrong secret rarely occurs together with a rare mistake.
      const withOthers = await verifyWith(secrets, EFFORTS.low);
      if (withOthers.signer) examination = withOthers;
    }
  }
  const { verdict } = examination;
  const known = secrets.map(({ secret }) => secret);
  const hide = secretHider(known, SECRET_MARK);
  return {
    hide,
    capture,
    secrets,
    examination,
    warnings: [
      ...capture.notes,
      ...verdict.warnings,
      ...keyWarnings(content, apiKey, secrets),
      ...addressWarnings(capture, verdict, settings),
      ...verdict.alternatives.map(
        (id) => `the mistake ${id} would give this request the same signature`,
      ),
      ...(verdict.complete ? [] : [incompleteWarning(verdict, effort)]),
    ],
    moreEffort: moreEffort(verdict, effort),
    theirs: pasted === undefined ? undefined : theirString(pasted, examination, known, hide),
  };
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
  const warnings: string[] = [];
  const [own] = secrets;
  if (apiKey !== undefined && own?.apiKey !== undefined && own.apiKey !== apiKey) {
    warnings.push(
      `the request's api_key is ${apiKey}, which has no known secret; the secret of ${own.name} was used`,
    );
  }
  const known = secrets.flatMap(({ secret }) => [secret, Buffer.from(secret).toString('hex')]);
  const withoutSecrets = secretReplacer(known, SECRET_MARK);
  for (const { name, value } of content.fields) {
    if (value.kind === 'string' && withoutSecrets(value.value) !== value.value) {
      warnings.push(
        `${name} contains the api secret, which must never be sent: ask the platform to replace the secret`,
      );
    }
  }
  return warnings;
}

/** A warning for a request to an address of another environment. */
function addressWarnings(
  { url }: CapturedRequest,
  { mode }: Verdict,
  settings: Settings,
): readonly string[] {
  const keys = {
    production: mode === 'body' ? 'base_url' : 'open_base_url',
    test: mode === 'body' ? 'test_base_url' : 'open_test_base_url',
  } as const;
  return (['production', 'test'] as const).flatMap((environment) => {
    const address = settings.find(keys[environment])?.value;
    const isOther = environment !== settings.environment;
    return isOther && address !== undefined && url?.startsWith(`${address.replace(/\/+$/, '')}/`)
      ? [`the request went to ${keys[environment]}, but the environment is ${settings.environment}`]
      : [];
  });
}

/** The right pairs, sorted by name, with the secrets marked. */
export function rightPairs({ right }: Examination, hide: Verification['hide']) {
  return sortedByName(right.entries).map(({ name, value }) => ({
    name: hide(name),
    value: hide(value),
  }));
}

function theirString(
  pasted: string,
  examination: Examination,
  secrets: readonly string[],
  hide: Verification['hide'],
): TheirString {
  const { canonical, received } = examination.verdict;
  const isSigned = (text: string): boolean =>
    ['', ...secrets].some((secret) => digest(text, secret) === received.toUpperCase());
  const signed = signedCanonical(pasted, canonical, secrets, isSigned);
  // Hide secrets first: parsing may split a secret, and marks of differences may interrupt it.
  const [hidden, ours] = [hide(pasted), hide(canonical)];
  const theirs =
    signed === undefined ? pastedCanonical(hidden, ours, [SECRET_MARK, ...secrets]) : hide(signed);
  return {
    canonical: theirs,
    signed: signed !== undefined,
    unescaped: !hidden.includes(theirs),
    comparison: compareCanonical(theirs, rightPairs(examination, hide)),
  };
}
