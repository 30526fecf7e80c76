import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Io } from './io.ts';

/** Receives a warning. */
export type Warn = (message: string) => void;

/** By system: the variable of a directory, its default in the home directory, and the part of mop. */
const PLACES = {
  config: {
    linux: ['XDG_CONFIG_HOME', '.config', 'mop'],
    darwin: ['', 'Library/Preferences', 'mop'],
    win32: ['APPDATA', 'AppData/Roaming', 'mop/Config'],
  },
  cache: {
    linux: ['XDG_CACHE_HOME', '.cache', 'mop'],
    darwin: ['', 'Library/Caches', 'mop'],
    win32: ['LOCALAPPDATA', 'AppData/Local', 'mop/Cache'],
  },
} as const;

const { platform } = process;
const SYSTEM = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
const HOME = SYSTEM === 'win32' ? 'USERPROFILE' : 'HOME';

/**
 * The directory of mop for the configuration or the cache. Always absolute, so that no secret gets
 * into the current directory: a relative variable and an empty `HOME` are ignored, with a warning.
 */
export function userDirectory(
  kind: keyof typeof PLACES,
  { env }: Pick<Io, 'env'>,
  warn: Warn = () => {},
): string {
  const [variable, inHome, own] = PLACES[kind][SYSTEM];
  const ignored: string[] = [];
  const absolute = (name: string, value: string | undefined): string | undefined => {
    if (value === undefined || isAbsolute(value)) return value;
    ignored.push(`${name}=${JSON.stringify(value)}`);
    return undefined;
  };
  const parent =
    absolute(variable, env[variable] || undefined) ??
    join(absolute(HOME, env[HOME]) ?? registeredHome(), inHome);
  const directory = join(parent, own);
  for (const each of ignored) {
    warn(`${each} is not an absolute path and is ignored: ${directory} is used`);
  }
  return directory;
}

/** The home directory in the user database; `/` for a user without one, as in a container. */
function registeredHome(): string {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : '/';
  } catch {
    return '/';
  }
}
