import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { file } from '../cli/support.ts';
import { CA, certificate, closedPort, proxyServer, socketServer } from '../http/support.ts';
import { CONTENT, scriptedPlatform } from '../support/platform.ts';
import { serve } from '../support/server.ts';
import { expectFailure, expectNoCredentials, expectStored } from './support.ts';

const ONCE_MORE = ['--retries', '1'];

/** Addresses of proxies, each with a different failure. */
const FAILING: [string, () => Promise<string>, RegExp][] = [
  [
    'refuses connections',
    async () => `127.0.0.1:${await closedPort()}`,
    /it refused the connection$/,
  ],
  [
    'requires credentials',
    async () => (await proxyServer(407)).host,
    /it rejected the credentials \(HTTP 407\)$/,
  ],
  ['forbids the tunnel', async () => (await proxyServer(403)).host, /it answered HTTP 403$/],
  ['has no route', async () => (await proxyServer(502)).host, /it answered HTTP 502$/],
  ['is not found', async () => `${'x'.repeat(64)}.invalid:3128`, /its host is not found \(DNS\)$/],
  ['ends the connection', () => socketServer((socket) => socket.end()), /./],
];

describe.each(FAILING)('a proxy that %s', (_, address, why) => {
  const message = new RegExp(`^the proxy \\S+:\\d+ failed: ${why.source}`);
  const expected = { code: 6, message, hint: /NO_PROXY/, attempts: 2, gets: 0 };

  it('fails the call', async () => {
    const { env, requests } = await scriptedPlatform({}, certificate('good'));
    const HTTPS_PROXY = `http://${await address()}`;
    await expectFailure({ env: { ...env, HTTPS_PROXY } }, expected, ONCE_MORE);
    expect(requests).toEqual([]);
  });

  it('fails the download', async () => {
    const files = await serve((_, response) => response.end(), certificate('good'));
    const { env, requests } = await scriptedPlatform({ descriptor: { download_url: files.url } });
    const HTTPS_PROXY = `http://${await address()}`;
    await expectFailure({ env: { ...env, HTTPS_PROXY }, requests }, expected, ONCE_MORE);
    expect(files.requests).toEqual([]);
  });
});

it('reports a proxy that does not speak HTTP', async () => {
  const proxy = await socketServer((socket) =>
    socket.once('data', () => socket.end('SSH-2.0-x\r\n')),
  );
  const { env } = await scriptedPlatform({}, certificate('good'));
  const message = new RegExp(`^the proxy ${proxy} failed: .`);
  await expectFailure(
    { env: { ...env, HTTPS_PROXY: `http://${proxy}` } },
    { code: 6, message, attempts: 2, gets: 0 },
    ONCE_MORE,
  );
});

describe('a tunnel', () => {
  it('hides the bill from the proxy', async () => {
    const platform = await scriptedPlatform({}, certificate('good'));
    const proxy = await proxyServer();
    const env = { ...platform.env, HTTPS_PROXY: `http://${proxy.host}` };
    await expectStored({ ...platform, env }, ['--ca-file', await file(CA)]);
    const { host } = new URL(platform.url);
    expect(new Set(proxy.received)).toEqual(new Set([`CONNECT ${host}`]));
    expectNoCredentials(proxy.rawHeaders);
  });

  it.each<[string, string | undefined, RegExp]>([
    ['breaks', undefined, /^the (?:connection to|proxy) 127\.0\.0\.1:\d+ (?:broke|failed): ./],
    ['leads to another service', 'SSH-2.0-x\r\n', /the server does not speak TLS$/],
  ])('that %s after opening fails the download', async (_, answer, message) => {
    const proxy = await socketServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.once('data', () =>
          answer === undefined ? socket.resetAndDestroy() : socket.end(answer),
        );
      }),
    );
    const download_url = 'https://127.0.0.1:1/file';
    const { env, requests } = await scriptedPlatform({ descriptor: { download_url } });
    const expected = { code: 6, message, attempts: 2, gets: 0 };
    const HTTPS_PROXY = `http://${proxy}`;
    await expectFailure({ env: { ...env, HTTPS_PROXY }, requests }, expected, ONCE_MORE);
  });
});

describe('a bill over plain http', () => {
  it('bypasses a proxy on another machine', async () => {
    const platform = await scriptedPlatform();
    const env = { ...platform.env, HTTP_PROXY: 'http://proxy.invalid:3128' };
    await expectStored({ ...platform, env });
  });

  it('bypasses the proxy after a redirect too', async () => {
    const files = await serve((_, response) => response.end(gzipSync(CONTENT)));
    const platform = await scriptedPlatform({
      download: (response) => response.writeHead(302, { Location: files.url }).end(),
    });
    await expectStored(platform, ['--proxy', 'http://proxy.invalid:3128']);
  });
});
