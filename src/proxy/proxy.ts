import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { MopError, own, quoted } from '../errors.ts';
import { bareHost, isLoopback } from '../http/address.ts';
import { ADDRESS_PREFIX } from '../protocol/operations.ts';
import { lazily } from '../server/cache.ts';
import {
  type AllowedOrigins,
  corsHeaders,
  isAllowedPage,
  isPreflight,
  preflightHeaders,
} from '../server/cors.ts';
import { httpServer, listen } from '../server/http-server.ts';
import { type Exchange, RequestHistory } from '../server/requests/history.ts';
import type { KnownSecret } from '../signing/diagnosis/mistake.ts';
import {
  answerError,
  type Forwarding,
  forward,
  type Outcome,
  statusOf,
  toMopError,
} from './exchange.ts';
import { type Addresses, routeOf } from './route.ts';
import { SignatureInspector } from './signature-inspector.ts';
import type { Signing } from './signing.ts';

export interface ProxyOptions
  extends GateOptions,
    Pick<Forwarding, 'transport'>,
    Pick<Signing, 'credentials' | 'source' | 'signAll'> {
  /** The current secret first, then others that a signer may have used. */
  readonly secrets: readonly KnownSecret[];
  /** The maximum time without progress of a client, in milliseconds. */
  readonly idleMs: number;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly addresses: Addresses;
  /** Replaces the known secrets in a text with a placeholder. */
  readonly hide: (text: string) => string;
  readonly onExchange: (exchange: Exchange) => void;
}

interface Proxy {
  /** Its address, such as `http://127.0.0.1:7801`. */
  readonly url: string;
  /** Stops accepting requests. Open ones have one second to finish. */
  close(): Promise<void>;
}

/** Time for running requests at the end. A signal ends the command within two seconds. */
const GRACE_MS = 1000;

/**
 * Serves a proxy that signs requests for programs that cannot (contract section 7).
 *
 * @throws {MopError} `failure` when it cannot listen on the address.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { transport, credentials, secrets, source, signAll, idleMs, host, port } = options;
  const inspector = new SignatureInspector(secrets, source.now);
  const history = new RequestHistory();
  const forwarding: Forwarding = {
    transport,
    inspector,
    signing: { credentials, source, signAll },
  };
  const report = (exchange: Exchange): void => {
    history.add(exchange);
    options.onExchange(exchange);
  };
  const openRequests = new Set<Promise<void>>();
  const closing = new AbortController();
  const pages = lazily(async () => {
    const { pageListener } = await import('./pages.ts');
    const layers = inspector.layers.bind(inspector);
    const { signal } = closing;
    return pageListener({ history, layers, hide: options.hide, closing: signal }, source.now);
  });
  const server = httpServer(
    (incoming, outgoing) => {
      if (isPage(incoming) && gateFault(incoming, options) === undefined) {
        void pages().then((listener) => listener(incoming, outgoing));
        return;
      }
      const started = performance.now();
      const reported = respond(incoming, outgoing, forwarding, options).then((outcome) =>
        report({
          time: source.now(),
          method: incoming.method ?? '',
          path: (incoming.url ?? '').replace(/\?.*/s, ''),
          milliseconds: Math.round(performance.now() - started),
          ...outcome,
        }),
      );
      openRequests.add(reported);
      void reported.finally(() => openRequests.delete(reported));
    },
    // An upload may take any time; idleMs ends a stalled one.
    { requestTimeout: 0, unreadTimeout: idleMs },
  );
  server.on('connect', (_, socket) => {
    const { message, details } = NO_FORWARD_PROXY;
    // Clients show only the status line of this answer.
    const answer = `HTTP/1.1 404 ${message}\r\nConnection: close\r\n\r\n${details.hint}\n`;
    socket.on('error', () => {}).end(answer, () => socket.destroy());
  });
  const url = await listen(server, host, port);
  return {
    url,
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const end = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(end);
      await inspector.close();
      await Promise.all(openRequests);
    },
  };
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  forwarding: Forwarding,
  options: ProxyOptions,
): Promise<Outcome> {
  // A client that uses the proxy for all addresses sends a whole URL.
  if (/^\w+:/.test(incoming.url ?? '')) return refuse(404, NO_FORWARD_PROXY);
  const fault = gateFault(incoming, options);
  if (fault !== undefined) {
    answerError(outgoing, 403, new MopError('usage', fault, { hint: GATE_HINT }));
    return { status: 403 };
  }
  if (isPreflight(incoming)) {
    outgoing.writeHead(204, preflightHeaders(incoming)).end();
    return { status: 204 };
  }
  try {
    const route = routeOf(incoming.url ?? '', options.addresses);
    if (route === undefined) return refuse(404, NOT_FOUND);
    if (incoming.method !== 'POST') return refuse(405, POST_ONLY, { Allow: 'POST' });
    return await forward(incoming, outgoing, route, forwarding);
  } catch (error) {
    // An error of one exchange must not end the others.
    const known = toMopError(error);
    return refuse(statusOf(known), known);
  }

  function refuse(status: number, error: MopError, headers = {}): Outcome {
    answerError(outgoing, status, error, { ...headers, ...corsHeaders(incoming) });
    return { status, error };
  }
}

/** Whether a request is for a page, which is neither forwarded nor recorded. */
function isPage({ method, url = '', headers }: IncomingMessage): boolean {
  if (method === 'GET' && headers.accept?.includes('text/html')) return true;
  return method !== 'POST' && /^\/(?:requests|platform|assets)(?:[/?]|$)/.test(url);
}

const NO_FORWARD_PROXY = new MopError('usage', 'mop proxy is not a forward proxy (HTTP_PROXY)', {
  hint: 'unset HTTP_PROXY, HTTPS_PROXY and -x; use the address of mop proxy as the address of the platform',
});

const NOT_FOUND = new MopError('usage', 'the proxy does not forward this path', {
  hint: quoted`send requests to ${own(Object.values(ADDRESS_PREFIX).join('/… or '))}/…; the page /requests shows past ones`,
});

const POST_ONLY = new MopError('usage', 'the operations of the platform accept POST only', {
  hint: 'send a POST with a JSON object',
});

interface GateOptions {
  readonly allowedOrigins: AllowedOrigins;
  /** Whether programs may reach the proxy by any host name. */
  readonly allowRemote: boolean;
}

/**
 * The reason to refuse a request of another site, also by DNS rebinding: such a page would act with
 * the credentials of the operator.
 */
function gateFault(
  incoming: IncomingMessage,
  { allowedOrigins, allowRemote }: GateOptions,
): string | undefined {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = incoming.headers;
  if (isAllowedPage(incoming, allowedOrigins)) return undefined;
  // The pages of this proxy have its own origin.
  if (origin !== undefined && origin !== `http://${host}`) {
    return `pages of ${origin} cannot use this proxy`;
  }
  if (site !== 'none' && site !== 'same-origin') {
    return 'pages of other sites cannot use this proxy';
  }
  // Browsers send Origin with each POST: a POST without it comes from a program.
  if (allowRemote && incoming.method === 'POST' && origin === undefined) return undefined;
  const name = hostName(host);
  const isOwn = name !== undefined && (isLoopback(name) || (allowRemote && isIP(name) !== 0));
  return isOwn ? undefined : `this proxy does not accept the host name ${JSON.stringify(host)}`;
}

const GATE_HINT =
  'start mop proxy with --allow-origin ORIGIN for pages, or with --allow-remote for programs on other machines';

function hostName(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? bareHost(new URL(`http://${host}`).hostname) : undefined;
}
