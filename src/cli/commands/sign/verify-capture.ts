import { withoutEnd } from '../../../any-length.ts';
import { parseReadings } from '../../../protocol/readings.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
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
import type { Settings } from '../../context/settings.ts';
import { withProgress } from './search-progress.ts';
import { readVerifyInput } from './verify-input.ts';

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
  const loadSecrets = async () => (await allSecrets(settings, keyring)).map(({ secret }) => secret);
  const { capture, pasted } = await readVerifyInput(request, options, context.io, loadSecrets);
  return verifyRead(capture, pasted, options, keyring, context);
}

/**
 * Verifies a request that was read, against the string of another program if there is one.
 *
 * @throws {MopError} `config` without a secret.
 */
export async function verifyRead(
  capture: CapturedRequest,
  pasted: string | undefined,
  options: VerifyCommandOptions,
  keyring: Keyring,
  context: Context,
): Promise<Verification> {
  const settings = settingsOf(context);
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
