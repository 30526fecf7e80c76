import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Conf from 'conf';
import { MopError, withDetails } from '../../errors.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import { withFileLock } from '../../files/lock.ts';
import { CONFIG_NAME, type ConfigFile, readConfig } from './config-file.ts';

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
  try {
    await makeDirectory(dirname(path), 0o700);
    await withFileLock(`${path}.lock`, () => {
      const { current, profiles } = change(readConfig(path, warn));
      sweepTemporary(path);
      const store = new Conf<Record<string, unknown>>({
        cwd: dirname(path),
        configName: CONFIG_NAME,
        configFileMode: 0o600,
        clearInvalidConfig: false,
        accessPropertiesByDotNotation: false,
      });
      store.store = { ...(current && { current }), profiles };
    });
  } catch (error) {
    if (error instanceof MopError) throw error;
    const hint = 'check the directory and its disk; MOP_CONFIG_DIR chooses another';
    throw withDetails(fileError(error, `cannot write ${path}`), { hint });
  }
}

/** Removes what conf was writing when it was killed, secret and all. Only one process is here. */
function sweepTemporary(path: string): void {
  const directory = dirname(path);
  const left = readdirSync(directory).filter((name) => name.startsWith(`${basename(path)}.tmp-`));
  for (const name of left) rmSync(join(directory, name), { force: true });
}
