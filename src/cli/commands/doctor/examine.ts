import type { ProxySettings } from '../../../http/proxy-for.ts';
import { operationUrl } from '../../../platform/address.ts';
import { examineCredentials } from '../../../platform/doctor/credentials.ts';
import { checked, type Finding, skipped } from '../../../platform/doctor/finding.ts';
import { examineRoute, mergeRoutes, NETWORK_CHECKS } from '../../../platform/doctor/network.ts';
import { examineSigning } from '../../../platform/doctor/signing.ts';
import { type OperationMode, operationMode } from '../../../platform/operation.ts';
import { OperationClient, type PlatformClientOptions } from '../../../platform/operation-client.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../../protocol/defaults.ts';
import { BILL_PATH, type SignatureMode } from '../../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../../protocol/sandbox.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import { callerOf } from '../../clients/caller.ts';
import { startSandbox } from '../../clients/embedded-sandbox.ts';
import { refusalRecorder } from '../../clients/open-platform.ts';
import { openTransport, proxySettings, transportOptions } from '../../clients/open-transport.ts';
import type { Context } from '../../context/context.ts';
import { preferredMode, type Settings } from '../../context/settings.ts';
import {
  type Addresses,
  type ChooseSettings,
  examineAddresses,
  examineConfiguration,
  examineKey,
  examineSecret,
} from './settings-checks.ts';

/** Every check, in the order of the report. The names are stable. */
export const CHECKS = [
  'configuration',
  'file-modes',
  'api-key',
  'api-secret',
  'address',
  'open-address',
  ...NETWORK_CHECKS,
  'signing',
  'credentials',
] as const;

type CheckName = (typeof CHECKS)[number];
type Found = { readonly [name in CheckName]?: Finding | undefined };

/** The findings, and the reason to skip the other checks. */
interface PartialReport {
  readonly found: Found;
  readonly skipReason?: string | undefined;
}

export interface Check extends Finding {
  /** Only set with --all-profiles. */
  readonly profile?: string;
  readonly name: CheckName;
}

/**
 * Runs all checks, from the configuration file to a signed call. Skips checks that depend on a
 * failed check.
 */
export async function examine(context: Context, choose: ChooseSettings): Promise<readonly Check[]> {
  const { configuration, fileModes, settings } = await examineConfiguration(choose, context);
  const { found, skipReason = 'an earlier check failed' } = settings
    ? await examineSettings(settings, fileModes, context)
    : { found: {}, skipReason: 'the configuration is invalid' };
  const signing = examineSigning();
  const all: Found = { configuration, 'file-modes': fileModes, signing, ...found };
  return CHECKS.map((name) => ({ name, ...(all[name] ?? skipped(skipReason)) }));
}

async function examineSettings(
  settings: Settings,
  fileModes: Finding | undefined,
  context: Context,
): Promise<PartialReport> {
  if (settings.environment === 'sandbox') return examineSandbox(settings, context);
  const key = await checked(() => examineKey(settings));
  const secret =
    fileModes?.state === 'failed'
      ? { finding: skipped('see file-modes') }
      : await checked(() => examineSecret(settings, context));
  const { findings, addresses } = await examineAddresses(settings);
  const service = {
    addresses,
    mode: preferredMode(settings),
    credentials:
      key.value && secret.value ? { apiKey: key.value, secret: secret.value } : undefined,
    testEnvironment: settings.environment === 'test',
    proxy: proxySettings(context),
    onRefusal: refusalRecorder(callerOf(settings), context),
  };
  const { found, skipReason } = await examineService(service, context);
  const own = {
    'api-key': key.finding,
    'api-secret': secret.finding,
    address: findings.body,
    'open-address': findings.header,
  };
  return { found: { ...own, ...found }, skipReason };
}

/** Checks the sandbox in this process, without a proxy. */
async function examineSandbox(settings: Settings, context: Context): Promise<PartialReport> {
  const own = skipped('the sandbox uses its own');
  const { url, close } = await startSandbox(context, settings.get('timezone'));
  try {
    const service = {
      addresses: { body: url, header: url },
      mode: preferredMode(settings),
      credentials: SANDBOX_CREDENTIALS,
      testEnvironment: false,
      proxy: {},
      onRefusal: refusalRecorder(callerOf(settings), context),
    };
    const { found, skipReason } = await examineService(service, context);
    const settled = { 'api-key': own, 'api-secret': own, address: own, 'open-address': own };
    return { found: { ...settled, ...found }, skipReason };
  } finally {
    await close();
  }
}

/** The platform to check. Settings may be missing. */
interface Service {
  readonly addresses: Addresses;
  readonly mode: OperationMode;
  readonly credentials: Credentials | undefined;
  readonly testEnvironment: boolean;
  readonly proxy: ProxySettings;
  readonly onRefusal: PlatformClientOptions['onRefusal'];
}

/** Runs the checks of the network and of the credentials. */
async function examineService(
  { addresses, mode: preferred, credentials, testEnvironment, proxy, onRefusal }: Service,
  context: Context,
): Promise<PartialReport> {
  const { now, signal } = context.io;
  const { dryRun, timeout: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = context.globals;
  if (dryRun) return { found: {}, skipReason: '--dry-run sends nothing' };
  const exchange = await transportOptions(context, proxy);
  const transport = await openTransport(exchange);
  try {
    const { ca } = exchange;
    const options = { transport, proxy, ca, timeoutSeconds, signal, testEnvironment, now };
    // The mode of the check `credentials`; its route comes first.
    const mode = operationMode({ path: BILL_PATH }, preferred);
    const routes = routesTo(addresses, mode).map((url) => examineRoute(url, options));
    const [first, ...others] = await Promise.all(routes);
    if (!first) return { found: {}, skipReason: 'there is no address' };
    const found = mergeRoutes([first, ...others]);
    if (addresses[mode] === undefined) {
      return { found, skipReason: `there is no usable address for ${mode} mode; see --mode` };
    }
    if (!credentials)
      return { found, skipReason: 'api_key or api_secret is not usable: see their checks' };
    if (first.reachable.state !== 'ok')
      return { found, skipReason: 'the platform does not answer' };
    const client = new OperationClient({
      credentials,
      transport,
      baseUrl: addresses.body,
      openBaseUrl: addresses.header,
      mode,
      testEnvironment,
      onRefusal,
      source: { ...freshFields, now },
    });
    return { found: { ...found, credentials: await examineCredentials(client) } };
  } finally {
    await transport.close();
  }
}

/** The addresses to check, starting with mode `first`. An origin shared by both is checked once. */
function routesTo(addresses: Addresses, first: SignatureMode): URL[] {
  const modes = [first, first === 'body' ? 'header' : 'body'] as const;
  const urls = modes.flatMap((mode) => {
    const address = addresses[mode];
    return address === undefined ? [] : [operationUrl(address, mode, '/')];
  });
  return urls.filter(({ origin }, index) => index === 0 || origin !== urls[0]?.origin);
}
