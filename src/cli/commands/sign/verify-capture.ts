import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutEnd } from '../../../any-length.ts';
import { MopError, quoted } from '../../../errors.ts';
import { parseReadings } from '../../../protocol/readings.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
import {
  type CaptureOptions,
  readCaptures,
  type SignedEntry,
} from '../../../signing/capture/read-capture.ts';
import { type Comparison, readComparison } from '../../../signing/capture/read-comparison.ts';
import type { Search } from '../../../signing/diagnosis/diagnose.ts';
import type { Verdict } from '../../../signing/verification/verify.ts';
import {
  distinct,
  type Effort,
  type SecretSource,
  type Verification,
  verifyRequest,
} from '../../../signing/verification/verify-request.ts';
import {
  allSecrets,
  type Keyring,
  keyringOf,
  ownSecret,
  SANDBOX_SECRET,
} from '../../clients/keyring.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import {
  argumentBytes,
  argumentText,
  inputBytes,
  isFileName,
  isStdin,
  limitOf,
  withArgumentHint,
} from '../../context/input.ts';
import type { Io } from '../../context/io.ts';
import { parseHeader } from '../../context/request-content.ts';
import type { Settings } from '../../context/settings.ts';
import { endedBySignals } from '../../context/signals.ts';
import { openSpinner } from '../../context/spinner.ts';

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

/** Verifies a captured request with every known secret. */
export async function verifyCapture(
  request: string,
  options: VerifyCommandOptions,
  context: Context,
): Promise<Verification> {
  const settings = settingsOf(context);
  const keyring = keyringOf(settings, context);
  const loadSecrets = async () => (await allSecrets(settings, keyring)).map(({ secret }) => secret);
  const { capture, pasted } = await readVerifyInput(request, options, context.io, loadSecrets);
  return verifyRead(capture, pasted, options, { settings, keyring }, context);
}

export interface KnownSettings {
  readonly settings: Settings;
  readonly keyring: Keyring;
}

/** Verifies a request that was read, against the string of another program if there is one. */
export async function verifyRead(
  capture: CapturedRequest,
  pasted: string | undefined,
  options: VerifyCommandOptions,
  { settings, keyring }: KnownSettings,
  context: Context,
): Promise<Verification> {
  const verifyOptions = {
    now: Math.floor(context.io.now() / 1000),
    sentAt: options.now,
    maxSkewSeconds: options.maxSkew,
    readings: parseReadings(options.reading),
    effort: options.effort ?? 'normal',
  };
  const verification = await verifyRequest(
    capture,
    pasted,
    verifyOptions,
    secretSource(settings, keyring),
    (search) => withProgress(search, context),
  );
  const { verdict } = verification.examination;
  const warnings = addressWarnings(verification.capture, verdict, settings);
  return { ...verification, warnings: [...verification.warnings, ...warnings] };
}

function secretSource(settings: Settings, keyring: Keyring): SecretSource {
  return {
    first: async (apiKey) => distinct([await ownSecret(apiKey, settings, keyring), SANDBOX_SECRET]),
    // Loading the secret of another profile may run a command.
    others: settings.environment === 'sandbox' ? undefined : () => allSecrets(settings, keyring),
  };
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

/** Most searches end earlier. */
const PROGRESS_AFTER_MS = 1000;

/** Runs a search in steps, which Ctrl-C can interrupt. A terminal shows progress after a second. */
async function withProgress<Result>(search: Search<Result>, context: Context): Promise<Result> {
  const start = context.io.now();
  let spinner: Awaited<ReturnType<typeof openSpinner>>;
  try {
    for (;;) {
      await nextTurn();
      context.io.signal.throwIfAborted();
      const { done, value } = search.next();
      if (done) return value;
      const isShown = spinner !== undefined;
      if (!isShown && context.io.now() - start > PROGRESS_AFTER_MS)
        spinner = await openSpinner(context);
      if (spinner) spinner.text = `${value.toLocaleString('en')} ways to sign tried`;
      // The first frame must have a text: the search may end before the next one.
      if (!isShown) spinner?.start();
    }
  } finally {
    spinner?.stop();
  }
}

export const CAPTURE_LIMIT = limitOf(
  256,
  'save only the request to verify, for example with Copy as cURL in the browser',
);

interface InputOptions {
  readonly header?: readonly string[];
  readonly entry?: number;
  readonly theirs?: string;
}

/**
 * Reads REQUEST and `--theirs`, in either order. Lines of the request's text that contain a
 * canonical string count as `--theirs`.
 */
async function readVerifyInput(
  request: string,
  options: InputOptions,
  io: Io,
  loadSecrets: () => Promise<readonly string[]>,
): Promise<Comparison> {
  if (isStdin(request) && options.theirs !== undefined && isStdin(options.theirs)) {
    throw new MopError('usage', 'the request and --theirs cannot both be read from stdin', {
      hint: 'give one of them as @FILE',
    });
  }
  const input = await argumentBytes(request, io, CAPTURE_LIMIT);
  const pasted = await readTheirs(options.theirs, io);
  return endedBySignals(() =>
    withArgumentHint(request, () =>
      readComparison(input, pasted, captureOptions(options, io), loadSecrets),
    ),
  );
}

/** Reads every signed request of REQUEST. */
export async function readEveryRequest(
  request: string,
  options: InputOptions,
  io: Io,
): Promise<readonly SignedEntry[]> {
  const input = await argumentBytes(request, io, CAPTURE_LIMIT);
  return endedBySignals(() =>
    withArgumentHint(request, () => readCaptures(input, captureOptions(options, io))),
  );
}

function captureOptions({ entry, header }: InputOptions, io: Io): CaptureOptions {
  return {
    entry,
    headers: header?.map(parseHeader),
    readFile: (path) => inputBytes(path, io, CAPTURE_LIMIT),
  };
}

async function readTheirs(theirs: string | undefined, io: Io): Promise<string | undefined> {
  if (theirs === undefined) return undefined;
  if (await isFileName(theirs)) {
    throw new MopError('usage', `--theirs ${JSON.stringify(theirs)} is the name of a file`, {
      hint: quoted`write --theirs @${theirs}`,
    });
  }
  const pasted = await argumentText(theirs, io);
  if (pasted.trim() !== '') return pasted;
  throw new MopError('usage', '--theirs is empty', {
    hint: 'pass the string that the signer printed before it took the digest',
  });
}
