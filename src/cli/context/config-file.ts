import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MopError, quoted } from '../../errors.ts';
import { failureReason } from '../../files/file-error.ts';
import type { Io } from './io.ts';
import { userDirectory, type Warn } from './user-directory.ts';

/** Values of a profile by key, as text. */
export type Profile = Readonly<Record<string, string>>;

export interface ConfigFile {
  /** The profile that `config use` selected. */
  readonly current: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The name of the file without its extension, which conf adds. */
export const CONFIG_NAME = 'config';

/** The path of the configuration file, in `MOP_CONFIG_DIR` or the platform's config directory. */
export function configPath(io: Pick<Io, 'env'>, warn?: Warn): string {
  const directory = io.env.MOP_CONFIG_DIR || userDirectory('config', io, warn);
  return join(directory, `${CONFIG_NAME}.json`);
}

/** Reads the configuration without changing it. A missing file counts as empty. */
export function readConfig(path: string, warn: Warn): ConfigFile {
  const text = readFile(path);
  if (text === undefined) return { current: undefined, profiles: {} };
  const config = checkedConfig(parse(text, path), path);
  if (Object.values(config.profiles).some((profile) => 'api_secret' in profile)) {
    assertPrivate(path, warn);
  }
  // A link leads to a file that users of another directory may replace.
  const directories = new Set([dirname(path), dirname(realpathSync(path))]);
  for (const each of [path, ...directories]) assertTrusted(each, warn);
  return config;
}

/**
 * Rejects a file or directory that other users can change: the configuration may name a command to
 * run. Warns when the group can change it, as on mounted volumes.
 */
export function assertTrusted(path: string, warn: Warn): void {
  const user = process.geteuid?.();
  // Windows has no such owners and modes.
  if (user === undefined) return;
  const stats = statsOf(path);
  const { uid, mode } = stats;
  if (uid !== user && uid !== 0) {
    throw new MopError('config', `${path} belongs to another user (uid ${uid}, not ${user})`, {
      hint: 'run mop as that user, or set MOP_CONFIG_DIR to a directory of your own',
    });
  }
  const isDirectory = stats.isDirectory();
  // The sticky bit: only its owner can replace a file in the directory.
  if (isDirectory && mode & 0o1000) return;
  if (mode & 0o002) {
    throw new MopError('config', `other users can change ${path}`, {
      hint: quoted`check its content, then run: chmod ${isDirectory ? 700 : 600} ${path}`,
    });
  }
  if (mode & 0o020) warn(quoted`the group can change ${path}: run chmod g-w ${path}`);
}

/** Rejects a file with a secret that other users can read, and warns when the group can. */
export function assertPrivate(path: string, warn: Warn): void {
  if (process.platform === 'win32') return;
  const { mode } = statsOf(path);
  if (mode & 0o007) {
    throw new MopError('config', `other users can read the secret in ${path}`, {
      hint: quoted`run: chmod 600 ${path}, and replace the secret: it may have been read`,
    });
  }
  if (mode & 0o070) warn(quoted`the group can read the secret in ${path}: run chmod 600 ${path}`);
}

/** The text of the file; undefined when it is missing. */
function readFile(path: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(path, error);
  }
  // Invalid UTF-8 would be corrupted on rewrite.
  if (!isUtf8(bytes)) throw damaged(path, 'it is not UTF-8 text');
  // Editors on Windows write a byte order mark, which JSON does not allow.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): MopError {
  return new MopError('config', `cannot read ${path}: ${failureReason(error)}`, {
    hint: 'check its owner and permissions, or set MOP_CONFIG_DIR',
    cause: error,
  });
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Do not pass on the parser's error: it quotes the file, which may contain a secret.
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
    hint: 'the file is unchanged: fix it in an editor, or move it away and run mop config init',
  });
}

/** Whether a profile may have this name. It must be a valid folder name on every file system. */
export function isProfileName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

export const PROFILE_NAME_HINT =
  'use letters, digits, dots, dashes and underscores; begin with a letter or a digit';
