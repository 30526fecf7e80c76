import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Server as ProxyServer } from 'proxy-chain';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebSocketOptions } from '../../src/graphql/socket-subscription.ts';
import type { TransportOptions } from '../../src/http/transport.ts';
import { failureOf, printed, responsesOf } from '../graphql/support.ts';
import { checkTogether } from '../support/rows.ts';
import { CA, certificate, closedPort, proxyServer, silentServer, socketServer } from './support.ts';
import { A, serveA } from './web-socket-service.ts';

describe('a proxy of a WebSocket', () => {
  const via = (url: string, more: TransportOptions = {}): Pick<WebSocketOptions, 'transport'> => ({
    transport: { ca: CA, proxy: { http: url, https: url }, ...more },
  });

  it.each([undefined, 'good'] as const)('opens a tunnel, with the certificate %s', async (name) => {
    const { url, handshakes } = await serveA(name);
    const { host, received, rawHeaders } = await proxyServer();
    const headers = [['X-Api-Key', 'canary']] as const;
    const responses = responsesOf(url, { ...via(`http://${host}`), headers });
    expect(await printed(responses)).toEqual([A]);
    expect(received).toEqual([`CONNECT ${url.host}`]);
    expect(inspect(rawHeaders)).not.toContain('canary');
    expect(handshakes[0]?.headers['x-api-key']).toBe('canary');
  });

  it('may be third-party, and require a password', async () => {
    const { url } = await serveA('good');
    const received: string[] = [];
    const proxy = new ProxyServer({
      port: 0,
      host: '127.0.0.1',
      prepareRequestFunction: ({ hostname, port, username, password }) => {
        received.push(`${hostname}:${port}`);
        return { requestAuthentication: username !== 'us@er' || password !== 'p:ss' };
      },
    });
    await proxy.listen();
    onTestFinished(() => proxy.close(true));
    const route = via(`http://us%40er:p%3Ass@127.0.0.1:${proxy.port}`);
    expect(await printed(responsesOf(url, route))).toEqual([A]);
    expect(received).toEqual([url.host]);
  });

  it('may be reached over TLS', async () => {
    const { url } = await serveA('good');
    const { host, received } = await proxyServer(undefined, certificate('good'));
    const route = via(`https://${host.replace('127.0.0.1', 'localhost')}`);
    expect(await printed(responsesOf(url, route))).toEqual([A]);
    expect(received).toEqual([`CONNECT ${url.host}`]);
  });

  it.each([undefined, 'good'] as const)(
    'is used for http and https URLs too, with the certificate %s',
    async (name) => {
      const { url } = await serveA(name);
      const { host, received } = await proxyServer();
      const responses = responsesOf(url.href.replace(/^ws/, 'http'), via(`http://${host}`));
      expect(await printed(responses)).toEqual([A]);
      expect(received).toEqual([`CONNECT ${url.host}`]);
    },
  );

  it('receives only the host and port of the server', () => {
    const check = async (url: string, to: string, first: string) => {
      const received: string[] = [];
      let leave = (): void => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // It announces a tunnel but forwards nothing.
      const host = await socketServer((socket) => {
        socket.on('close', leave).on('data', (data) => {
          received.push(data.toString('latin1'));
          if (received.length === 1) socket.write('HTTP/1.1 200 OK\r\n\r\n');
        });
      });
      const route = via(`http://${host}`, { timeoutSeconds: 0.3 });
      const { code, message } = await failureOf(() => printed(responsesOf(url, route)));
      expect([code, message]).toEqual(['network', expect.stringContaining('(time-out)')]);
      await left;
      expect(received[0]).toMatch(new RegExp(`^CONNECT ${to} `));
      expect(received[1]?.startsWith(first)).toBe(true);
    };
    return checkTogether({
      http: () => check('http://x.invalid', 'x.invalid:80', 'GET '),
      ws: () => check('ws://x.invalid:8080', 'x.invalid:8080', 'GET '),
      https: () => check('https://x.invalid', 'x.invalid:443', '\u0016\u0003'),
      wss: () => check('wss://x.invalid', 'x.invalid:443', '\u0016\u0003'),
    });
  });

  it('is not used for an excepted host', async () => {
    const { url } = await serveA();
    const { host, received } = await proxyServer();
    const proxy = { http: `http://${host}`, except: '127.0.0.1' };
    expect(await printed(responsesOf(url, { transport: { proxy } }))).toEqual([A]);
    expect(received).toEqual([]);
  });

  it('does not weaken the check of the certificate of the server', async () => {
    const { url } = await serveA('expired');
    const route = via(`http://${(await proxyServer()).host}`);
    const { code, message } = await failureOf(() => printed(responsesOf(url, route)));
    expect([code, message]).toEqual([
      'network',
      `TLS to ${url.host} failed: the certificate has expired`,
    ]);
  });

  it.each(['ws', 'wss'])('is named when it refuses the connection, for %s', async (scheme) => {
    const host = `127.0.0.1:${await closedPort()}`;
    const route = via(`http://${host}`);
    const { code, message } = await failureOf(() =>
      printed(responsesOf(`${scheme}://x.invalid`, route)),
    );
    expect([code, message]).toEqual([
      'network',
      `the proxy ${host} failed: it refused the connection`,
    ]);
  });

  it.each(['ws', 'wss'])('is named when its host is not found, for %s', async (scheme) => {
    const host = `${'x'.repeat(64)}.invalid:3128`;
    const route = via(`http://${host}`);
    const { code, message } = await failureOf(() =>
      printed(responsesOf(`${scheme}://y.invalid`, route)),
    );
    expect([code, message]).toEqual([
      'network',
      `the proxy ${host} failed: its host is not found (DNS)`,
    ]);
  });

  // The same cases for other exchanges: test/http/proxy.test.ts.
  describe.each(['ws', 'wss'])('that fails, for %s', (scheme) => {
    it.each([
      [407, 'it rejected the credentials (HTTP 407)'],
      [502, 'it answered HTTP 502'],
    ])('is named when it answers %i', async (status, why) => {
      const { host } = await proxyServer(status);
      const route = via(`http://${host}`);
      const error = await failureOf(() => printed(responsesOf(`${scheme}://x.invalid`, route)));
      expect([error.code, error.message]).toEqual(['network', `the proxy ${host} failed: ${why}`]);
    });

    it('is named when it ends the connection', async () => {
      const host = await socketServer((socket) => socket.once('data', () => socket.end()));
      const route = via(`http://${host}`);
      const error = await failureOf(() => printed(responsesOf(`${scheme}://x.invalid`, route)));
      expect([error.code, error.message]).toEqual([
        'network',
        expect.stringContaining(`the proxy ${host} failed: `),
      ]);
    });

    it('is named when its certificate is bad', async () => {
      const { host } = await proxyServer(undefined, certificate('expired'));
      const named = host.replace('127.0.0.1', 'localhost');
      const route = via(`https://${named}`);
      const error = await failureOf(() => printed(responsesOf(`${scheme}://x.invalid`, route)));
      expect(error.message).toBe(`the proxy ${named} failed: TLS, the certificate has expired`);
    });
  });

  it('is named when it does not answer', () => {
    const check = async (scheme: string) => {
      const host = await silentServer();
      // Ends the test in any case.
      const signal = AbortSignal.timeout(2000);
      const route = via(`http://${host}`, { timeoutSeconds: 0.2, signal });
      const error = await failureOf(() => printed(responsesOf(`${scheme}://x.invalid`, route)));
      expect([error.code, error.message]).toEqual([
        'network',
        expect.stringContaining(`the proxy ${host} failed: `),
      ]);
    };
    return checkTogether({ ws: () => check('ws'), wss: () => check('wss') });
  });

  it('may have a password with a bare percent sign', async () => {
    let head = '';
    let accept = (): void => {};
    const accepted = new Promise<void>((resolve) => {
      accept = resolve;
    });
    const host = await socketServer((socket) => {
      accept();
      socket.once('data', (data) => {
        head = String(data);
        socket.end('HTTP/1.1 502 No\r\n\r\n');
      });
    });
    const route = via(`http://user:100%@${host}`);
    await failureOf(() => printed(responsesOf('ws://x.invalid', route)));
    // Wait for the connection: closing the proxy earlier would hide the failure.
    await accepted;
    const basic = Buffer.from('user:100%').toString('base64');
    expect(head.toLowerCase()).toContain(`proxy-authorization: basic ${basic}`.toLowerCase());
  });

  it('that does not answer is closed when the signal is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('interrupted');
    let leave = (_: string): void => {};
    const left = new Promise<string>((resolve) => {
      leave = resolve;
    });
    const host = await socketServer((socket) => {
      socket.once('data', () => controller.abort(reason)).on('close', () => leave('left'));
    });
    const route = via(`http://${host}`, { signal: controller.signal });
    await expect(printed(responsesOf('wss://x.invalid', route))).rejects.toBe(reason);
    expect(await Promise.race([left, sleep(1000, 'still there')])).toBe('left');
  });

  it.each(['ws', 'wss'])('does not show its credentials, for %s', async (scheme) => {
    const given = 'canary-user:canary-password';
    const lines: string[] = [];
    const dead = `127.0.0.1:${await closedPort()}`;
    for (const host of [(await proxyServer(407)).host, (await proxyServer(502)).host, dead]) {
      const route = via(`http://${given}@${host}`, { trace: (line) => lines.push(line) });
      const error = await failureOf(() => printed(responsesOf(`${scheme}://x.invalid/`, route)));
      const shown = lines.join('\n') + inspect(error, { depth: 10, showHidden: true });
      expect(shown).not.toContain('canary');
      expect(shown).not.toContain(Buffer.from(given).toString('base64'));
    }
  });
});
