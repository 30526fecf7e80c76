import { MopError, quoted } from '../../errors.ts';
import { failureReason } from '../../files/file-error.ts';
import { percentDecoded } from '../../http/address.ts';
import type { ProxySettings } from '../../http/proxy-for.ts';
import type { Transport, TransportOptions } from '../../http/transport.ts';
import type { Context } from '../context/context.ts';
import { fileBytes, limitOf } from '../context/input.ts';
import { visibleLine } from '../context/visible-text.ts';

/** The options of the transport, from the global options. */
export async function transportOptions(
  { io, globals, output }: Context,
  proxy: ProxySettings,
): Promise<TransportOptions> {
  return {
    proxy,
    timeoutSeconds: globals.timeout,
    ca: globals.caFile === undefined ? undefined : await trusted(globals.caFile, io.env),
    signal: io.signal,
    trace: globals.verbose ? (line) => output.line(visibleLine(line)) : undefined,
  };
}

/** Opens a transport. Loads undici, which takes as long as Node's own start. Close it when done. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { Transport } = await import('../../http/transport.ts');
  return new Transport(options);
}

/**
 * The proxies of `--proxy`, or else of the usual variables. As in curl, lower-case variables take
 * precedence. Redacts passwords in messages from now on.
 */
export function proxySettings(context: Context): ProxySettings {
  const settings = givenProxies(context);
  for (const address of [settings.http, settings.https]) concealPassword(address, context);
  return settings;
}

function givenProxies({ globals, io: { env } }: Context): ProxySettings {
  if (globals.proxy !== undefined) return { http: globals.proxy, https: globals.proxy };
  return {
    http: env.http_proxy || env.HTTP_PROXY,
    https: env.https_proxy || env.HTTPS_PROXY,
    except: env.no_proxy || env.NO_PROXY,
  };
}

/** A proxy for plain http receives the password in a header, and may repeat it in an answer. */
function concealPassword(address: string | undefined, { output }: Context): void {
  const [, password] = /^(?:[^/]*\/\/)?[^/@:]*:([^/]*)@/.exec(address ?? '') ?? [];
  if (password !== undefined) output.conceal(percentDecoded(password));
}

/** The certificates of `--ca-file`, and the additional ones that Node trusts. */
async function trusted(file: string, env: Context['io']['env']): Promise<string> {
  const extra = env.NODE_EXTRA_CA_CERTS;
  const files = extra ? [file, extra] : [file];
  return (await Promise.all(files.map(readCertificates))).join('\n');
}

async function readCertificates(path: string): Promise<string> {
  const text = await readPem(path);
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  // Loaded here because it takes long and few commands need it.
  const { X509Certificate } = await import('node:crypto');
  const isCertificate = (pem: string): boolean => {
    try {
      return new X509Certificate(pem).raw.length > 0;
    } catch {
      return false;
    }
  };
  if (certificates.length > 0 && certificates.every(isCertificate)) return text;
  throw new MopError('usage', `${path} contains no PEM certificate, or a damaged one`, {
    hint: quoted`name a PEM file; to convert DER: openssl x509 -inform der -in ${path} -out ca.pem`,
  });
}

const PEM_HINT = 'set --ca-file or NODE_EXTRA_CA_CERTS to a PEM file';
/** The certificates of an operating system take about 200 KiB. */
const PEM_LIMIT = limitOf(16, PEM_HINT);

async function readPem(path: string): Promise<string> {
  try {
    return (await fileBytes(path, PEM_LIMIT)).toString();
  } catch (error) {
    if (error instanceof MopError) throw error;
    const message = `cannot read the certificates in ${path}: ${failureReason(error)}`;
    throw new MopError('usage', message, { hint: PEM_HINT, cause: error });
  }
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----.*?(?:-----END CERTIFICATE-----|$)/gs;
