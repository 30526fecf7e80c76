import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { MopError, withDetails } from '../../errors.ts';
import { localError } from '../../files/file-error.ts';
import type { Io } from './io.ts';

/** Values of a profile by key, as text. */
export type Profile = Readonly<Record<string, string>>;

export interface ConfigFile {
  /** The profile that `config use` chose. */
  readonly current: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NAME = 'config';

/** Where the configuration is kept: `MOP_CONFIG_DIR`, or the platform's config directory. */
export function configPath({ env }: Pick<Io, 'env'>): string {
  const directory = env.MOP_CONFIG_DIR || envPaths('mop', { suffix: '' }).config;
  return join(directory, `${NAME}.json`);
}

/**
 * Reads the configuration; an absent file is an empty one.
 *
 * @throws {MopError} `config` for a file that is damaged or that others can read although it holds
 *   a secret. It is never changed here.
 */
export function readConfig(path: string, warn: (message: string) => void): ConfigFile {
  const text = readFile(path);
  if (text === undefined) return { current: undefined, profiles: {} };
  const config = checkedConfig(parse(text, path), path);
  if (Object.values(config.profiles).some((profile) => 'api_secret' in profile)) {
    assertPrivate(path, warn);
  }
  assertOursAlone(path);
  return config;
}

/**
 * Changes the configuration in one step, readable by its owner alone. Commands that change it at
 * the same time wait for each other, so that none undoes what another did.
 *
 * @throws {MopError} `config` for a damaged file, `io`, and what `change` throws.
 */
export async function updateConfig(
  path: string,
  warn: (message: string) => void,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  const { default: Conf } = await import('conf');
  const { withFileLock } = await import('../../files/lock.ts');
  const { makeDirectory } = await import('../../files/directory.ts');
  try {
    await makeDirectory(dirname(path), 0o700);
    await withFileLock(`${path}.lock`, () => {
      const { current, profiles } = change(readConfig(path, warn));
      sweepTemporary(path);
      const store = new Conf<Record<string, unknown>>({
        cwd: dirname(path),
        configName: NAME,
        configFileMode: 0o600,
        clearInvalidConfig: false,
        accessPropertiesByDotNotation: false,
      });
      store.store = { ...(current && { current }), profiles };
    });
  } catch (error) {
    if (error instanceof MopError) throw error;
    const hint = 'check the directory and its disk; MOP_CONFIG_DIR chooses another';
    throw withDetails(localError(error, `cannot write ${path}`), { hint });
  }
}

/** Whether a profile may be called so: it can name a folder of bills, on every file system. */
export function isProfileName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** Removes what conf was writing when it was killed, secret and all. Only one process is here. */
function sweepTemporary(path: string): void {
  const directory = dirname(path);
  const left = readdirSync(directory).filter((name) => name.startsWith(`${basename(path)}.tmp-`));
  for (const name of left) rmSync(join(directory, name), { force: true });
}

/** @throws {MopError} `config` for a file that others can change: it may name a command to run. */
function assertOursAlone(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o002) === 0) return;
  throw new MopError('config', `other users can change ${path}`, {
    hint: `look at what it says, then run: chmod 600 ${path}`,
  });
}

/**
 * Refuses a file with a secret that others can read, and warns when the group can.
 *
 * @throws {MopError} `config`
 */
export function assertPrivate(path: string, warn: (message: string) => void): void {
  if (process.platform === 'win32') return;
  const mode = statSync(path).mode & 0o777;
  if (mode & 0o007) {
    throw new MopError('config', `${path} holds a secret and other users can read it`, {
      hint: `run: chmod 600 ${path} (and have the secret replaced if it may have been read)`,
    });
  }
  if (mode & 0o070) warn(`the group can read the secret in ${path}; chmod 600 keeps it to you`);
}

/** The file's text; undefined when there is none. */
function readFile(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new MopError('config', `cannot read ${path} (${code})`, {
      hint: 'check its owner and permissions, or set MOP_CONFIG_DIR',
      cause: error,
    });
  }
  // What is none would be written back as something else.
  if (!isUtf8(bytes)) throw damaged(path, 'it is not UTF-8 text');
  return bytes.toString('utf8');
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error quotes the file, which may hold a secret.
    throw damaged(path, 'it is not JSON');
  }
}

function checkedConfig(value: unknown, path: string): ConfigFile {
  if (!isRecord(value)) throw damaged(path, 'it is not an object');
  const { current, profiles = {} } = value;
  if (current !== undefined && typeof current !== 'string')
    throw damaged(path, 'current is not text');
  if (!isRecord(profiles)) throw damaged(path, 'profiles is not an object');
  const checked = Object.entries(profiles).map(([name, profile]) => {
    if (!isRecord(profile)) throw damaged(path, `profile ${name} is not an object`);
    for (const [key, value] of Object.entries(profile)) {
      if (typeof value !== 'string') throw damaged(path, `${key} of profile ${name} is not text`);
    }
    return [name, profile as Profile] as const;
  });
  return { current, profiles: Object.fromEntries(checked) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(path: string, why: string): MopError {
  return new MopError('config', `the configuration file ${path} is damaged: ${why}`, {
    hint: 'mend it by hand, or move it away and run: mop config init. It was left as it is',
  });
}
