import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import {
  isTimeout,
  isUnreachable,
  networkError,
  ProxyFailure,
} from '../../src/http/network-error.ts';
import { refusalError } from '../../src/http/response.ts';
import type { TransportOptions } from '../../src/http/transport.ts';
import { openWebSocket } from '../../src/http/web-socket.ts';
import { checkRows } from '../support/rows.ts';
import { listen, serve } from '../support/server.ts';
import {
  CA,
  type CertificateName,
  certificate,
  closedPort,
  fetchText,
  networkFailure,
  proxyServer,
  silentServer,
  socketServer,
} from './support.ts';

describe('before a connection', () => {
  it('reports DNS for an unknown host', async () => {
    // Does not query a resolver: a label has at most 63 characters.
    const host = `${'x'.repeat(64)}.invalid`;
    const { message, details } = await networkFailure(fetchText(`https://${host}:8443/`));
    expect(message).toMatch(/^cannot find the host x{64}\.invalid \(DNS, \w+\)$/);
    expect(details).toMatchObject({ sent: false, hint: expect.stringContaining('spelling') });
  });

  it.each(['http', 'https'])('reports a refused connection for %s', async (scheme) => {
    const host = `127.0.0.1:${await closedPort()}`;
    const { message, details } = await networkFailure(fetchText(`${scheme}://${host}/`));
    expect(message).toBe(`${host} refused the connection`);
    expect(details.sent).toBe(false);
  });
});

describe('TLS', () => {
  const trusted = { ca: CA };
  const untrusted = 'the certificate authority is not trusted';

  it.each<[CertificateName, TransportOptions, message: string, hint: string]>([
    ['self-signed', trusted, 'the certificate is self-signed', 'ca-file'],
    ['good', {}, untrusted, 'ca-file'],
    ['wrong-host', trusted, 'the certificate is for another host', 'check the address'],
    ['expired', trusted, 'the certificate has expired', 'clock'],
    ['not-yet-valid', trusted, 'the certificate is not valid yet', 'clock'],
  ])('rejects a certificate: %s', async (name, options, message, hint) => {
    const { url, requests } = await serve((_, response) => response.end(), certificate(name));
    const error = await networkFailure(fetchText(url, options));
    expect(error.message).toBe(`TLS to ${new URL(url).host} failed: ${message}`);
    expect(error.details).toMatchObject({ sent: false, hint: expect.stringContaining(hint) });
    expect(requests).toEqual([]);
  });

  it('accepts a certificate that --ca-file trusts', async () => {
    const good = await serve((_, response) => response.end('private'), certificate('good'));
    expect(await fetchText(good.url, { ca: CA })).toBe('private');

    const own = certificate('self-signed');
    const { url } = await serve((_, response) => response.end('own'), own);
    expect(await fetchText(url, { ca: own.cert })).toBe('own');
    expect(await fetchText(url, { ca: CA + own.cert })).toBe('own');
  });

  it('reports a server without TLS', async () => {
    const { url } = await serve((_, response) => response.end());
    const { host } = new URL(url);
    const { message, details } = await networkFailure(fetchText(`https://${host}/`));
    expect(message).toBe(`TLS to ${host} failed: the server does not speak TLS`);
    expect(details.hint).toBe(
      'check the scheme, the host and the port of the address: a server without TLS needs http:// or ws://',
    );
  });
});

/** Runs `then` on the socket once a request has arrived. */
function afterRequest(then: (socket: Socket) => void): Promise<string> {
  return socketServer((socket) => socket.once('data', () => then(socket)));
}

describe('a connection that breaks', () => {
  const headers = 'HTTP/1.1 200 OK\r\n';
  const sized = `${headers}Content-Length: 10\r\n\r\nabc`;
  const chunked = `${headers}Transfer-Encoding: chunked\r\n\r\n`;
  const reset = (text: string) => (socket: Socket) =>
    socket.write(text, () => socket.resetAndDestroy());
  const end = (text: string) => (socket: Socket) => socket.end(text);

  it.each<[string, (socket: Socket) => void]>([
    ['before headers, by a reset', (socket) => socket.resetAndDestroy()],
    ['before headers, by an end', (socket) => socket.end()],
    ['inside headers, by a reset', reset(`${headers}X-Half: `)],
    ['inside headers, by an end', end(`${headers}X-Half: `)],
    ['inside a body of known length, by a reset', reset(sized)],
    ['inside a body of known length, by an end', end(sized)],
    ['inside a chunk', end(`${chunked}5\r\nabc`)],
    ['between two chunks', end(`${chunked}3\r\nabc\r\n`)],
    ['inside a chunk, by a reset', reset(`${chunked}5\r\nabc`)],
    ['by another protocol than HTTP', end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['by a chunk without a length', end(`${chunked}zzz\r\n`)],
  ])('is reported: %s', async (_, then) => {
    const host = await afterRequest(then);
    const { message, details } = await networkFailure(fetchText(`http://${host}/`));
    expect(message).toMatch(new RegExp(`^the connection to ${host} broke: .`));
    // The request arrived, so it must not be repeated blindly.
    expect(details.sent).toBeUndefined();
  });

  it('has a cause without the bytes of the answer, which may repeat credentials', async () => {
    const host = await afterRequest(end('SSH-2.0-canary\r\n'));
    const socket = { url: new URL(`ws://${host}/`), protocol: 'p', headers: [] };
    for (const exchange of [() => fetchText(`http://${host}/`), () => openWebSocket(socket, {})]) {
      const { message, details } = await networkFailure(exchange());
      expect(message).toContain('its answer is not HTTP/1.1');
      for (const name of ['data', 'rawPacket']) expect(details.cause).not.toHaveProperty(name);
    }
  });

  it('is reported when it breaks during the TLS handshake', async () => {
    const host = await afterRequest((socket) => socket.resetAndDestroy());
    const { message } = await networkFailure(fetchText(`https://${host}/`));
    expect(message).toMatch(new RegExp(`^the connection to ${host} broke: .`));
  });
});

describe('a port of TLS', () => {
  const alert = Buffer.from('15030100020246', 'hex');

  it('is named for http, by the alert of the server', async () => {
    const host = await afterRequest((socket) => socket.end(alert));
    for (const [exchange, plain, secure] of [
      [fetchText(`http://${host}/`), 'http://', 'https://'],
      [
        openWebSocket({ url: new URL(`ws://${host}/`), protocol: 'p', headers: [] }, {}),
        'ws://',
        'wss://',
      ],
    ] as const) {
      const { message, details } = await networkFailure(exchange);
      expect(message).toBe(`${host} speaks TLS, but its address begins with ${plain}`);
      expect(details).toMatchObject({ transient: false, hint: expect.stringContaining(secure) });
    }
  });

  it('is a possible cause when the server closes the connection without an answer', async () => {
    const silent = await afterRequest((socket) => socket.end());
    const tls = await listen(createTlsServer(certificate('good')).on('tlsClientError', () => {}));
    for (const host of [silent, `127.0.0.1:${tls}`]) {
      const { details } = await networkFailure(fetchText(`http://${host}/`));
      expect(details.hint).toMatch(/^if the port needs TLS, write .* with https:\/\/ /);
    }
    const started = await afterRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nX: '));
    const { details } = await networkFailure(fetchText(`http://${started}/`));
    expect(details.hint).not.toContain('https');
  });

  it('is named for the page of the server', () =>
    checkRows(
      [
        '<title>400 The plain HTTP request was sent to HTTPS port</title>',
        'Client sent an HTTP request to an HTTPS server.\n',
        "Reason: You're speaking plain HTTP to an SSL-enabled server port.",
        'This combination of host and port requires TLS.',
      ],
      (text) => {
        const response = { status: 400, header: () => undefined, text };
        const refusal = { server: 'server', message: 'refused', hint: 'another' };
        expect(refusalError(response, refusal, 0).details.hint).toContain('https://');
        const { details } = refusalError({ ...response, text: 'no' }, refusal, 0);
        expect(details.hint).toBe('another');
      },
    ));

  it('is missing at a server of ws, which OpenSSL reports in words', async () => {
    const host = new URL((await serve(() => {})).url).host;
    const socket = { url: new URL(`wss://${host}/`), protocol: 'p', headers: [] };
    const { message, details } = await networkFailure(openWebSocket(socket, {}));
    expect(message).toBe(`TLS to ${host} failed: the server does not speak TLS`);
    expect(details.hint).toContain('a server without TLS needs http:// or ws://');
  });
});

it('reports a server that speaks only HTTP/2', async () => {
  const settings = Buffer.from('000006040000000000000300000064', 'hex');
  const goAway = Buffer.from('0000080700000000000000000000000001', 'hex');
  const inTls = createTlsServer(certificate('good'), (socket) => {
    socket.on('error', () => {}).write(settings);
  });
  const urls = [
    `https://127.0.0.1:${await listen(createSecureServer(certificate('good')))}/`,
    `https://127.0.0.1:${await listen(inTls)}/`,
    `http://127.0.0.1:${await listen(createHttp2Server())}/`,
    `http://${await afterRequest((socket) => socket.write(settings))}/`,
    `http://${await afterRequest((socket) => socket.end(goAway))}/`,
  ];
  await checkRows(urls, async (url) => {
    const { message, details } = await networkFailure(fetchText(url, { ca: CA }));
    expect(message).toBe(`${new URL(url).host} speaks only HTTP/2, and mop speaks HTTP/1.1`);
    expect(details.transient).toBe(false);
    expect(details.hint).toMatch(/^enable HTTP\/1\.1 on the server, or put a reverse proxy/);
    // Without ALPN, Node's own server answers in HTTP/1.1.
    if (url.startsWith('https:')) return;
    const socket = { url: new URL(url), protocol: 'graphql-transport-ws', headers: [] };
    expect((await networkFailure(openWebSocket(socket, { ca: CA }))).message).toBe(message);
  });
});

// undici counts in half seconds, so each case takes one: run them concurrently.
it('distinguishes time-outs by the missing part', async () => {
  const silent = await silentServer();
  const stopping = await afterRequest((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
  );
  const viaSilent = { http: `http://${silent}`, https: `http://${silent}` };
  const working = `http://${(await proxyServer()).host}`;
  const via = { http: working, https: working };

  const cases: [url: string, TransportOptions, message: string, sent?: false][] = [
    [`https://${silent}`, {}, `no connection to ${silent} within 0.2 s (time-out)`, false],
    [`http://${silent}`, {}, `${silent} sent no answer within 0.2 s (time-out)`],
    [`http://${stopping}`, {}, `${stopping} stopped sending for 0.2 s (time-out)`],
    [
      `http://${silent}`,
      // Not a whole number of milliseconds.
      { timeoutSeconds: 0.2001 },
      `${silent} sent no answer within 0.2001 s (time-out)`,
    ],
    [
      'https://x.invalid',
      { proxy: viaSilent },
      `the proxy ${silent} failed: it opened no connection to the server in time (time-out)`,
      false,
    ],
    ['http://x.invalid', { proxy: viaSilent }, 'x.invalid sent no answer within 0.2 s (time-out)'],
    [
      `https://${silent}`,
      { proxy: via },
      `no connection to ${silent} within 0.2 s (time-out)`,
      false,
    ],
    [`http://${stopping}`, { proxy: via }, `${stopping} stopped sending for 0.2 s (time-out)`],
  ];
  const reported = cases.map(async ([url, options]) => {
    const exchange = fetchText(url, { timeoutSeconds: 0.2, ...options });
    const { message, details } = await networkFailure(exchange);
    return { url, message, sent: details.sent };
  });
  expect(await Promise.all(reported)).toEqual(
    cases.map(([url, , message, sent]) => ({ url, message, sent })),
  );
});

describe('networkError', () => {
  const route = { url: new URL('https://host.test:8443/x'), proxy: undefined, timeoutSeconds: 30 };

  function failure(code: string, more: object = {}): Error {
    return Object.assign(new Error(`it was ${code}`), { code, ...more });
  }

  it.each([
    ['a bug', new TypeError('x is undefined')],
    ['bad arguments', failure('UND_ERR_INVALID_ARG')],
    ['a MopError', new MopError('usage', 'x')],
    ['a value that is not an error', 'a text'],
    ['nothing', undefined],
  ])('returns %s unchanged', (_, thrown) => {
    expect(networkError(thrown, route)).toBe(thrown);
  });

  it.each([
    ['EAI_AGAIN', 'getaddrinfo', 'cannot find the host host.test (DNS, EAI_AGAIN)'],
    ['EHOSTUNREACH', 'connect', 'there is no route to host.test:8443 (EHOSTUNREACH)'],
    ['ENETUNREACH', 'connect', 'there is no route to host.test:8443 (ENETUNREACH)'],
    ['ETIMEDOUT', 'connect', 'no connection to host.test:8443 within 30 s (time-out)'],
    ['EMFILE', 'connect', 'too many open files on this machine (EMFILE)'],
    ['ENFILE', 'connect', 'too many open files on this machine (ENFILE)'],
  ])('explains %s of %s', (code, syscall, message) => {
    const thrown = failure(code, { syscall });
    expect(networkError(thrown, route)).toMatchObject({
      code: 'network',
      message,
      cause: thrown,
      details: { sent: false, hint: expect.stringMatching(/./) },
    });
  });

  it.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE'])(
    'does not report %s of an established connection as a failed connection',
    (code) => {
      expect(networkError(failure(code, { syscall: 'read' }), route)).toMatchObject({
        code: 'network',
        message: `the connection to host.test:8443 broke: it was ${code}`,
        details: { sent: undefined },
      });
    },
  );

  it('does not recommend http for another machine without TLS', () => {
    const thrown = failure('ERR_SSL_WRONG_VERSION_NUMBER');
    expect(networkError(thrown, route)).toMatchObject({
      details: {
        hint: 'check the scheme, the host and the port of the address: a server without TLS needs http:// or ws://',
      },
    });
  });

  it('prints the reason of OpenSSL without its file names', () => {
    const thrown = failure('ERR_SSL_SOME_ALERT', { reason: 'some alert' });
    expect(networkError(thrown, route)).toMatchObject({
      code: 'network',
      message: 'TLS to host.test:8443 failed: some alert (ERR_SSL_SOME_ALERT)',
      details: { sent: undefined },
    });
  });

  const refused = failure('ECONNREFUSED', { syscall: 'connect' });
  const unreachable = failure('ENETUNREACH', { syscall: 'connect' });
  const tooLate = failure('ETIMEDOUT', { syscall: 'connect' });
  it.each([
    ['the reachable address', [unreachable, refused], 'refused the connection'],
    ['regardless of its position', [refused, unreachable], 'refused the connection'],
    ['the address tried last', [tooLate, refused], 'refused the connection'],
    ['no reachable address', [unreachable, unreachable], 'there is no route'],
  ])('reports for a host with several addresses: %s', (_, errors, message) => {
    expect(networkError(new AggregateError(errors), route)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });
});

describe('isUnreachable', () => {
  it.each<[string, () => Promise<string>, boolean]>([
    ['a refusal', async () => `http://127.0.0.1:${await closedPort()}`, true],
    ['a reset', async () => `http://${await afterRequest((s) => s.resetAndDestroy())}`, true],
    ['DNS', async () => `http://${'x'.repeat(64)}.invalid`, false],
    ['no TLS', async () => `https://${new URL((await serve(() => {})).url).host}`, false],
  ])('decides %s', async (_, url, expected) => {
    expect(isUnreachable(await networkFailure(fetchText(await url())))).toBe(expected);
  });

  it.each([
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['UND_ERR_HEADERS_TIMEOUT', true],
    ['UND_ERR_BODY_TIMEOUT', false],
    ['CERT_HAS_EXPIRED', false],
  ])('decides %s', (code, expected) => {
    const cause = Object.assign(new Error(), { code });
    expect(isUnreachable(new MopError('network', '', { cause }))).toBe(expected);
  });

  it('does not count a failure of the proxy', async () => {
    const proxy = { http: `http://127.0.0.1:${await closedPort()}` };
    const error = await networkFailure(fetchText('http://x.invalid', { proxy }));
    expect(isUnreachable(error)).toBe(false);
  });

  it('requires a cause', () => {
    expect(isUnreachable(new MopError('network', 'HTTP 503'))).toBe(false);
  });
});

describe('isTimeout', () => {
  it.each([
    ['ETIMEDOUT', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['UND_ERR_HEADERS_TIMEOUT', true],
    ['UND_ERR_BODY_TIMEOUT', true],
    ['ECONNREFUSED', false],
    ['CERT_HAS_EXPIRED', false],
  ])('decides %s, for the host and for a proxy', (code, expected) => {
    const failure = Object.assign(new Error(), { code });
    for (const cause of [failure, new ProxyFailure(failure)]) {
      expect(isTimeout(new MopError('network', '', { cause }))).toBe(expected);
    }
  });

  it('uses the most specific error of a host with several addresses', () => {
    const failures = ['ETIMEDOUT', 'EADDRNOTAVAIL'].map((code) =>
      Object.assign(new Error(), { code }),
    );
    const cause = new AggregateError(failures);
    expect(isTimeout(new MopError('network', '', { cause }))).toBe(true);
  });

  it('requires a cause', () => {
    expect(isTimeout(new MopError('network', 'no answer in time'))).toBe(false);
  });
});
