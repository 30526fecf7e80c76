import { type FileHandle, open } from 'node:fs/promises';
import { MopError } from '../../errors.ts';
import { fileError } from '../../files/file-error.ts';
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
import { startProxy } from '../../proxy/proxy.ts';
import type { Addresses } from '../../proxy/route.ts';
import type { Exchange } from '../../server/requests/history.ts';
import { withoutCredentials } from '../../server/requests/without-credentials.ts';
import type { KnownSecret } from '../../signing/diagnosis/mistake.ts';
import { type Header, headerValue } from '../../signing/header-mode.ts';
import type { ReceivedRequest } from '../../signing/received-request.ts';
import { type Credentials, freshFields } from '../../signing/request-fields.ts';
import { distinct } from '../../signing/verification/verify-request.ts';
import { VERSION } from '../../version.ts';
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
      if (options.record !== undefined) record = await openHarRecord(options.record, output);
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
      hint: addressHint(settings),
    });
  };
  const addresses = { body: addressOf('body'), header: addressOf('header') };
  const missing = SIGNATURE_MODES.filter((mode) => addresses[mode] === undefined);
  const [first] = missing;
  if (missing.length === SIGNATURE_MODES.length && first) {
    const hint = addressHint(settings);
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

/** A HAR file that grows by one entry for each exchange and is complete after each. */
interface HarRecord {
  readonly add: (exchange: Exchange) => void;
  readonly close: () => Promise<void>;
}

const HEAD = `{"log":{"version":"1.2","creator":{"name":"mop","version":"${VERSION}"},"entries":[`;
const TAIL = '\n]}}\n';

/**
 * Opens a new HAR file (HAR 1.2) that only its owner can read. It contains signatures, but no
 * secret.
 */
async function openHarRecord(path: string, output: Output): Promise<HarRecord> {
  const fail = (error: unknown): never => {
    throw fileError(error, `cannot write ${path}`);
  };
  const file = await open(path, 'wx', 0o600).catch(fail);
  await writeAll(file, HEAD + TAIL, 0).catch(fail);
  let end = HEAD.length;
  let waiting: string[] = [];
  // Write all entries at once: under load, a write for each would fall behind and memory would grow.
  const writeWaiting = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    const text = `${end === HEAD.length ? '\n' : ',\n'}${entries.join(',\n')}`;
    try {
      await writeAll(file, text + TAIL, end).catch(async (error: unknown) => {
        // Restore the previous end of the file; it needs no additional space.
        await writeAll(file, TAIL, end);
        await file.truncate(end + TAIL.length);
        throw error;
      });
      end += Buffer.byteLength(text);
    } catch (error) {
      const lost = entries.length === 1 ? 'an exchange' : `${entries.length} exchanges`;
      const { message } = fileError(error, `${path} is missing ${lost}`) as Error;
      output.warn(message);
    }
  };
  let written = Promise.resolve();
  return {
    add: (exchange) => {
      const shown = withoutCredentials({ ...exchange, layers: null }, output.cleanData);
      waiting.push(JSON.stringify(harEntry(shown)));
      written = written.then(writeWaiting);
    },
    close: async () => {
      await written;
      await file.close();
    },
  };
}

/** On a full disk, a write may be partial without an error. */
async function writeAll(file: FileHandle, text: string, position: number): Promise<void> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, null, position + done);
    done += bytesWritten;
  }
}

/** An exchange without credentials as an entry of a HAR file. */
function harEntry(exchange: Exchange): object {
  const { time, milliseconds, status, signature, diagnosis = [], request, answer } = exchange;
  const { headers = [], body } = answer ?? {};
  return {
    startedDateTime: new Date(time - milliseconds).toISOString(),
    time: milliseconds,
    request: {
      method: exchange.method,
      url: request?.url ?? exchange.path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(request?.headers ?? []),
      queryString: [],
      ...(request && { postData: postData(request) }),
      headersSize: -1,
      bodySize: -1,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(headers),
      content: {
        size: body === undefined ? 0 : Buffer.byteLength(body),
        mimeType: headerValue(headers, 'Content-Type') ?? 'application/octet-stream',
        ...(body !== undefined && { text: body }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    _mop: { signature: signature ?? null, diagnosis: diagnosis.map(({ id }) => id) },
  };
}

function harHeaders(headers: readonly Header[]): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function postData({ headers = [], body }: ReceivedRequest): object {
  const mimeType = headerValue(headers, 'Content-Type') ?? 'application/json';
  if (typeof body === 'string') return { mimeType, text: body };
  return {
    mimeType,
    params: body.map((field) =>
      'file' in field ? { name: field.name, fileName: field.file } : field,
    ),
  };
}
