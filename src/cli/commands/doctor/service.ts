import type { ProxySettings } from '../../../http/proxy-for.ts';
import type { Transport } from '../../../http/transport.ts';
import { PlatformClient } from '../../../platform/client.ts';
import { examineCredentials } from '../../../platform/doctor/credentials.ts';
import { type Finding, failed, reportable, skipped } from '../../../platform/doctor/finding.ts';
import {
  examineWay,
  mergeWays,
  type NetworkFindings,
  noNetwork,
} from '../../../platform/doctor/network.ts';
import { ADDRESS_PREFIX, type SignatureMode } from '../../../protocol/operations.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import type { Context } from '../../context.ts';
import { openTransport, transportOptions } from '../../platform.ts';
import type { Addresses } from './addresses.ts';

/** A platform to examine, as far as the settings name it. */
export interface Service {
  readonly addresses: Addresses;
  readonly credentials: Credentials | undefined;
  readonly testEnvironment: boolean;
  readonly proxy: ProxySettings;
}

export interface ServiceFindings extends NetworkFindings {
  readonly credentials: Finding;
}

/**
 * The checks of the network and of the credentials.
 *
 * @throws {MopError} `usage` for a `--ca-file` that is none; `interrupted`.
 */
export async function examineService(service: Service, context: Context): Promise<ServiceFindings> {
  if (context.globals.dryRun) return noService('--dry-run sends nothing');
  const options = await transportOptions(context, service.proxy);
  let transport: Transport;
  try {
    transport = await openTransport(options);
  } catch (error) {
    return { ...noService('the proxy cannot be used'), proxy: failed(reportable(error)) };
  }
  try {
    return await overTransport(transport, options.ca, service, context);
  } finally {
    await transport.close();
  }
}

/** The transport's own, for a step outside of it. */
const DEFAULT_TIMEOUT_SECONDS = 30;

async function overTransport(
  transport: Transport,
  ca: string | undefined,
  { addresses, credentials, testEnvironment, proxy }: Service,
  { io: { now, signal }, globals: { timeout: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } }: Context,
): Promise<ServiceFindings> {
  const options = { transport, proxy, ca, timeoutSeconds, signal, testEnvironment, now };
  const ways = waysTo(addresses).map((url) => examineWay(url, options));
  const [first, ...others] = await Promise.all(ways);
  if (!first) return noService('there is no address');
  const network = mergeWays([first, ...others]);
  const { body: baseUrl } = addresses;
  const without = (reason: string): ServiceFindings => ({
    ...network,
    credentials: skipped(reason),
  });
  if (baseUrl === undefined) return without('there is no address for body signatures');
  if (!credentials) return without('api_key and api_secret are both needed');
  // The way to the address of body mode comes first.
  if (first.reachable.state !== 'ok') return without('the platform does not answer');
  const source = { ...freshFields, now };
  const client = new PlatformClient({ credentials, transport, baseUrl, testEnvironment, source });
  return { ...network, credentials: await examineCredentials(client) };
}

function noService(reason: string): ServiceFindings {
  return { ...noNetwork(reason), credentials: skipped(reason) };
}

const MODES: readonly SignatureMode[] = ['body', 'header'];

/** Where to go, that of body mode first; an origin that serves both modes once. */
function waysTo(addresses: Addresses): URL[] {
  const urls = MODES.flatMap((mode) => {
    const address = addresses[mode]?.replace(/\/+$/, '');
    return address === undefined ? [] : [new URL(`${address}${ADDRESS_PREFIX[mode]}/`)];
  });
  return urls.filter(({ origin }, index) => index === 0 || origin !== urls[0]?.origin);
}
