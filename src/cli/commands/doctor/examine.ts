import type { ProxySettings } from '../../../http/proxy-for.ts';
import { examineCredentials } from '../../../platform/doctor/credentials.ts';
import { checked, type Finding, skipped } from '../../../platform/doctor/finding.ts';
import { examineRoute, mergeRoutes, NETWORK_CHECKS } from '../../../platform/doctor/network.ts';
import { examineSigning } from '../../../platform/doctor/signing.ts';
import { OperationClient } from '../../../platform/operation-client.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../../protocol/defaults.ts';
import { ADDRESS_PREFIX } from '../../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../../protocol/sandbox.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import { startEmbeddedSandbox } from '../../clients/connection.ts';
import { openTransport, proxySettings, transportOptions } from '../../clients/open-transport.ts';
import type { Context } from '../../context/context.ts';
import type { Settings } from '../../context/settings.ts';
import {
  type Addresses,
  type ChooseSettings,
  examineAddresses,
  examineConfiguration,
  examineKey,
  examineSecret,
  MODES,
} from './settings-checks.ts';

/** Every check, in the order of the report. The names are stable. */
export const CHECKS = [
  'configuration',
  'file-modes',
  'api-key',
  'api-secret',
  'address',
  ...NETWORK_CHECKS,
  'signing',
  'credentials',
] as const;

type CheckName = (typeof CHECKS)[number];
type Found = { readonly [name in CheckName]?: Finding | undefined };

/** How far an examination came, and why no further. */
interface Reached {
  readonly found: Found;
  readonly why?: string | undefined;
}

export interface Check extends Finding {
  readonly name: CheckName;
}

/**
 * Checks whether the settings work, from the file up to a signed call. What cannot be judged
 * because of what came before is skipped.
 *
 * @throws {MopError} `usage` for a `--ca-file` that is none; `interrupted`.
 */
export async function examine(context: Context, choose: ChooseSettings): Promise<readonly Check[]> {
  const { configuration, fileModes, settings } = await examineConfiguration(choose, context);
  const { found, why = 'it was not reached' } = settings
    ? await examineSettings(settings, fileModes, context)
    : { found: {}, why: 'the configuration cannot be used' };
  const signing = examineSigning();
  const all: Found = { configuration, 'file-modes': fileModes, signing, ...found };
  return CHECKS.map((name) => ({ name, ...(all[name] ?? skipped(why)) }));
}

async function examineSettings(
  settings: Settings,
  fileModes: Finding | undefined,
  context: Context,
): Promise<Reached> {
  if (settings.environment === 'sandbox') return examineSandbox(settings, context);
  const key = await checked(() => examineKey(settings));
  const secret =
    fileModes?.state === 'failed'
      ? { finding: skipped('see file-modes') }
      : await checked(() => examineSecret(settings, context));
  const address = await checked(() => examineAddresses(settings));
  const service = {
    addresses: address.value ?? {},
    credentials:
      key.value && secret.value ? { apiKey: key.value, secret: secret.value } : undefined,
    testEnvironment: settings.environment === 'test',
    proxy: proxySettings(context),
  };
  const { found, why } = await examineService(service, context);
  const own = { 'api-key': key.finding, 'api-secret': secret.finding, address: address.finding };
  return { found: { ...own, ...found }, why };
}

/** What goes to the network goes to the sandbox in this process, without a proxy. */
async function examineSandbox(settings: Settings, context: Context): Promise<Reached> {
  const own = skipped('the sandbox has its own');
  const { url, close } = await startEmbeddedSandbox(context, settings);
  try {
    const service = {
      addresses: { body: url, header: url },
      credentials: SANDBOX_CREDENTIALS,
      testEnvironment: false,
      proxy: {},
    };
    const { found, why } = await examineService(service, context);
    return { found: { 'api-key': own, 'api-secret': own, address: own, ...found }, why };
  } finally {
    await close();
  }
}

/** A platform to examine, as far as the settings name it. */
interface Service {
  readonly addresses: Addresses;
  readonly credentials: Credentials | undefined;
  readonly testEnvironment: boolean;
  readonly proxy: ProxySettings;
}

/** The checks of the network and of the credentials. */
async function examineService(
  { addresses, credentials, testEnvironment, proxy }: Service,
  context: Context,
): Promise<Reached> {
  const { now, signal } = context.io;
  const { dryRun, timeout: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = context.globals;
  if (dryRun) return { found: {}, why: '--dry-run sends nothing' };
  const exchange = await transportOptions(context, proxy);
  const transport = await openTransport(exchange);
  try {
    const { ca } = exchange;
    const options = { transport, proxy, ca, timeoutSeconds, signal, testEnvironment, now };
    const routes = routesTo(addresses).map((url) => examineRoute(url, options));
    const [first, ...others] = await Promise.all(routes);
    if (!first) return { found: {}, why: 'there is no address' };
    const found = mergeRoutes([first, ...others]);
    const { body: baseUrl } = addresses;
    if (baseUrl === undefined) return { found, why: 'there is no address for body signatures' };
    if (!credentials) return { found, why: 'api_key and api_secret are both needed' };
    // The route to the address of body mode comes first.
    if (first.reachable.state !== 'ok') return { found, why: 'the platform does not answer' };
    const source = { ...freshFields, now };
    const client = new OperationClient({
      credentials,
      transport,
      baseUrl,
      testEnvironment,
      source,
    });
    return { found: { ...found, credentials: await examineCredentials(client) } };
  } finally {
    await transport.close();
  }
}

/** The addresses to examine, that of body mode first; an origin that serves both modes once. */
function routesTo(addresses: Addresses): URL[] {
  const urls = MODES.flatMap((mode) => {
    const address = addresses[mode]?.replace(/\/+$/, '');
    return address === undefined ? [] : [new URL(`${address}${ADDRESS_PREFIX[mode]}/`)];
  });
  return urls.filter(({ origin }, index) => index === 0 || origin !== urls[0]?.origin);
}
