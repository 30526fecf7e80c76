import { MopError } from '../../errors.ts';
import { aborted } from '../../http/abort.ts';
import { Transport } from '../../http/transport.ts';
import {
  addressNeed,
  addressSetting,
  missingAddress,
  platformAddressFault,
} from '../../platform/address.ts';
import { DEFAULT_TIMEOUT_SECONDS, PROXY_PORT } from '../../protocol/defaults.ts';
import { SIGNATURE_MODES, type SignatureMode } from '../../protocol/operations.ts';
import { type HarRecord, openHarRecord } from '../../proxy/har-record.ts';
import { startProxy } from '../../proxy/proxy.ts';
import type { Addresses } from '../../proxy/route.ts';
import type { KnownSecret } from '../../signing/diagnosis/mistake.ts';
import { type Credentials, freshFields } from '../../signing/request-fields.ts';
import { distinct } from '../../signing/verification/verify-request.ts';
import { startSandbox } from '../clients/embedded-sandbox.ts';
import { loadedSecrets, SANDBOX_SECRET } from '../clients/keyring.ts';
import { proxySettings, transportOptions } from '../clients/open-transport.ts';
import { type Context, settingsOf } from '../context/context.ts';
import type { Output } from '../context/output.ts';
import { loadCredentials, profileSecrets, secretSource } from '../context/secret.ts';
import { addressHint, type Settings } from '../context/settings.ts';
import type { Call } from '../frame/command.ts';
import { pageOrigins, requestLog, type ServingOptions, servingHost } from './serving.ts';

interface ProxyCommandOptions extends ServingOptions {
  readonly signAll?: boolean;
  readonly record?: string;
}

/** Serves until a signal ends it. */
export async function run({ options, context }: Call<ProxyCommandOptions>): Promise<never> {
  const { output, io, globals } = context;
  const host = servingHost(options, 'proxy', 'its clients act with your credentials');
  const allowedOrigins = new Set(pageOrigins(options));
  const settings = settingsOf(context);
  const isSandbox = settings.environment === 'sandbox';
  const credentials = await loadCredentials(settings, context);
  const configured = isSandbox ? undefined : configuredAddresses(settings, output);
  let record: HarRecord | undefined;
  const log = options.log ? await requestLog(output) : undefined;
  const sandbox = configured ? undefined : await startSandbox(context, settings.get('timezone'));
  const transport = new Transport({
    ...(await transportOptions(context, isSandbox ? {} : proxySettings(context))),
    // Requests in progress may finish after the signal.
    signal: undefined,
  });
  try {
    const proxy = await startProxy({
      host,
      port: options.port ?? PROXY_PORT,
      allowedOrigins,
      allowRemote: options.allowRemote ?? false,
      addresses: configured ?? { body: sandbox?.url, header: sandbox?.url },
      credentials,
      transport,
      source: { ...freshFields, now: io.now },
      signAll: options.signAll ?? false,
      secrets: await knownSecrets(settings, credentials, context),
      hide: output.cleanData,
      // A client cannot send while the platform does not read: --timeout must expire first.
      idleMs: (globals.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000 + 5000,
      onExchange: (exchange) => {
        log?.(exchange);
        // A refused exchange has no content to record.
        if (exchange.request || exchange.answer) record?.add(exchange);
      },
    });
    try {
      // Open the record last: a port in use must not leave an empty one.
      if (options.record !== undefined)
        record = await openHarRecord(options.record, output.cleanData, (text) => output.warn(text));
      await announce(proxy.url, settings, output);
      return await aborted(io.signal);
    } finally {
      await proxy.close();
    }
  } finally {
    await record?.close();
    await transport.close();
    await sandbox?.close();
  }
}

/** @throws {MopError} `config` when neither address is set, or one is not usable. */
function configuredAddresses(settings: Settings, output: Output): Addresses {
  const test = settings.environment === 'test';
  const addressOf = (mode: SignatureMode): string | undefined => {
    const setting = addressSetting(mode, test);
    const address = settings.get(setting);
    const fault = address === undefined ? undefined : platformAddressFault(address);
    if (fault === undefined) return address;
    throw new MopError('config', `the configured ${setting} is not usable: ${fault}`, {
      hint: addressHint(settings, mode),
    });
  };
  const addresses = { body: addressOf('body'), header: addressOf('header') };
  const missing = SIGNATURE_MODES.filter((mode) => addresses[mode] === undefined);
  const [first] = missing;
  if (missing.length === SIGNATURE_MODES.length && first) {
    const hint = addressHint(settings, first);
    throw missingAddress(addressSetting(first, test), addressNeed(first, 'documented'), hint);
  }
  for (const mode of missing) {
    output.warn(`${addressSetting(mode, test)} is not set: requests in ${mode} mode are refused`);
  }
  return addresses;
}

/** The current secret, then those of other profiles, except secrets that a command prints. */
async function knownSecrets(settings: Settings, credentials: Credentials, context: Context) {
  if (settings.environment === 'sandbox') return [SANDBOX_SECRET];
  const known: KnownSecret[] = [{ name: secretSource(settings), ...credentials }, SANDBOX_SECRET];
  // Otherwise any client of the proxy could start the commands.
  const others = profileSecrets(context).filter(({ runsCommand }) => !runsCommand);
  for await (const secret of loadedSecrets(others)) known.push(secret);
  return distinct(known);
}

async function announce(url: string, settings: Settings, output: Output): Promise<void> {
  const facts = { url, base_url: url, open_base_url: url };
  if (output.json) return output.document(facts);
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(13)}  ${value}`);
  await output.data(lines.join('\n'));
  output.note(
    `The proxy signs for profile ${settings.profile} (${settings.environment}); Ctrl-C ends it. ${url}/requests shows its requests.`,
  );
}
