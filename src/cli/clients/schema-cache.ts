import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MopError } from '../../errors.ts';
import { cacheDirectory, writeCacheFile } from '../context/cache.ts';
import type { Context } from '../context/context.ts';

/** The maximum age of a cached schema. */
const MAX_AGE_MS = 3_600_000;

/** The schema of an endpoint as introspection JSON, if it was cached within the last hour. */
export async function readCachedSchema(
  address: string,
  headers: readonly string[],
  { io }: Context,
): Promise<{ readonly text: string; readonly ageMs: number } | undefined> {
  const path = join(cacheDirectory(io), cacheName(address, headers));
  const text = await readFile(path, 'utf8').catch(() => '');
  const [, fetchedAt = ''] = /^\{"fetched_at":(\d+),.*\}$/s.exec(text) ?? [];
  const ageMs = io.now() - Number(fetchedAt);
  return fetchedAt !== '' && ageMs >= 0 && ageMs <= MAX_AGE_MS ? { text, ageMs } : undefined;
}

/** Caches a schema. Warns if that fails. */
export async function cacheSchema(
  address: string,
  headers: readonly string[],
  schema: string,
  { io, output }: Context,
): Promise<void> {
  const text = `{"fetched_at":${io.now()},"data":${schema}}`;
  try {
    await writeCacheFile(cacheName(address, headers), text, io);
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    output.warn(`the schema is not cached: ${error.message}`);
  }
}

function cacheName(address: string, headers: readonly string[]): string {
  const key = createHash('sha256')
    .update(JSON.stringify([address, headers]))
    .digest('hex');
  return `schema-${key.slice(0, 32)}.json`;
}
