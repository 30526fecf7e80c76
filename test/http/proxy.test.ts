import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { proxyUrl } from '../../src/http/proxy.ts';
import type { ProxySettings } from '../../src/http/proxy-for.ts';
import { serve } from '../support/server.ts';
import {
  CA,
  certificate,
  closedPort,
  fetchText,
  get,
  networkFailure,
  proxyServer,
  socketServer,
  transport,
} from './support.ts';

function viaProxy(url: string): ProxySettings {
  return { http: url, https: url };
}

describe('a proxy that works', () => {
  const headers = [['X-TMS-Sign-Ver', '2.0']] as const;

  it('receives plain http in absolute form, with header names unchanged', async () => {
    const server = await serve((_, response) => response.end('from the server'));
    const proxy = await proxyServer();
    const sender = transport({ proxy: viaProxy(`http://${proxy.host}`) });
    const { text } = await sender.sendForText(get(`${server.url}/a?b=c`, headers));
    expect(text).toBe('from the server');
    expect(proxy.received).toEqual([`GET ${server.url}/a?b=c`]);
    expect(proxy.rawHeaders[0]).toContain('X-TMS-Sign-Ver');
    const [received] = server.requests;
    expect(received?.rawHeaders).toContain('X-TMS-Sign-Ver');
    expect(received?.headers.host).toBe(new URL(server.url).host);
  });

  it('opens a tunnel for https that keeps header names unchanged', async () => {
    const server = await serve((_, response) => response.end('secret'), certificate('good'));
    const proxy = await proxyServer();
    const sender = transport({ proxy: viaProxy(`http://${proxy.host}`), ca: CA });
    const request = get(`${server.url}/a?b=c`, headers);
    expect((await sender.sendForText(request)).text).toBe('secret');
    await nextTurn();
    expect((await sender.sendForText(request)).text).toBe('secret');
    // One tunnel serves both requests, and its headers reveal nothing about them to the proxy.
    expect(proxy.received).toEqual([`CONNECT ${new URL(server.url).host}`]);
    expect(proxy.rawHeaders[0]).not.toContain('X-TMS-Sign-Ver');
    expect(server.requests[0]?.rawHeaders).toContain('X-TMS-Sign-Ver');
  });

  it('may be an https proxy', async () => {
    const server = await serve((_, response) => response.end('secret'), certificate('good'));
    const { host, received } = await proxyServer(undefined, certificate('good'));
    const proxy = viaProxy(`https://${host.replace('127.0.0.1', 'localhost')}`);
    expect(await fetchText(server.url, { proxy, ca: CA })).toBe('secret');
    expect(received).toEqual([`CONNECT ${new URL(server.url).host}`]);
  });

  it("does not replace the check of the server's certificate", async () => {
    const { url } = await serve((_, response) => response.end(), certificate('expired'));
    const proxy = viaProxy(`http://${(await proxyServer()).host}`);
    const { message } = await networkFailure(fetchText(url, { proxy, ca: CA }));
    expect(message).toBe(`TLS to ${new URL(url).host} failed: the certificate has expired`);
  });

  it('returns the answer of the server or of the proxy to plain http', async () => {
    const proxy = viaProxy(`http://${(await proxyServer(502)).host}`);
    const { status, text } = await transport({ proxy }).sendForText(get('http://x.invalid'));
    expect({ status, text }).toEqual({ status: 502, text: 'from the proxy' });
  });

  it('is set separately for each scheme', async () => {
    const plain = await serve((_, response) => response.end('plain'));
    const secure = await serve((_, response) => response.end('secure'), certificate('good'));
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const onlyHttps = { ca: CA, proxy: { https: dead } };
    expect(await fetchText(plain.url, onlyHttps)).toBe('plain');
    await networkFailure(fetchText(secure.url, onlyHttps));
    const onlyHttp = { ca: CA, proxy: { http: dead } };
    expect(await fetchText(secure.url, onlyHttp)).toBe('secure');
    await networkFailure(fetchText(plain.url, onlyHttp));
  });
});

describe('a proxy that fails', () => {
  it.each(['http', 'https'])('is named when it refuses the connection, for %s', async (scheme) => {
    // The host name, which is missing in the system's error.
    const host = `localhost:${await closedPort()}`;
    const exchange = fetchText(`${scheme}://x.invalid`, { proxy: viaProxy(`http://${host}`) });
    const { message, details } = await networkFailure(exchange);
    expect(message).toBe(`the proxy ${host} failed: it refused the connection`);
    expect(details).toMatchObject({ sent: false, hint: expect.stringContaining('HTTPS_PROXY') });
  });

  it.each(['http', 'https'])('is named when its host is unknown, for %s', async (scheme) => {
    const host = `${'x'.repeat(64)}.invalid:3128`;
    const exchange = fetchText(`${scheme}://y.invalid`, { proxy: viaProxy(`http://${host}`) });
    const { message } = await networkFailure(exchange);
    expect(message).toBe(`the proxy ${host} failed: its host is not found (DNS)`);
  });

  it.each([
    ['http', 407, 'it rejected the credentials (HTTP 407)'],
    ['https', 407, 'it rejected the credentials (HTTP 407)'],
    ['https', 502, 'it answered HTTP 502'],
    ['https', 403, 'it answered HTTP 403'],
  ])('is named when it answers %s with %i', async (scheme, status, message) => {
    const { host } = await proxyServer(status);
    const exchange = fetchText(`${scheme}://x.invalid`, { proxy: viaProxy(`http://${host}`) });
    const error = await networkFailure(exchange);
    expect(error.message).toBe(`the proxy ${host} failed: ${message}`);
    expect(error.details.sent).toBe(false);
  });

  it('is named when it ends the connection instead of opening a tunnel', async () => {
    const host = await socketServer((socket) => socket.once('data', () => socket.end()));
    const exchange = fetchText('https://x.invalid', { proxy: viaProxy(`http://${host}`) });
    const { message } = await networkFailure(exchange);
    expect(message).toMatch(new RegExp(`^the proxy ${host} failed: .`));
  });

  it.each(['http', 'https'])('is named when its certificate is bad, for %s', async (scheme) => {
    const { host } = await proxyServer(undefined, certificate('expired'));
    const named = host.replace('127.0.0.1', 'localhost');
    const proxy = viaProxy(`https://${named}`);
    const { message } = await networkFailure(fetchText(`${scheme}://x.invalid`, { proxy, ca: CA }));
    expect(message).toBe(`the proxy ${named} failed: TLS, the certificate has expired`);
  });
});

describe('except', () => {
  // A direct connection fails with a DNS error; the proxy answers for the unknown host.
  const host = `api.${'x'.repeat(64)}.invalid`;
  const parent = host.replace('api.', '');

  it.each([
    ['nothing', '', 'proxy'],
    ['the host', host, 'direct'],
    ['the host in upper case', host.toUpperCase(), 'direct'],
    ['the domain', parent, 'direct'],
    ['the domain with a dot', `.${parent}`, 'direct'],
    ['all', '*', 'direct'],
    ['one of several', `a.example, ${host}`, 'direct'],
    ['the port', `${host}:8080`, 'direct'],
    ['another port', `${host}:80`, 'proxy'],
    ['another host', 'api.example', 'proxy'],
    ['the end of a name', parent.slice(1), 'proxy'],
  ])('with %s', async (_, except, way) => {
    const settings = viaProxy(`http://${(await proxyServer(418)).host}`);
    const exchange = fetchText(`http://${host}:8080/`, { proxy: { ...settings, except } });
    const outcome = await exchange.then(
      () => 'proxy',
      ({ message }: Error) => (message.startsWith('cannot find the host') ? 'direct' : message),
    );
    expect(outcome).toBe(way);
  });
});

it('of another machine does not receive requests to this machine', async () => {
  const target = await serve((_, response) => response.end('direct'));
  const sender = transport({ proxy: { http: 'http://proxy.invalid:3128' } });
  expect((await sender.sendForText(get(target.url))).text).toBe('direct');
});

describe('credentials in the URL of the proxy', () => {
  const cases = [
    ['user:password', 'user:password'],
    ['us%40er:p%3Aw', 'us@er:p:w'],
    ['user:100%', 'user:100%'],
    ['token', 'token:'],
    ['token:', 'token:'],
  ] as const;

  it.each(cases)('%s are sent to it', async (given, credentials) => {
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`;
    for (const scheme of ['http', 'https']) {
      const { host, rawHeaders } = await proxyServer(407);
      const proxy = viaProxy(`http://${given}@${host}`);
      await networkFailure(fetchText(`${scheme}://x.invalid`, { proxy }));
      expect(rawHeaders[0]).toEqual(expect.arrayContaining(['proxy-authorization', basic]));
    }
  });

  it.each(['http', 'https'])('appear in no message, trace or error, for %s', async (scheme) => {
    const given = 'canary-user:canary-password';
    const dead = `127.0.0.1:${await closedPort()}`;
    for (const host of [(await proxyServer(407)).host, (await proxyServer(502)).host, dead]) {
      const lines: string[] = [];
      const exchange = fetchText(`${scheme}://x.invalid/`, {
        proxy: viaProxy(`http://${given}@${host}`),
        trace: (line) => lines.push(line),
      });
      const outcome: unknown = await exchange.catch((error: unknown) => error);
      expect(lines[0]).toBe(`> GET ${scheme}://x.invalid/`);
      const all = lines.join('\n') + inspect(outcome, { depth: 10, showHidden: true });
      expect(all).not.toContain('canary');
      expect(all).not.toContain(Buffer.from(given).toString('base64'));
    }
  });
});

describe('proxyUrl', () => {
  it.each(['http://h:1', 'https://u:p@h:1/', 'HTTP://[::1]:3128'])('accepts %s', (text) => {
    expect(proxyUrl(text).href).toBe(new URL(text).href);
  });

  it.each(['localhost:3128', 'proxy', 'u:p@h:1'])('accepts %s like curl', (text) => {
    expect(proxyUrl(text).href).toBe(new URL(`http://${text}`).href);
  });

  it.each(['ftp://canary@h', 'socks5://canary', 'can ary', 'http://', ''])(
    'rejects %s without repeating it',
    (text) => {
      const refused = expect.objectContaining({
        code: 'usage',
        message: 'the address of the proxy is not an http or https URL',
        details: { hint: expect.stringContaining('http://HOST:PORT') },
      });
      expect(() => proxyUrl(text)).toThrow(refused);
    },
  );
});
