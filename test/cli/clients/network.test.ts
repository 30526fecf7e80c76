import { Server as ProxyServer } from 'proxy-chain';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CA, type CertificateName, certificate, closedPort } from '../../http/support.ts';
import { mop } from '../../support/cli.ts';
import { pointAt } from '../../support/platform.ts';
import { envelope, serve, type TestServer } from '../../support/server.ts';
import { expectFailure, file } from '../support.ts';

type Platform = TestServer & { readonly env: Record<string, string> };

/** A platform behind TLS, with one of the certificates of the fixtures. */
async function tlsPlatform(name: CertificateName = 'good'): Promise<Platform> {
  const server = await serve((_, response) => envelope(response, 0), certificate(name));
  return { ...server, env: pointAt(server.url) };
}

async function plainPlatform(): Promise<Platform> {
  const server = await serve((_, response) => envelope(response, 0));
  return { ...server, env: pointAt(server.url) };
}

interface RealProxy {
  readonly url: string;
  /** The forwarded requests, such as `CONNECT 127.0.0.1:443`. */
  readonly asked: readonly string[];
}

/** A proxy from a public package. It may require a user and a password. */
async function realProxy(credentials?: { username: string; password: string }): Promise<RealProxy> {
  const asked: string[] = [];
  const server = new ProxyServer({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction: ({ request, username, password, hostname, port }) => {
      asked.push(`${request.method} ${hostname}:${port}`);
      if (!credentials) return {};
      const known = username === credentials.username && password === credentials.password;
      return { requestAuthentication: !known };
    },
  });
  await server.listen();
  onTestFinished(() => server.close(true));
  return { url: `http://127.0.0.1:${server.port}`, asked };
}

const call = (env: Record<string, string>, ...args: string[]) =>
  mop(['call', 'x', ...args], { env });

describe('a real proxy', () => {
  it.each([
    ['--proxy', (url: string) => [['--proxy', url], {}] as const],
    ['HTTPS_PROXY', (url: string) => [[], { HTTPS_PROXY: url }] as const],
    ['https_proxy', (url: string) => [[], { https_proxy: url, HTTPS_PROXY: 'http://no' }] as const],
  ])('tunnels https with %s', async (_, way) => {
    const platform = await tlsPlatform();
    const proxy = await realProxy();
    const [args, variables] = way(proxy.url);
    const ca = await file(CA);
    const result = await call({ ...platform.env, ...variables }, '--ca-file', ca, ...args);
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(proxy.asked).toEqual([`CONNECT ${new URL(platform.url).host}`]);
    expect(platform.requests).toHaveLength(1);
  });

  it('forwards plain http with the signed case of header names', async () => {
    const platform = await plainPlatform();
    const proxy = await realProxy();
    const env = { ...platform.env, HTTP_PROXY: proxy.url };
    expect((await call(env, '--mode', 'header', '-H', 'X-TMS-tRACE: 1')).code).toBe(0);
    expect(proxy.asked).toEqual([`POST ${new URL(platform.url).host}`]);
    expect(platform.requests[0]?.rawHeaders).toEqual(
      expect.arrayContaining(['X-TMS-Sign-Ver', 'X-TMS-tRACE', 'X-TMS-Sign']),
    );
  });

  it.each(['127.0.0.1', 'localhost,127.0.0.1', '*'])(
    'is bypassed for NO_PROXY=%s',
    async (except) => {
      const platform = await tlsPlatform();
      const proxy = await realProxy();
      const ca = await file(CA);
      const env = { ...platform.env, HTTPS_PROXY: proxy.url, NO_PROXY: except };
      expect((await call(env, '--ca-file', ca)).code).toBe(0);
      expect(proxy.asked).toEqual([]);
    },
  );

  it('is used for hosts that NO_PROXY does not match', async () => {
    const platform = await tlsPlatform();
    const proxy = await realProxy();
    const ca = await file(CA);
    const env = { ...platform.env, HTTPS_PROXY: proxy.url, NO_PROXY: 'localhost,.example' };
    expect((await call(env, '--ca-file', ca)).code).toBe(0);
    expect(proxy.asked).toHaveLength(1);
  });

  it('receives its credentials, which are never printed', async () => {
    const platform = await tlsPlatform();
    const proxy = await realProxy({ username: 'user', password: 'canary-5678' });
    const ca = await file(CA);
    const url = (password: string) => proxy.url.replace('//', `//user:${password}@`);
    const good = await call(platform.env, '--ca-file', ca, '-v', '--proxy', url('canary-5678'));
    expect(good.code).toBe(0);
    expect(good.stderr).not.toContain('canary');

    const bad = await call(
      platform.env,
      '--ca-file',
      ca,
      '--proxy',
      url('canary-0'),
      '--retries',
      '0',
    );
    expectFailure(bad, 6, 'it rejected the credentials (HTTP 407)', 'NO_PROXY');
    expect(bad.stderr).not.toContain('canary');
    expect(platform.requests).toHaveLength(1);
  });

  it('is named in the message when it is unreachable', async () => {
    const platform = await tlsPlatform();
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const result = await call({ ...platform.env, HTTPS_PROXY: dead }, '--retries', '0');
    expectFailure(result, 6, 'the proxy 127.0.0.1:', 'HTTPS_PROXY');
    expect(platform.requests).toEqual([]);
  });
});

describe('TLS', () => {
  it('trusts a private authority with --ca-file', async () => {
    const platform = await tlsPlatform();
    const ca = await file(CA);
    const result = await call(platform.env, '--ca-file', ca, '--mode', 'header');
    expect([result.code, result.stderr]).toEqual([0, '']);
    // HTTP/2 would convert them to lower case.
    expect(platform.requests[0]?.rawHeaders).toContain('X-TMS-Sign-Ver');
  });

  it.each<[CertificateName, boolean, string]>([
    ['good', false, 'the certificate authority is not trusted'],
    ['self-signed', true, 'the certificate is self-signed'],
    ['wrong-host', true, 'the certificate is for another host'],
    ['expired', true, 'the certificate has expired'],
    ['not-yet-valid', true, 'the certificate is not valid yet'],
  ])('rejects a certificate that is %s (authority trusted: %s)', async (name, trusted, why) => {
    const platform = await tlsPlatform(name);
    const args = trusted ? ['--ca-file', await file(CA)] : [];
    const result = await call(platform.env, '--json', '--retries', '0', ...args);
    expect([result.code, result.stdout]).toEqual([6, '']);
    expect(JSON.parse(result.stderr).error.message).toMatch(/^TLS to 127\.0\.0\.1:\d+ failed: /);
    expect(JSON.parse(result.stderr).error.message).toContain(why);
    // No part of the request may have been sent.
    expect(platform.requests).toEqual([]);
  });

  it('reports a server that speaks plain http', async () => {
    const platform = await plainPlatform();
    const env = pointAt(platform.url.replace('http:', 'https:'));
    expectFailure(await call(env, '--retries', '0'), 6, 'the server does not speak TLS');
  });

  it.each([
    ['--ca-file', '/does/not/exist', 'there is no such file'],
    ['--ca-file', '/', 'it is a directory'],
  ])('rejects %s %s', async (flag, path, message) => {
    const platform = await tlsPlatform();
    expectFailure(await call(platform.env, flag, path), 2, message);
    expect(platform.requests).toEqual([]);
  });

  it('rejects a --ca-file without a valid certificate', async () => {
    const platform = await tlsPlatform();
    const damaged = '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n';
    for (const content of ['no certificate', damaged, `${CA}\n${damaged}`]) {
      const path = await file(content);
      expectFailure(await call(platform.env, '--ca-file', path), 2, 'contains no PEM certificate');
    }
  });
});
