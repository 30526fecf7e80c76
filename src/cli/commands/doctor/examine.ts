import { type Finding, skipped } from '../../../platform/doctor/finding.ts';
import { NETWORK_CHECKS, noNetwork } from '../../../platform/doctor/network.ts';
import { examineSigning } from '../../../platform/doctor/signing.ts';
import { SANDBOX_CREDENTIALS } from '../../../protocol/sandbox.ts';
import type { Context } from '../../context.ts';
import { proxySettings, startEmbeddedSandbox } from '../../platform.ts';
import type { Settings } from '../../settings.ts';
import { examineAddresses } from './addresses.ts';
import { examineConfiguration, type LoadSettings } from './configuration.ts';
import { examineKey } from './key.ts';
import { examineSecret } from './secret.ts';
import { examineService } from './service.ts';

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
type Findings<Name extends CheckName> = { readonly [name in Name]: Finding };

export interface Check extends Finding {
  readonly name: CheckName;
}

/**
 * Checks whether the settings work, from the file up to a signed call. What cannot be judged
 * because of what came before is skipped.
 *
 * @throws {MopError} `usage` for a `--ca-file` that is none; `interrupted`.
 */
export async function examine(context: Context, load: LoadSettings): Promise<readonly Check[]> {
  const { configuration, fileModes, settings } = examineConfiguration(load, context);
  const findings: Findings<CheckName> = {
    configuration,
    'file-modes': fileModes,
    ...(settings ? await examineSettings(settings, fileModes, context) : WITHOUT_SETTINGS),
    signing: examineSigning(),
  };
  return CHECKS.map((name) => ({ name, ...findings[name] }));
}

type OfSettings = Findings<Exclude<CheckName, 'configuration' | 'file-modes' | 'signing'>>;

const NO_SETTINGS = 'the configuration cannot be used';
const WITHOUT_SETTINGS: OfSettings = {
  'api-key': skipped(NO_SETTINGS),
  'api-secret': skipped(NO_SETTINGS),
  address: skipped(NO_SETTINGS),
  ...noNetwork(NO_SETTINGS),
  credentials: skipped(NO_SETTINGS),
};

async function examineSettings(
  settings: Settings,
  fileModes: Finding,
  context: Context,
): Promise<OfSettings> {
  if (settings.environment === 'sandbox') return examineSandbox(settings, context);
  const { apiKey, key } = examineKey(settings);
  const { apiSecret, secret } =
    fileModes.state === 'failed'
      ? { apiSecret: skipped('see file-modes'), secret: undefined }
      : await examineSecret(settings, context);
  const { address, addresses } = examineAddresses(settings);
  const credentials =
    key !== undefined && secret !== undefined ? { apiKey: key, secret } : undefined;
  const testEnvironment = settings.environment === 'test';
  const proxy = proxySettings(context);
  return {
    'api-key': apiKey,
    'api-secret': apiSecret,
    address,
    ...(await examineService({ addresses, credentials, testEnvironment, proxy }, context)),
  };
}

/** What goes to the network goes to the sandbox in this process, without a proxy. */
async function examineSandbox(settings: Settings, context: Context): Promise<OfSettings> {
  const own = skipped('the sandbox has its own');
  const { url, close } = await startEmbeddedSandbox(settings, context.io.now);
  try {
    const service = {
      addresses: { body: url, header: url },
      credentials: SANDBOX_CREDENTIALS,
      testEnvironment: false,
      proxy: {},
    };
    return {
      'api-key': own,
      'api-secret': own,
      address: own,
      ...(await examineService(service, context)),
    };
  } finally {
    await close();
  }
}
