import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Conf from 'conf';
import { MopError, withDetails } from '../../errors.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import { withFileLock } from '../../files/lock.ts';
import { assertTrusted, CONFIG_NAME, type ConfigFile, readConfig } from './config-file.ts';
import type { Warn } from './user-directory.ts';

/**
 * Changes the configuration atomically; only its owner can read the file. Concurrent commands wait
 * for each other, so that no change is lost.
 */
export async function updateConfig(
  path: string,
  warn: Warn,
  change: (config: ConfigFile) => ConfigFile,
): Promise<void> {
  try {
    await makeDirectory(dirname(path), 0o700);
    assertTrusted(dirname(path), warn);
    await withFileLock(`${path}.lock`, () => {
      const { current, profiles } = change(readConfig(path, warn));
      sweepTemporary(path);
      const store = new Conf<Record<string, unknown>>({
        cwd: dirname(path),
        configName: CONFIG_NAME,
        configFileMode: 0o600,
        // The file has been read already, without its byte order mark.
        deserialize: () => ({}),
        accessPropertiesByDotNotation: false,
      });
      store.store = { ...(current && { current }), profiles };
    });
  } catch (error) {
    if (error instanceof MopError) throw error;
    const hint = 'check the directory and its disk, or set MOP_CONFIG_DIR to another directory';
    throw withDetails(fileError(error, `cannot write ${path}`), { hint });
  }
}

/** Removes the temporary files of killed runs: they contain the secret. Requires the lock. */
function sweepTemporary(path: string): void {
  const directory = dirname(path);
  const left = readdirSync(directory).filter((name) => name.startsWith(`${basename(path)}.tmp-`));
  for (const name of left) rmSync(join(directory, name), { force: true });
}
