import { MopError } from '../../errors.ts';
import { counted } from '../../files/counts.ts';
import { introspect, introspectionRequest } from '../../graphql/introspection.ts';
import { type LoadedSchema, type NamedText, readSchema } from '../../graphql/schema.ts';
import { printJson } from '../../json/print.ts';
import type { Context } from '../context/context.ts';
import { printDryRun } from '../context/dry-run.ts';
import type { GraphqlProject } from './graphql-config.ts';
import { type Endpoint, endpointOf, withGraphql } from './open-graphql.ts';
import { cacheSchema, readCachedSchema } from './schema-cache.ts';

/** Files, directories, patterns and `git:REF:PATH`; or an endpoint. */
export type SchemaOrigin =
  | { readonly files: readonly string[] }
  | (Endpoint & { readonly header?: readonly string[] });

/** The source of a schema, and how to read it. */
export interface SchemaSource {
  /** Together they are one schema. */
  readonly from: readonly SchemaOrigin[];
  /** Headers for all endpoints, as `-H` takes them. */
  readonly header?: readonly string[] | undefined;
  /** Cache the schema of an endpoint for an hour. */
  readonly isCached?: boolean;
  /** Request the schema from the endpoint even if it is cached. */
  readonly refresh?: boolean | undefined;
  readonly assumeValidSchema?: boolean | undefined;
  /** Read the part that the clients of a gateway see. */
  readonly forClients?: boolean;
}

/** The origins of a schema. Default: the endpoint of the current environment. */
export function schemaOriginsOf(
  sources: readonly string[] | undefined,
  context: Context,
  endpoint?: string,
  subject = '--schema',
): readonly SchemaOrigin[] {
  if (sources === undefined) return [endpointOf(endpoint, context)];
  if (endpoint !== undefined) {
    throw new MopError('usage', `the schema is given both as ${subject} and with --endpoint`, {
      hint: 'leave out one of the two',
    });
  }
  return originsOf(
    sources.map((source) => ({ source })),
    context,
  );
}

interface GivenSource {
  readonly source: string;
  readonly header?: readonly string[];
}

/** One origin for each URL, and one for all files: a pattern may remove files of another one. */
function originsOf(sources: readonly GivenSource[], context: Context): readonly SchemaOrigin[] {
  const isUrl = ({ source }: GivenSource): boolean => /^(?:https?|wss?):\/\//i.test(source);
  const files = sources.filter((each) => !isUrl(each)).map(({ source }) => source);
  const endpoints = sources.filter(isUrl).map(
    ({ source, header }): SchemaOrigin => ({
      ...endpointOf(source, context),
      ...(header && { header }),
    }),
  );
  return files.length > 0 ? [{ files }, ...endpoints] : endpoints;
}

/** The origins that a `.graphqlrc` names; undefined if it names none. */
export function projectOrigins(
  project: GraphqlProject | undefined,
  context: Context,
  header: readonly string[] = [],
): readonly SchemaOrigin[] | undefined {
  if (!project || project.schema.length === 0) return undefined;
  const origins = originsOf(project.schema, context);
  if (header.length === 0 || !origins.some(isEndpoint)) return origins;
  throw new MopError('usage', `${project.file} names the endpoint, so -H is not sent to it`, {
    hint: 'name the address with --schema URL, or write the header into that file',
  });
}

export function isEndpoint(origin: SchemaOrigin): origin is Endpoint & Pick<GivenSource, 'header'> {
  return !('files' in origin);
}

/** The hint for a document that is invalid against a schema. */
export const DOCUMENT_HINT =
  'mop gql help explains the language; --refresh updates a cached schema';

/** Loads a schema. A note gives the age of a cached one. */
export async function loadSchema(source: SchemaSource, context: Context): Promise<LoadedSchema> {
  const { from, forClients, assumeValidSchema: assumeValid } = source;
  const parts: SchemaPart[] = [];
  for (const origin of from) parts.push(await readOrigin(origin, source, context));
  const [only, ...others] = from;
  const isOfServer = only && isEndpoint(only) && others.length === 0;
  const read = (): LoadedSchema => {
    try {
      const texts = parts.flatMap((part) => part.texts);
      return readSchema(texts, { assumeValid, forClients });
    } catch (error) {
      throw isOfServer ? serverFault(error) : error;
    }
  };
  let schema: LoadedSchema;
  try {
    schema = read();
  } catch (error) {
    if (!parts.some(isCachedPart)) throw error;
    // A cached copy may be damaged or outdated.
    for (const [at, origin] of from.entries()) {
      const isStale = parts[at] && isCachedPart(parts[at]);
      if (isStale) parts[at] = await readOrigin(origin, { ...source, refresh: true }, context);
    }
    schema = read();
  }
  for (const { store } of parts) await store?.();
  const { ageMs } = parts.find(isCachedPart) ?? {};
  if (ageMs !== undefined) {
    const minutes = Math.floor(ageMs / 60_000);
    const age = minutes === 0 ? 'less than a minute' : counted(minutes, 'minute');
    context.output.note(`the schema was cached ${age} ago; --refresh fetches it again`);
  }
  return schema;
}

function isCachedPart({ ageMs }: SchemaPart): boolean {
  return ageMs !== undefined;
}

interface SchemaPart {
  readonly texts: readonly NamedText[];
  /** The age of a cached copy. */
  readonly ageMs?: number;
  /** Caches a fresh copy. */
  readonly store?: () => Promise<void>;
}

async function readOrigin(
  origin: SchemaOrigin,
  { header: given, isCached, refresh }: SchemaSource,
  context: Context,
): Promise<SchemaPart> {
  if ('files' in origin) {
    const { graphqlTexts } = await import('./graphql-files.ts');
    return { texts: await graphqlTexts(origin.files, context.io) };
  }
  const header = headersFor(origin, given);
  // The embedded sandbox ends with this process, so caching its schema is useless.
  if ('sandbox' in origin) {
    return { texts: [{ name: 'the sandbox', text: await ask(origin, header, context) }] };
  }
  const { address } = origin;
  const name = new URL(address).host;
  const cached =
    isCached && !refresh ? await readCachedSchema(address, header, context) : undefined;
  if (cached) return { texts: [{ name, text: cached.text }], ageMs: cached.ageMs };
  const text = await ask(origin, header, context);
  return {
    texts: [{ name, text }],
    ...(isCached && { store: () => cacheSchema(address, header, text, context) }),
  };
}

/** For `--dry-run`: prints the introspection request of each endpoint among the sources. */
export async function printSchemaRequests(
  sources: readonly SchemaSource[],
  context: Context,
): Promise<boolean> {
  const request = introspectionRequest();
  const shown = [];
  for (const { from, header } of sources) {
    for (const origin of from.filter(isEndpoint)) {
      const headers = headersFor(origin, header);
      shown.push(
        await withGraphql(context, origin, headers, ({ client }) => client.httpRequest(request)),
      );
    }
  }
  if (shown.length > 0) await printDryRun(shown, context.output);
  return shown.length > 0;
}

/** The headers of the command line, and the headers of the URL in `.graphqlrc`. */
function headersFor(origin: Endpoint & Pick<GivenSource, 'header'>, given: readonly string[] = []) {
  return [...given, ...(origin.header ?? [])];
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

/** An invalid schema of an endpoint: the fault is the server's, not the user's. */
function serverFault(error: unknown): unknown {
  if (!(error instanceof MopError)) return error;
  return new MopError('api', error.message, {
    ...error.details,
    hint: 'the endpoint returned an invalid schema: try --assume-valid-schema, or pass the schema as a file',
  });
}
