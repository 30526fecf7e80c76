import { MopError, quoted } from '../../errors.ts';
import { GraphqlClient } from '../../graphql/client.ts';
import { endpointFault } from '../../http/address.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { TransportOptions } from '../../http/transport.ts';
import { GRAPHQL_PATH } from '../../protocol/defaults.ts';
import { redactUrl } from '../../redaction/redact.ts';
import { type Context, settingsOf } from '../context/context.ts';
import { readHeaders } from '../context/request-content.ts';
import type { Settings } from '../context/settings.ts';
import type { StartSandbox } from './connection.ts';
import { openConnection } from './connection.ts';
import { sandboxStarter } from './embedded-sandbox.ts';

/** A GraphQL endpoint: an address, or the sandbox of this process, which has no address yet. */
export type Endpoint = { readonly address: string } | { readonly sandbox: StartSandbox };

/** The endpoint at an address. Default: the endpoint of the current environment. */
export function endpointOf(given: string | undefined, context: Context): Endpoint {
  if (given !== undefined) {
    const fault = endpointFault(given);
    if (fault === undefined) return { address: given };
    throw new MopError(
      'usage',
      `the endpoint ${JSON.stringify(redactUrl(given))} is not usable: ${fault}`,
      {
        hint: 'write it as https://HOST/graphql',
      },
    );
  }
  const settings = settingsOf(context);
  const sandbox = sandboxStarter(context, settings, true);
  return sandbox ? { sandbox } : { address: gqlUrl(settings) };
}

/** A client, with the headers and options to connect to its endpoint over another protocol. */
export interface GraphqlConnection {
  readonly client: GraphqlClient;
  readonly headers: HttpRequest['headers'];
  readonly options: TransportOptions;
}

/** Runs `use` with a client for an endpoint, and ends its connections. */
export async function withGraphql<T>(
  context: Context,
  endpoint: Endpoint,
  header: readonly string[] | undefined,
  use: (connection: GraphqlConnection) => Promise<T> | T,
): Promise<T> {
  const headers = readHeaders(header, context);
  const start = 'sandbox' in endpoint ? endpoint.sandbox : undefined;
  const { transport, options, sandboxUrl, close } = await openConnection(context, start);
  const url = 'address' in endpoint ? endpoint.address : `${sandboxUrl}${GRAPHQL_PATH}`;
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

function gqlUrl(settings: Settings): string {
  const address = settings.get('gql_url');
  if (address !== undefined) return address;
  throw new MopError('config', 'no address of a GraphQL endpoint: gql_url is not set', {
    hint: quoted`give --endpoint URL, set MOP_GQL_URL, add --env sandbox, or run: mop config set gql_url https://HOST/graphql -p ${settings.profile}`,
  });
}
