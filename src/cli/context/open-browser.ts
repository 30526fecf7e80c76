import { pathToFileURL } from 'node:url';
import open from 'open';
import { MopError, quoted } from '../../errors.ts';
import type { Io } from './io.ts';

/**
 * Opens a file in the browser of `BROWSER`, or in the default browser of the user.
 *
 * @throws {MopError} `failure` when no browser can be started.
 */
export async function openInBrowser(path: string, { env }: Pick<Io, 'env'>): Promise<void> {
  const url = pathToFileURL(path).href;
  const { BROWSER: name } = env;
  try {
    const child = await open(url, name ? { app: { name } } : {});
    await new Promise<void>((resolve, reject) => {
      // A browser keeps running; a launcher that fails ends at once.
      const launched = setTimeout(resolve, LAUNCH_MS);
      const end = (error?: Error): void => {
        clearTimeout(launched);
        if (error) reject(error);
        else resolve();
      };
      child.once('error', end);
      child.once('exit', (code) => end(code ? new Error(`exit code ${code}`) : undefined));
    });
  } catch (error) {
    throw new MopError('failure', 'no browser can be started', {
      hint: quoted`open this file in a browser: ${path}`,
      cause: error,
    });
  }
}

const LAUNCH_MS = 1000;
