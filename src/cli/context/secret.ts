import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import { MopError, quoted } from '../../errors.ts';
import { failureReason } from '../../files/file-error.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { Credentials } from '../../signing/request-fields.ts';
import { assertPrivate } from './config-file.ts';
import { type Context, configOf } from './context.ts';
import { decodeUtf8, fileBytes, type ReadLimit } from './input.ts';
import { SECRET_KEYS } from './setting-keys.ts';
import { Settings } from './settings.ts';
import type { Warn } from './user-directory.ts';

type SecretContext = Pick<Context, 'io' | 'output'>;

/**
 * The current credentials. The sandbox uses its published credentials and ignores the environment
 * and the profile.
 */
export async function loadCredentials(
  settings: Settings,
  context: SecretContext,
): Promise<Credentials> {
  if (settings.environment === 'sandbox') return SANDBOX_CREDENTIALS;
  return { apiKey: currentApiKey(settings), secret: await loadCurrentSecret(settings, context) };
}

/** The current API key. */
export function currentApiKey(settings: Settings): string {
  if (settings.environment === 'sandbox') return SANDBOX_CREDENTIALS.apiKey;
  const apiKey = settings.get('api_key');
  if (apiKey !== undefined) return apiKey;
  throw new MopError('config', `no api_key for profile ${settings.profile}`, {
    hint: quoted`set MOP_API_KEY, add --env sandbox, or run: mop config init -p ${settings.profile}`,
  });
}

/** The current secret. */
export async function loadCurrentSecret(
  settings: Settings,
  context: SecretContext,
  warn: Warn = (message) => context.output.warn(message),
): Promise<string> {
  if (settings.environment === 'sandbox') return SANDBOX_CREDENTIALS.secret;
  const secret = await loadSecret(settings, context, warn);
  if (secret.trim() !== secret) {
    warn('the api secret begins or ends with white space, which is not removed');
  }
  return secret;
}

/** A profile that has a secret. */
export interface ProfileSecret {
  readonly profile: string;
  readonly apiKey: string | undefined;
  /** Whether a command prints the secret. It may prompt the user. */
  readonly runsCommand: boolean;
  /** The secret; undefined, with a warning, when it cannot be loaded. */
  readonly load: () => Promise<string | undefined>;
}

/**
 * The profiles with a secret; loading one may run a command. Flags and variables apply to the
 * current profile only and are ignored here.
 */
export function profileSecrets(context: Context): readonly ProfileSecret[] {
  const warn: Warn = (message) => context.output.warn(message);
  const { profiles } = configOf(context);
  return Object.keys(profiles).flatMap((profile) => {
    const settings = new Settings({ profile }, {}, { current: undefined, profiles });
    const place = secretPlace(settings);
    if (!place) return [];
    const runsCommand = place.key === 'api_secret_command';
    const load = async (): Promise<string | undefined> => {
      try {
        return await loadSecret(settings, context, warn);
      } catch (error) {
        if (!(error instanceof MopError && error.code === 'config')) throw error;
        // Do not print its message: it may quote a command that contains a token.
        warn(`the secret of profile ${profile} cannot be loaded and is not tried`);
        return undefined;
      }
    };
    return [{ profile, apiKey: settings.find('api_key')?.value, runsCommand, load }];
  });
}

const SECRET_SOURCES = ['flag', 'env', 'profile'] as const;

/** A setting that provides a secret. */
export interface SecretPlace {
  readonly key: (typeof SECRET_KEYS)[number];
  readonly value: string;
  readonly source: (typeof SECRET_SOURCES)[number];
  /** The source for a message. */
  readonly origin: string;
}

/** The setting that provides the current secret: the flag, then variables, then the profile. */
export function secretPlace(settings: Settings): SecretPlace | undefined {
  for (const source of SECRET_SOURCES) {
    for (const key of SECRET_KEYS) {
      const found = settings.find(key);
      if (found?.source === source) return { ...found, key, source };
    }
  }
  return undefined;
}

/** The source of the current secret, for a message: an option, a variable or a profile. */
export function secretSource(settings: Settings): string {
  const place = secretPlace(settings);
  const isStored = place === undefined || place.source === 'profile';
  return isStored ? `profile ${settings.profile}` : place.origin;
}

/** Shapes that an issued secret rarely has. The first that fits is reported. */
const ANOMALIES: readonly (readonly [shape: RegExp, text: string])[] = [
  [/^\s|\s$/, 'it has white space around it'],
  [/^(["']).*\1$/s, 'it is in quotation marks'],
  [/[^ -~]/, 'it has characters that are not printable ASCII'],
  [/^.{129}/, 'it is unusually long'],
  [/^(?:<.*>|\{.*\}|#\{.*\}|\$\w+|\$[{(].*[})]|%\w+%|([x*.])\1*)$/i, 'it looks like a placeholder'],
  [
    /^(?:(?:your|my|the|insert)[-_ ]?)?(?:api[-_ ]?)?secret(?:[-_ ]?(?:key|here))?$|^change[-_ ]?me$/i,
    'it looks like a placeholder',
  ],
  [/^.{0,7}$/, 'it is unusually short'],
];

/** Why a secret is probably not the issued one, such as `it looks like a placeholder`. */
export function secretAnomaly(secret: string): string | undefined {
  return ANOMALIES.find(([shape]) => shape.test(secret))?.[1];
}

/** Loads the secret, and redacts it in messages from now on. */
async function loadSecret(
  settings: Settings,
  { io, output }: SecretContext,
  warn: Warn,
): Promise<string> {
  const place = secretPlace(settings);
  if (!place) {
    throw new MopError('config', `no api secret for profile ${settings.profile}`, {
      hint: quoted`set MOP_API_SECRET, give --secret-file FILE, or run: mop config set api_secret -p ${settings.profile}`,
    });
  }
  const secret = await readSecret(place, io.signal, warn);
  output.conceal(secret);
  return secret;
}

function readSecret(
  { key, value }: SecretPlace,
  signal: AbortSignal,
  warn: Warn,
): Promise<string> | string {
  if (key === 'api_secret') return nonEmpty(value, 'stored');
  return key === 'api_secret_file' ? readSecretFile(value, warn) : runSecretCommand(value, signal);
}

const MAX_SECRET_LENGTH = 4096;
/** A character takes up to 3 bytes of UTF-8; a byte order mark and a line end may surround them. */
const FILE_LIMIT: ReadLimit = { bytes: 3 * MAX_SECRET_LENGTH + 5, error: tooLong };

/** The secret in a text, without one line end. Other white space is not removed. */
export function secretFromInput(text: string, where: string, hint = CONTENT_HINT): string {
  if (text.length > MAX_SECRET_LENGTH) throw tooLong(where);
  return nonEmpty(text.replace(/\r?\n$/, ''), where, hint);
}

const CONTENT_HINT = 'the file or command must contain or print the api secret and nothing else';

function tooLong(where: string): MopError {
  const limit = MAX_SECRET_LENGTH.toLocaleString('en');
  return new MopError(
    'config',
    `${where} is too long for a secret: more than ${limit} characters`,
    { hint: CONTENT_HINT },
  );
}

async function readSecretFile(path: string, warn: Warn): Promise<string> {
  try {
    const text = decodeUtf8(await fileBytes(path, FILE_LIMIT), path);
    assertPrivate(path, warn);
    return secretFromInput(text, path);
  } catch (error) {
    if (error instanceof MopError) throw error;
    // The path may be the secret itself, given by mistake: keep it out of the message.
    const isPath = isAbsolute(path) || (dirname(path) !== '.' && existsSync(dirname(path)));
    const file = isPath ? `the secret file ${path}` : 'the secret file';
    throw new MopError('config', `cannot read ${file}: ${failureReason(error)}`, {
      hint: 'check the path of the secret file, and its permissions',
      cause: isPath ? error : undefined,
    });
  }
}

async function runSecretCommand(command: string, signal: AbortSignal): Promise<string> {
  const { exec } = await import('node:child_process');
  try {
    const running = promisify(exec)(command, { signal });
    // Close its standard input, so that the command does not wait for input.
    running.child.stdin?.end();
    const { stdout } = await running;
    return secretFromInput(stdout, `the output of ${command}`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof MopError) throw error;
    const status = (error as { code?: unknown }).code ?? 'unknown';
    // The output of the command may contain the secret: never print it.
    throw new MopError('config', `api_secret_command failed with status ${status}: ${command}`, {
      hint: 'run the command in a shell: it must print the secret and nothing else',
    });
  }
}

function nonEmpty(secret: string, where: string, hint = 'run: mop config set api_secret'): string {
  if (secret !== '') return secret;
  throw new MopError('config', `the api secret is empty (${where})`, { hint });
}
