import { MopError } from '../errors.ts';
import type { ReadSchema } from '../graphql/schema.ts';
import { printJson } from '../signing/json.ts';
import type { Context } from './context.ts';
import { printDryRun } from './dry-run.ts';
import {
  checkAddress,
  configuredEndpoint,
  type GraphqlConnection,
  withGraphql,
} from './graphql.ts';
import { readText } from './input.ts';
import { SchemaCache } from './schema-cache.ts';

/** Where a schema comes from, and how it is taken. */
export interface SchemaSource {
  /** A file, or the address of an endpoint; left out, the endpoint of the environment in force. */
  readonly source?: string | undefined;
  /** Headers for an endpoint, as `-H` takes them. */
  readonly header?: readonly string[] | undefined;
  /** Whether the schema of an endpoint may be an hour old, or is to be kept for so long. */
  readonly cache?: 'use' | 'refresh' | undefined;
  readonly assumeValid?: boolean | undefined;
}

/**
 * A schema from a file or an endpoint.
 *
 * @throws {MopError} `usage` for a file that cannot be read or is no schema; what asking throws.
 */
export async function loadSchema(from: SchemaSource, context: Context): Promise<ReadSchema> {
  const { readSchema } = await import('../graphql/schema.ts');
  const { source, header = [], cache, assumeValid } = from;
  if (!isAsked(from)) {
    const text = await readText(`@${source}`, context.io);
    return readSchema(text, { name: source ?? '', assumeValid });
  }
  const address = addressOf(from, context);
  // The sandbox of this process is gone before its schema could be asked for again.
  if (address === undefined) {
    return readSchema(await ask(from, context), { name: 'the sandbox', assumeValid });
  }
  const options = { name: new URL(address).host, assumeValid };
  const kept = new SchemaCache(context);
  const text = cache === 'use' ? await kept.read(address, header) : undefined;
  try {
    if (text !== undefined) return readSchema(text, options);
  } catch {
    // A damaged copy: the endpoint has the schema itself.
  }
  const fresh = await ask(from, context);
  const schema = readAnswered(() => readSchema(fresh, options));
  if (cache !== undefined) await kept.store(address, header, fresh);
  return schema;
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

/**
 * For `--dry-run`: prints the requests that the endpoints among some sources would be asked.
 *
 * @returns False when there is none among them, and nothing was printed.
 */
export async function printSchemaRequests(
  sources: readonly SchemaSource[],
  context: Context,
): Promise<boolean> {
  const asked = sources.filter(isAsked);
  if (asked.length === 0) return false;
  const { introspectionRequest } = await import('../graphql/introspection.ts');
  const requests = [];
  for (const from of asked) {
    const request = introspectionRequest();
    requests.push(await connected(from, context, ({ client }) => client.httpRequest(request)));
  }
  await printDryRun(requests, context.output);
  return true;
}

/** Whether a schema is that of an endpoint, and not in a file. */
export function isAsked({ source }: SchemaSource): boolean {
  return source === undefined || /^(?:https?|wss?):\/\//i.test(source);
}

async function ask(from: SchemaSource, context: Context): Promise<string> {
  const { introspect } = await import('../graphql/introspection.ts');
  return connected(from, context, async ({ client }) =>
    printJson(await introspect((request) => client.send(request))),
  );
}

function connected<T>(
  from: SchemaSource,
  context: Context,
  use: (connection: GraphqlConnection) => Promise<T> | T,
): Promise<T> {
  const { header } = from;
  return withGraphql(context, { endpoint: addressOf(from, context), header }, use);
}

/** The address of the endpoint; undefined for the sandbox of this process. */
function addressOf({ source }: SchemaSource, context: Context): string | undefined {
  if (source === undefined) return configuredEndpoint(context);
  checkAddress(source);
  return source;
}
