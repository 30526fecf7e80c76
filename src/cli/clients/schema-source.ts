import { MopError, own, quoted } from '../../errors.ts';
import { introspect, introspectionRequest } from '../../graphql/introspection.ts';
import { type LoadedSchema, readSchema } from '../../graphql/schema.ts';
import { printJson } from '../../json/print.ts';
import { redactUrl } from '../../redaction/redact.ts';
import type { Context } from '../context/context.ts';
import { printDryRun } from '../context/dry-run.ts';
import { argumentText } from '../context/input.ts';
import { type Endpoint, endpointOf, withGraphql } from './open-graphql.ts';
import { cacheSchema, readCachedSchema } from './schema-cache.ts';

/** Where a schema comes from. */
type SchemaOrigin = { readonly file: string } | Endpoint;

/** The source of a schema, and how to read it. */
export interface SchemaSource {
  readonly from: SchemaOrigin;
  /** Headers for an endpoint, as `-H` takes them. */
  readonly header?: readonly string[] | undefined;
  /** Cache the schema of an endpoint for an hour. */
  readonly isCached?: boolean;
  /** Request the schema from the endpoint even if it is cached. */
  readonly refresh?: boolean | undefined;
  readonly assumeValidSchema?: boolean | undefined;
}

/**
 * The source of a schema: a file or the address of an endpoint. Default: the endpoint of the
 * current environment.
 *
 * @param endpoint The value of `--endpoint`, for commands that have it.
 * @param subject The name of the argument that has `source`, for messages.
 * @throws {MopError} `usage` when both are given, or an address is invalid; `config`.
 */
export function schemaOriginOf(
  source: string | undefined,
  context: Context,
  endpoint?: string,
  subject = '--schema',
): SchemaOrigin {
  if (source !== undefined && endpoint !== undefined) {
    throw new MopError('usage', `the schema is given both as ${subject} and with --endpoint`, {
      hint: 'leave out one of the two',
    });
  }
  if (source !== undefined && !isUrl(source)) return { file: source };
  return endpointOf(source ?? endpoint, context);
}

function isUrl(source: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(source);
}

/** The hint that lists all errors of a document, which is given as text, `@FILE` or `-`. */
export function allErrorsHint(document: string, schema: string): string {
  const isFile = document.startsWith('@');
  const file = isFile ? document.slice(1) : 'query.graphql';
  const first = isFile ? '' : 'save the document as query.graphql, and ';
  const list = quoted`to list all errors, ${own(first)}run: mop gql validate ${file} --schema ${redactUrl(schema)}`;
  return isUrl(schema) ? [REFRESH, list].join('; ') : list;
}

/** The part of a hint for a schema that may be older than the document. */
export const REFRESH = '--refresh fetches the newest schema';

/**
 * Loads a schema from a file or an endpoint.
 *
 * @throws {MopError} `usage` for a file that cannot be read or parsed; the errors of a request.
 */
export async function loadSchema(source: SchemaSource, context: Context): Promise<LoadedSchema> {
  const { from, header = [], isCached, refresh, assumeValidSchema: assumeValid } = source;
  if ('file' in from) {
    const text = await argumentText(`@${from.file}`, context.io);
    return readSchema(text, { name: from.file, assumeValid });
  }
  // The embedded sandbox ends with this process, so caching its schema is useless.
  if ('sandbox' in from) {
    return readSchema(await ask(from, header, context), { name: 'the sandbox', assumeValid });
  }
  const { address } = from;
  const options = { name: new URL(address).host, assumeValid };
  const cached =
    isCached && !refresh ? await readCachedSchema(address, header, context) : undefined;
  try {
    if (cached !== undefined) return readSchema(cached, options);
  } catch {
    // The cached copy is damaged: request the schema again.
  }
  const fresh = await ask(from, header, context);
  const schema = readServerSchema(() => readSchema(fresh, options));
  if (isCached) await cacheSchema(address, header, fresh, context);
  return schema;
}

/**
 * For `--dry-run`: prints the introspection request of each endpoint among the sources.
 *
 * @returns False when no source is an endpoint, and nothing was printed.
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

/** @throws {MopError} `api` for an invalid schema: the fault is the server's, not the user's. */
function readServerSchema(read: () => LoadedSchema): LoadedSchema {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MopError)) throw error;
    throw new MopError('api', error.message, {
      ...error.details,
      hint: 'the endpoint returned an invalid schema; --assume-valid-schema accepts it',
    });
  }
}
