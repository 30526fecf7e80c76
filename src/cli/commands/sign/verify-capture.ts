import { buffer } from 'node:stream/consumers';
import { MopError } from '../../../errors.ts';
import { parseReadings } from '../../../protocol/readings.ts';
import { SANDBOX_CREDENTIALS } from '../../../protocol/sandbox.ts';
import { digest } from '../../../signing/canonical.ts';
import type { CapturedRequest } from '../../../signing/capture/captured-request.ts';
import { type CaptureOptions, readCapture } from '../../../signing/capture/read-capture.ts';
import { type Comparison, compareCanonical, pastedCanonical } from '../../../signing/compare.ts';
import type { NamedSecret } from '../../../signing/diagnosis/mistake.ts';
import { hideSecrets, SECRET_MARK } from '../../../signing/mask-secret.ts';
import { claimed, type SignedContent, signedContent } from '../../../signing/received-request.ts';
import {
  type Examination,
  examineSignature,
  type Verdict,
} from '../../../signing/verification/verify.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import {
  argumentChunks,
  inputChunks,
  isFileName,
  isStdin,
  parsedArgument,
  readText,
} from '../../context/input.ts';
import { parseHeader } from '../../context/request-content.ts';
import {
  loadSecretInForce,
  type ProfileSecret,
  profileSecrets,
  secretSource,
} from '../../context/secret.ts';
import type { Settings } from '../../context/settings.ts';

export interface VerifyOptions {
  readonly header?: readonly string[];
  readonly entry?: number;
  /** Unix seconds. */
  readonly now?: number;
  /** Seconds. */
  readonly maxSkew?: number;
  readonly theirs?: string;
  readonly reading?: readonly string[];
}

/** A verdict with all that it rests on, and all there is to say besides. */
export interface Verification {
  readonly capture: CapturedRequest;
  /** First the one that belongs to the request. */
  readonly secrets: readonly NamedSecret[];
  readonly examination: Examination;
  /** All that a person should know besides. */
  readonly warnings: readonly string[];
  readonly theirs: TheirString | undefined;
  /** Puts {@link SECRET_MARK} for the secrets in a text. */
  readonly hide: (text: string) => string;
}

/** The canonical string of another program, secrets marked. */
export interface TheirString {
  readonly canonical: string;
  /** Whether it gives the signature that was received, by itself or with one of the secrets. */
  readonly signed: boolean;
  readonly comparison: Comparison;
}

/**
 * Verifies a captured request with every secret that there is.
 *
 * @param request The capture as text, `@FILE`, or `-`.
 * @throws {MopError} `usage` for a capture that cannot be read, `config` without a secret.
 */
export async function verifyCapture(
  request: string,
  options: VerifyOptions,
  context: Context,
): Promise<Verification> {
  const { io } = context;
  if (isStdin(request) && options.theirs !== undefined && isStdin(options.theirs)) {
    throw new MopError('usage', 'the request and --theirs cannot both be read from stdin', {
      hint: 'give one of them as @FILE',
    });
  }
  const capture = await capturedBy(readCapture, request, options, context);
  if (options.theirs !== undefined && (await isFileName(options.theirs))) {
    throw new MopError(
      'usage',
      `--theirs ${JSON.stringify(options.theirs)} is the name of a file`,
      {
        hint: `write --theirs @${options.theirs}`,
      },
    );
  }
  const pasted = options.theirs === undefined ? undefined : await readText(options.theirs, io);
  if (pasted?.trim() === '') {
    throw new MopError('usage', '--theirs is empty', {
      hint: 'give the string that the signer printed before it took the digest',
    });
  }
  return verifyRequest(capture, pasted, options, keyringOf(context), context);
}

/** Reads the capture that an argument gives, with the files that it names. */
export async function capturedBy<T>(
  read: (input: Uint8Array, options: CaptureOptions) => Promise<T>,
  request: string,
  { entry, header }: VerifyOptions,
  { io }: Context,
): Promise<T> {
  const headers = header?.map(parseHeader);
  const input = await buffer(argumentChunks(request, io));
  const readFile = (path: string) => buffer(inputChunks(path, io));
  return parsedArgument(request, () => read(input, { entry, headers, readFile }));
}

/** Verifies a request that was read, against the string of another program if there is one. */
export async function verifyRequest(
  capture: CapturedRequest,
  pasted: string | undefined,
  options: VerifyOptions,
  keyring: Keyring,
  context: Context,
): Promise<Verification> {
  const settings = settingsOf(context);
  const readings = parseReadings(options.reading);
  const content = signedContent(capture);
  const apiKey = claimed(content, 'api_key');
  const examine = (secrets: readonly KnownSecret[]): Examination =>
    examineSignature(capture, secrets, {
      now: options.now ?? Math.floor(context.io.now() / 1000),
      maxSkewSeconds: options.maxSkew,
      readings,
    });

  let secrets = distinct([await ownSecret(apiKey, settings, keyring), SANDBOX]);
  let examination = examine(secrets);
  // Other profiles may keep theirs behind a command: they are asked only when it takes them.
  if (settings.environment !== 'sandbox' && (!examination.signer || pasted !== undefined)) {
    const all = [...secrets];
    for await (const known of loadedSecrets(keyring.profiles())) all.push(known);
    const before = secrets.length;
    secrets = distinct(all);
    if (!examination.signer && secrets.length > before) examination = examine(secrets);
  }
  const { verdict } = examination;
  const known = secrets.map(({ secret }) => secret);
  const hide = (text: string): string => hideSecrets(text, known, SECRET_MARK);
  return {
    hide,
    capture,
    secrets,
    examination,
    warnings: [
      ...capture.notes,
      ...verdict.warnings,
      ...keyWarnings(content, apiKey, secrets, hide),
      ...addressWarnings(capture, verdict, settings),
      ...verdict.alternatives.map((id) => `with this request, ${id} gives the same bytes`),
      ...(verdict.complete ? [] : ['the search ended early: not all ways to sign were tried']),
    ],
    theirs: pasted === undefined ? undefined : await theirString(pasted, verdict, known, hide),
  };
}

/** The secrets, each loaded once for all requests: a command may ask a person for one. */
export interface Keyring {
  readonly inForce: () => Promise<string>;
  readonly profiles: () => readonly ProfileSecret[];
}

export function keyringOf(context: Context): Keyring {
  return {
    inForce: once(() => loadSecretInForce(settingsOf(context), context)),
    profiles: once(() =>
      profileSecrets(context).map((profile) => ({ ...profile, load: once(profile.load) })),
    ),
  };
}

function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** A secret that may have been used, and the api_key that it belongs to. */
interface KnownSecret extends NamedSecret {
  readonly apiKey: string | undefined;
}

const SANDBOX: KnownSecret = { name: 'the sandbox', ...SANDBOX_CREDENTIALS };

/** The secret that belongs to the request's api_key; without one, that in force, or any. */
async function ownSecret(
  apiKey: string | undefined,
  settings: Settings,
  keyring: Keyring,
): Promise<KnownSecret> {
  if (settings.environment === 'sandbox') return SANDBOX;
  const keyInForce = settings.find('api_key')?.value;
  const profiles = keyring.profiles();
  if (apiKey !== undefined && apiKey !== keyInForce) {
    const own = await firstSecret(profiles.filter((known) => known.apiKey === apiKey));
    if (own) return own;
  }
  try {
    const secret = await keyring.inForce();
    return { name: secretSource(settings), apiKey: keyInForce, secret };
  } catch (error) {
    const other = isMissing(error) ? await firstSecret(profiles) : undefined;
    if (other) return other;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof MopError && error.code === 'config';
}

async function firstSecret(profiles: readonly ProfileSecret[]): Promise<KnownSecret | undefined> {
  for await (const known of loadedSecrets(profiles)) return known;
  return undefined;
}

/** The secrets of profiles, without those that cannot be loaded. */
async function* loadedSecrets(profiles: readonly ProfileSecret[]): AsyncGenerator<KnownSecret> {
  for (const { profile, apiKey, load } of profiles) {
    const secret = await load();
    if (secret !== undefined) yield { name: `profile ${profile}`, apiKey, secret };
  }
}

function distinct(secrets: readonly KnownSecret[]): readonly KnownSecret[] {
  const seen = new Set<string>();
  return secrets.filter(({ secret }) => !seen.has(secret) && seen.add(secret));
}

/** What is wrong about the key and the secret, whatever the signature. */
function keyWarnings(
  content: SignedContent,
  apiKey: string | undefined,
  secrets: readonly KnownSecret[],
  hide: Verification['hide'],
): readonly string[] {
  const warnings: string[] = [];
  const [own] = secrets;
  if (apiKey !== undefined && own?.apiKey !== undefined && own.apiKey !== apiKey) {
    warnings.push(
      `the request's api_key is ${apiKey}, to which no known secret belongs; that of ${own.name} was taken`,
    );
  }
  for (const { name, value } of content.fields) {
    if (value.kind === 'string' && hide(value.value) !== value.value) {
      warnings.push(`${name} holds the api secret, which must never be sent: have it replaced`);
    }
  }
  return warnings;
}

/** Whether the request went to an address of another environment. */
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
    return isOther && address !== undefined && url?.startsWith(address)
      ? [`the request went to ${keys[environment]}, but the environment is ${settings.environment}`]
      : [];
  });
}

async function theirString(
  pasted: string,
  { canonical, received }: Verdict,
  secrets: readonly string[],
  hide: Verification['hide'],
): Promise<TheirString> {
  const theirs = pastedCanonical(pasted, canonical, secrets);
  const gives = (text: string): boolean =>
    ['', ...secrets].some((secret) => digest(text, secret) === received.toUpperCase());
  return {
    canonical: hide(theirs),
    // With the secret behind it, or as it was pasted, if it holds the secret itself.
    signed: gives(theirs) || gives(pasted.replace(/\r?\n$/, '')),
    // Hidden before they are compared: marks and visible spaces would disguise a secret.
    comparison: compareCanonical(hide(theirs), hide(canonical)),
  };
}
