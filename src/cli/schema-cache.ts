import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { MopError } from '../errors.ts';
import { localError } from '../local-error.ts';
import { PartFile } from '../part-file.ts';
import type { Context } from './context.ts';
import type { Io } from './io.ts';

/** After that a schema is asked for again. */
const MAX_AGE_MS = 3_600_000;

/** The schemas of endpoints that were asked for within the last hour, as introspection JSON. */
export class SchemaCache {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * The schema of an endpoint; undefined when it is not there, or too old.
   *
   * @param header What it was asked with: who asks decides what is seen.
   */
  async read(address: string, header: readonly string[]): Promise<string | undefined> {
    const path = cachePath(address, header, this.#context.io);
    const text = await readFile(path, 'utf8').catch(() => '');
    const [, fetchedAt = ''] = /^\{"fetched_at":(\d+),.*\}$/s.exec(text) ?? [];
    const age = this.#context.io.now() - Number(fetchedAt);
    return fetchedAt !== '' && age >= 0 && age <= MAX_AGE_MS ? text : undefined;
  }

  /** Keeps a schema. Where that cannot be done it is only said so. */
  async store(address: string, header: readonly string[], schema: string): Promise<void> {
    const { io, output } = this.#context;
    const path = cachePath(address, header, io);
    try {
      await makePrivate(dirname(path));
      const part = await PartFile.open(dirname(path), 0o600);
      try {
        await part.write(Buffer.from(`{"fetched_at":${io.now()},"data":${schema}}`));
        await part.place(path);
      } finally {
        await part.discard();
      }
    } catch (error) {
      if (!(error instanceof MopError)) throw error;
      output.warn(`the schema is not cached: ${error.message}`);
    }
  }
}

function cachePath(address: string, header: readonly string[], { env }: Io): string {
  const directory = env.MOP_CONFIG_DIR
    ? join(env.MOP_CONFIG_DIR, 'cache')
    : envPaths('mop', { suffix: '' }).cache;
  const key = createHash('sha256')
    .update(JSON.stringify([address, header]))
    .digest('hex');
  return join(directory, `schema-${key.slice(0, 32)}.json`);
}

/** The directory above may be that of the configuration, which nobody else is to look into. */
async function makePrivate(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw localError(error, `cannot make ${directory}`);
  }
}
