import { MopError } from '../errors.ts';
import type { GraphqlClient } from '../graphql/client.ts';
import { endpointFault } from '../http/address.ts';
import { credentialsIn } from '../http/headers.ts';
import type { HttpRequest, TransportOptions } from '../http/transport.ts';
import { GRAPHQL_PATH } from '../protocol/graphql.ts';
import { openConnection } from './connection.ts';
import { type Context, settingsOf } from './context.ts';
import { parseHeader } from './request-input.ts';
import type { Settings } from './settings.ts';
import { openTransport, proxySettings, transportOptions } from './transport.ts';

/** The options that say which endpoint is asked, and how. */
export interface EndpointOptions {
  readonly endpoint?: string | undefined;
  readonly header?: readonly string[] | undefined;
}

/** A client, and what it takes to speak to its endpoint in another way. */
export interface GraphqlConnection {
  readonly client: GraphqlClient;
  readonly headers: HttpRequest['headers'];
  readonly options: TransportOptions;
}

/**
 * Runs `use` with a client for `--endpoint`, or else for the endpoint of the environment in force,
 * and ends its connections.
 *
 * @throws {MopError} `config` without an address, `usage` for a header that cannot be sent.
 */
export async function withGraphql<T>(
  context: Context,
  { endpoint, header = [] }: EndpointOptions,
  use: (connection: GraphqlConnection) => Promise<T> | T,
): Promise<T> {
  const headers = header.map(parseHeader);
  concealAll(credentialsIn(headers), context);
  const { GraphqlClient } = await import('../graphql/client.ts');
  const { transport, options, url, close } =
    endpoint === undefined ? await ofEnvironment(context) : await ofAddress(endpoint, context);
  try {
    const client = new GraphqlClient({
      endpoint: url,
      transport,
      headers,
      retries: context.globals.retries,
      sleep: context.sleep,
      now: context.io.now,
    });
    return await use({ client, headers, options });
  } finally {
    await close();
  }
}

/** Keeps credentials out of all that is said, also where a server repeats them. */
export function concealAll(secrets: readonly string[], { output }: Context): void {
  // Shorter ones stand everywhere, and hide nothing.
  for (const secret of secrets) if (secret.length >= 4) output.conceal(secret);
}

/** The endpoint of the environment in force; undefined for the sandbox, which has no address yet. */
export function configuredEndpoint(context: Context): string | undefined {
  const settings = settingsOf(context);
  return settings.environment === 'sandbox' ? undefined : gqlUrl(settings);
}

/** @throws {MopError} `usage` for what is not the address of an endpoint. */
export function checkAddress(address: string): void {
  const fault = endpointFault(address);
  if (fault === undefined) return;
  throw new MopError('usage', `the address of the endpoint is not usable: ${fault}`, {
    hint: 'write it as https://HOST/graphql',
  });
}

async function ofAddress(url: string, context: Context) {
  checkAddress(url);
  const options = await transportOptions(context, proxySettings(context));
  const transport = await openTransport(options);
  return { transport, options, url, close: () => transport.close() };
}

async function ofEnvironment(context: Context) {
  const settings = settingsOf(context);
  const address = settings.environment === 'sandbox' ? undefined : gqlUrl(settings);
  const connection = await openConnection(context, settings, { model: true });
  return { ...connection, url: address ?? `${connection.sandboxUrl}${GRAPHQL_PATH}` };
}

function gqlUrl(settings: Settings): string {
  const address = settings.get('gql_url');
  if (address !== undefined) return address;
  throw new MopError('config', 'no address of a GraphQL endpoint: gql_url is not set', {
    hint: 'give --endpoint URL, or set it: mop config set gql_url https://HOST/graphql (or try --env sandbox)',
  });
}
