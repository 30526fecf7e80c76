import { MopError } from '../../errors.ts';
import { introspect, introspectionRequest } from '../../graphql/introspection.ts';
import { type ReadSchema, readSchema } from '../../graphql/schema.ts';
import { printJson } from '../../json/print.ts';
import type { Context } from '../context/context.ts';
import { printDryRun } from '../context/dry-run.ts';
import { readText } from '../context/input.ts';
import { type Endpoint, endpointOf, withGraphql } from './open-graphql.ts';
import { cacheSchema, readCachedSchema } from './schema-cache.ts';

/** Where a schema comes from. */
type Origin = { readonly file: string } | Endpoint;

/** How a schema is taken. */
export interface SchemaSource {
  readonly from: Origin;
  /** Headers for an endpoint, as `-H` takes them. */
  readonly header?: readonly string[] | undefined;
  /** Keep the schema of an endpoint for an hour, and use one that was kept. */
  readonly isCached?: boolean;
  /** Ask the endpoint even if its schema was kept. */
  readonly refresh?: boolean | undefined;
  readonly assumeValidSchema?: boolean | undefined;
}

/**
 * Where a schema comes from: a file, or the address of an endpoint; without either the endpoint of
 * the environment in force.
 *
 * @param endpoint What `--endpoint` gives, where the command has that too; `what` names the other.
 * @throws {MopError} `usage` when both are given, or one is no usable address; `config`.
 */
export function originOf(
  source: string | undefined,
  context: Context,
  endpoint?: string,
  what = 'the source',
): Origin {
  if (source !== undefined && endpoint !== undefined) {
    throw new MopError('usage', `the schema comes from ${what} or from --endpoint, not both`, {
      hint: 'leave out one of the two',
    });
  }
  const isFile = source !== undefined && !/^(?:https?|wss?):\/\//i.test(source);
  return isFile ? { file: source } : endpointOf(source ?? endpoint, context);
}

/**
 * A schema from a file or an endpoint.
 *
 * @throws {MopError} `usage` for a file that cannot be read or is no schema; what asking throws.
 */
export async function loadSchema(source: SchemaSource, context: Context): Promise<ReadSchema> {
  const { from, header = [], isCached, refresh, assumeValidSchema: assumeValid } = source;
  if ('file' in from) {
    const text = await readText(`@${from.file}`, context.io);
    return readSchema(text, { name: from.file, assumeValid });
  }
  // The sandbox of this process is gone before its schema could be asked for again.
  if ('sandbox' in from) {
    return readSchema(await ask(from, header, context), { name: 'the sandbox', assumeValid });
  }
  const { address } = from;
  const options = { name: new URL(address).host, assumeValid };
  const kept = isCached && !refresh ? await readCachedSchema(address, header, context) : undefined;
  try {
    if (kept !== undefined) return readSchema(kept, options);
  } catch {
    // A damaged copy: the endpoint has the schema itself.
  }
  const fresh = await ask(from, header, context);
  const schema = readAnswered(() => readSchema(fresh, options));
  if (isCached) await cacheSchema(address, header, fresh, context);
  return schema;
}

/**
 * For `--dry-run`: prints the requests that the endpoints among some sources would be asked.
 *
 * @returns False when there is none among them, and nothing was printed.
 */
export async function printSchemaRequests(
  sources: readonly SchemaSource[],
  context: Context,
): Promise<boolean> {
  const request = introspectionRequest();
  const shown = [];
  for (const { from, header } of sources) {
    if ('file' in from) continue;
    shown.push(
      await withGraphql(context, from, header, ({ client }) => client.httpRequest(request)),
    );
  }
  if (shown.length > 0) await printDryRun(shown, context.output);
  return shown.length > 0;
}

async function ask(
  endpoint: Endpoint,
  header: readonly string[],
  context: Context,
): Promise<string> {
  return withGraphql(context, endpoint, header, async ({ client }) =>
    printJson(await introspect((request) => client.send(request))),
  );
}

/** @throws {MopError} `api` for a schema that is broken: it is the server's, not the user's. */
function readAnswered(read: () => ReadSchema): ReadSchema {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    throw new MopError('api', error.message, {
      ...error.details,
      hint: 'the endpoint describes a broken schema; --assume-valid-schema takes it as it is',
    });
  }
}
