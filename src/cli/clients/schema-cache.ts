import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { MopError } from '../../errors.ts';
import { AtomicFile } from '../../files/atomic-file.ts';
import { makeDirectory } from '../../files/directory.ts';
import { fileError } from '../../files/file-error.ts';
import type { Context } from '../context/context.ts';
import type { Io } from '../context/io.ts';

/** After that a schema is asked for again. */
const MAX_AGE_MS = 3_600_000;

/**
 * The schema of an endpoint that was asked for within the last hour, as introspection JSON;
 * undefined when there is none.
 *
 * @param header What it was asked with: who asks decides what is seen.
 */
export async function readCachedSchema(
  address: string,
  header: readonly string[],
  { io }: Context,
): Promise<string | undefined> {
  const text = await readFile(cachePath(address, header, io), 'utf8').catch(() => '');
  const [, fetchedAt = ''] = /^\{"fetched_at":(\d+),.*\}$/s.exec(text) ?? [];
  const age = io.now() - Number(fetchedAt);
  return fetchedAt !== '' && age >= 0 && age <= MAX_AGE_MS ? text : undefined;
}

/** Keeps a schema for that. Where it cannot be done, it is only said so. */
export async function cacheSchema(
  address: string,
  header: readonly string[],
  schema: string,
  { io, output }: Context,
): Promise<void> {
  const path = cachePath(address, header, io);
  try {
    await makePrivate(dirname(path));
    const part = await AtomicFile.open(dirname(path), 0o600);
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
    await makeDirectory(directory, 0o700);
  } catch (error) {
    throw fileError(error, `cannot make ${directory}`);
  }
}
