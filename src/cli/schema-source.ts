import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { MopError } from '../errors.ts';
import type { ReadSchema } from '../graphql/schema.ts';
import { printJson } from '../signing/json.ts';
import type { Context } from './context.ts';
import { configuredEndpoint, withGraphql } from './graphql.ts';
import { readText } from './input.ts';
import type { Io } from './io.ts';

/** Where a schema comes from, and how it is taken. */
export interface SchemaSource {
  /** A file, or the address of an endpoint; left out, the endpoint of the environment in force. */
  readonly source?: string | undefined;
  /** Headers for an endpoint, as `-H` takes them. */
  readonly header?: readonly string[] | undefined;
  /** An endpoint's schema may be as old as an hour. */
  readonly cache?: 'use' | 'refresh' | undefined;
  readonly assumeValid?: boolean | undefined;
}

/** After that a cached schema is asked for again. */
const MAX_AGE_MS = 3_600_000;

/**
 * A schema from a file or an endpoint.
 *
 * @throws {MopError} `usage` for a file that cannot be read or is no schema; what asking throws.
 */
export async function loadSchema(source: SchemaSource, context: Context): Promise<ReadSchema> {
  const { readSchema } = await import('../graphql/schema.ts');
  const { name, text } = await schemaText(source, context);
  return readSchema(text, { name, assumeValid: source.assumeValid });
}

/** Whether a source is the address of an endpoint, and no file. */
export function isAddress(source: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(source);
}

async function schemaText(
  { source, header, cache }: SchemaSource,
  context: Context,
): Promise<{ readonly name: string; readonly text: string }> {
  if (source !== undefined && !isAddress(source)) {
    return { name: source, text: await readText(`@${source}`, context.io) };
  }
  const endpoint = source ?? configuredEndpoint(context);
  const ask = async (): Promise<string> => {
    const { introspect } = await import('../graphql/introspection.ts');
    return withGraphql(context, { endpoint, header }, async ({ client }) =>
      printJson(await introspect((request) => client.send(request))),
    );
  };
  // The sandbox of this process is gone before its schema could be asked for again.
  if (endpoint === undefined) return { name: 'the sandbox', text: await ask() };
  const name = new URL(endpoint).host;
  if (cache === undefined) return { name, text: await ask() };
  const path = cachePath(endpoint, header, context.io);
  const cached = cache === 'use' ? await readCached(path, context) : undefined;
  if (cached !== undefined) return { name, text: cached };
  const text = await ask();
  await store(path, text, context);
  return { name, text };
}

/** One file for each endpoint and who asks: what is seen may depend on that. */
function cachePath(endpoint: string, header: readonly string[] = [], { env }: Io): string {
  const directory = env.MOP_CONFIG_DIR
    ? join(env.MOP_CONFIG_DIR, 'cache')
    : envPaths('mop', { suffix: '' }).cache;
  const key = createHash('sha256')
    .update(JSON.stringify([endpoint, header]))
    .digest('hex');
  return join(directory, `schema-${key.slice(0, 32)}.json`);
}

async function readCached(path: string, { io }: Context): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    const [, fetchedAt = ''] = /^\{"fetched_at":(\d+),/.exec(text) ?? [];
    const age = io.now() - Number(fetchedAt);
    return fetchedAt !== '' && age >= 0 && age <= MAX_AGE_MS ? text : undefined;
  } catch {
    return undefined;
  }
}

async function store(path: string, text: string, { io, output }: Context): Promise<void> {
  const { PartFile } = await import('../part-file.ts');
  try {
    const part = await PartFile.open(dirname(path), 0o600);
    try {
      await part.write(Buffer.from(`{"fetched_at":${io.now()},"data":${text}}`));
      await part.place(path);
    } finally {
      await part.discard();
    }
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    output.warn(`the schema is not cached: ${error.message}`);
  }
}
