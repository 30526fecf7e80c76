import type { Duplex } from 'node:stream';
import { type Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { MopError } from '../errors.ts';
import { percentDecoded } from './address.ts';
import { ProxyFailure } from './network-error.ts';

/** The address of a proxy. The default scheme is http, like in curl. */
export function proxyUrl(text: string): URL {
  const url = /^[^/]+:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url);
  throw new MopError('usage', 'the address of the proxy is not an http or https URL', {
    hint: 'write it as http://HOST:PORT',
  });
}

export interface ProxyAgentOptions {
  readonly proxy: URL;
  readonly pool: Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout' | 'allowH2'>;
  readonly connect: buildConnector.BuildOptions;
}

/** Sends exchanges through a proxy. Failures of the proxy are thrown as {@link ProxyFailure}. */
export function proxyAgent({ proxy, pool, connect }: ProxyAgentOptions): Dispatcher {
  const { href } = proxy;
  return new ProxyAgent({
    ...pool,
    uri: href,
    requestTls: connect,
    proxyTls: connect,
    ...(proxy.username && { token: basicToken(proxy) }),
    // Plain http goes to the proxy as curl sends it; only TLS is tunnelled.
    proxyTunnel: false,
    // Requests tunnels from the proxy; undici sets no time-outs for it.
    clientFactory: (origin, options) =>
      new Pool(origin, { ...pool, ...marked(options, () => true) }),
    // Connects to the proxy for plain http, or to the target through a tunnel.
    factory: (origin, options) =>
      new Pool(origin, {
        ...pool,
        ...marked(options, String(origin) === href ? () => true : isRefusedTunnel),
      }),
  });
}

/** Opens a connection through a proxy, for a protocol other than HTTP; throws `ProxyFailure`. */
export async function openTunnel(
  { proxy, pool, connect }: ProxyAgentOptions,
  { hostname, port }: { readonly hostname: string; readonly port: string },
  signal: AbortSignal | undefined,
): Promise<Duplex> {
  const client = new Pool(proxy.origin, { ...pool, connect });
  const host = `${hostname}:${port}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: host,
      headers: { host, ...(proxy.username && { 'proxy-authorization': basicToken(proxy) }) },
      signal: signal ?? null,
    });
    if (statusCode === 200) return socket;
    socket.on('error', () => {}).destroy();
    throw new Error(`Proxy response (${statusCode})`);
  } catch (error) {
    throw error instanceof Error ? new ProxyFailure(error) : error;
  } finally {
    // The tunnel no longer belongs to the pool.
    await client.destroy();
  }
}

/** Whether a connection through a tunnel failed before the tunnel was open. */
function isRefusedTunnel({ code, name }: NodeJS.ErrnoException): boolean {
  const isUnreadable = name === 'HTTPParserError';
  return isUnreadable || /^UND_ERR_(?:ABORTED|HEADERS_TIMEOUT|SOCKET)$/.test(code ?? '');
}

/** The options with a connector that marks the failures of the proxy. */
function marked(
  { connect, ...options }: Pool.Options,
  isProxyError: (error: Error) => boolean,
): Pool.Options {
  if (typeof connect !== 'function') return { ...options, ...(connect && { connect }) };
  return {
    ...options,
    connect: (to, callback) =>
      connect(to, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(isProxyError(error) ? new ProxyFailure(error) : error, null);
      }),
  };
}

/** In the format of the header; undici drops a user without a password. */
function basicToken({ username, password }: URL): string {
  const credentials = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
