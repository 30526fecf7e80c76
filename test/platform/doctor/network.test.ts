import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { examineRoute, type NetworkOptions } from '../../../src/platform/doctor/network.ts';
import {
  CA,
  type CertificateName,
  certificate,
  closedPort,
  proxyServer,
  silentServer,
  transport,
} from '../../http/support.ts';
import { serve } from '../../support/server.ts';

type Given = Partial<Omit<NetworkOptions, 'transport'>>;

/** Examines the route to `url` with a new transport. */
const examine = (url: string, given: Given = {}) => {
  const options = {
    proxy: {},
    ca: undefined,
    timeoutSeconds: 10,
    signal: new AbortController().signal,
    testEnvironment: false,
    now: Date.now,
    ...given,
  };
  return examineRoute(new URL(url), { ...options, transport: transport(options) });
};

/** A server that sends its time in the Date header. */
const server = (name?: CertificateName) =>
  serve((_, response) => response.end(), name && certificate(name));

const SKIPPED = { state: 'skipped' };
const OK = { state: 'ok' };

describe('over plain http', () => {
  it('skips the look-up and TLS', async () => {
    const { url } = await server();
    expect(await examine(url)).toMatchObject({
      dns: { ...SKIPPED, detail: '127.0.0.1 is an IP address' },
      proxy: { ...SKIPPED, detail: 'no proxy is set' },
      tls: { ...SKIPPED, detail: 'plain http, which stays on this machine' },
      reachable: OK,
      clock: OK,
    });
  });

  it('accepts every answer except the one of a gateway without a platform', async () => {
    const reachable = async (status: number) => {
      const { url } = await serve((_, response) => response.writeHead(status).end());
      const { reachable, clock } = await examine(url);
      // Every server that answers has a clock.
      expect(clock.state).toBe('ok');
      return reachable;
    };
    for (const status of [200, 403, 404, 500]) expect(await reachable(status)).toMatchObject(OK);
    for (const status of [502, 503, 504]) {
      expect(await reachable(status)).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining(`answered HTTP ${status}`),
        error: { code: 'network', details: { httpStatus: status } },
      });
    }
  });

  it('skips the clock without a Date', async () => {
    const { url } = await serve((_, response) => {
      response.sendDate = false;
      response.end();
    });
    expect(await examine(url)).toMatchObject({ reachable: OK, clock: SKIPPED });
  });
});

describe('the name', () => {
  it('is looked up with the resolver of the system', async () => {
    const { url } = await server();
    const { dns, reachable } = await examine(url.replace('127.0.0.1', 'localhost'));
    expect(dns).toMatchObject({
      ...OK,
      detail: expect.stringMatching(/^localhost is .*127\.0\.0\.1/),
    });
    expect(reachable).toMatchObject(OK);
  });

  it('ends the examination when it is not found', async () => {
    const because = { ...SKIPPED, detail: 'the host is not found' };
    expect(await examine('https://nowhere.invalid')).toMatchObject({
      dns: { state: 'failed', detail: expect.stringContaining('nowhere.invalid (DNS') },
      proxy: { ...SKIPPED, detail: 'no proxy is set' },
      tls: because,
      reachable: because,
      clock: because,
    });
  });
});

describe('TLS', () => {
  it('shows subject, issuer and expiry of the certificate', async () => {
    const { url, requests } = await server('good');
    expect(await examine(url, { ca: CA })).toMatchObject({
      tls: { ...OK, detail: 'the certificate of good, issued by ca, is valid until 2120-01-01' },
      reachable: OK,
      clock: OK,
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    { left: 14, state: 'ok' },
    { left: 13, state: 'warning' },
  ])('reports $left days left as $state', async ({ left, state }) => {
    const { url } = await server('good');
    const now = () => Date.UTC(2120, 0, 1) - left * 86_400_000;
    const { tls } = await examine(url, { ca: CA, now });
    expect(tls.state).toBe(state);
    if (state === 'warning') expect(tls.detail).toMatch(/2120-01-01 \(days left: 13\)$/);
  });

  it.each([
    { name: 'good', ca: undefined, reason: 'the certificate authority is not trusted' },
    { name: 'self-signed', ca: CA, reason: 'is self-signed' },
    { name: 'wrong-host', ca: CA, reason: 'is for another host' },
    { name: 'expired', ca: CA, reason: 'has expired' },
    { name: 'not-yet-valid', ca: CA, reason: 'is not valid yet' },
  ] as const)('fails for $name: it $reason', async ({ name, ca, reason }) => {
    const { url, requests } = await server(name);
    expect(await examine(url, { ca })).toMatchObject({
      tls: { state: 'failed', detail: expect.stringContaining(reason), error: { code: 'network' } },
      reachable: { ...SKIPPED, detail: 'TLS failed' },
      clock: SKIPPED,
    });
    expect(requests).toEqual([]);
  });

  it('detects a server without TLS', async () => {
    const { url } = await server();
    const { tls } = await examine(url.replace('http:', 'https:'));
    expect(tls).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('does not speak TLS'),
    });
  });
});

describe('an unreachable host', () => {
  const HINT = 'the test environment admits listed IP addresses only';

  it.each(['http', 'https'])('refuses the connection: %s', async (scheme) => {
    const url = `${scheme}://127.0.0.1:${await closedPort()}`;
    const { tls, reachable, clock } = await examine(url);
    expect(tls).toMatchObject(SKIPPED);
    expect(reachable).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('refused the connection'),
      fix: expect.not.stringContaining(HINT),
    });
    expect(clock).toMatchObject({ ...SKIPPED, detail: 'there was no answer' });
    const inTest = await examine(url, { testEnvironment: true });
    expect(inTest.reachable.fix).toContain(HINT);
    expect(inTest.reachable.error?.details.hint).toContain(HINT);
  });

  it('does not answer http', async () => {
    const url = `http://${await silentServer()}`;
    const { reachable } = await examine(url, { timeoutSeconds: 0.05, testEnvironment: true });
    expect(reachable).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/time-out/),
      fix: expect.stringContaining(HINT),
    });
  });

  it('does not answer https', async () => {
    const url = `https://${await silentServer()}`;
    const { tls, reachable } = await examine(url, { timeoutSeconds: 0.05, testEnvironment: true });
    expect(tls).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/within 0.05 s \(time-out\)/),
      fix: expect.stringContaining(HINT),
    });
    expect(reachable).toMatchObject(SKIPPED);
  });
});

describe('a proxy', () => {
  it('forwards to a TLS server, whose name it looks up', async () => {
    const { url } = await server('good');
    const proxy = await proxyServer();
    const { host } = new URL(url);
    expect(await examine(url, { ca: CA, proxy: { https: `http://${proxy.host}` } })).toMatchObject({
      dns: { ...SKIPPED, detail: 'the proxy looks up 127.0.0.1' },
      proxy: { ...OK, detail: `${proxy.host} forwards to ${host}` },
      tls: { ...OK, detail: 'the certificate of 127.0.0.1 is trusted' },
      reachable: OK,
      clock: OK,
    });
    expect(proxy.received).toEqual([`CONNECT ${host}`]);
  });

  it('forwards to a server without TLS', async () => {
    const { url } = await server();
    const proxy = await proxyServer();
    expect(await examine(url, { proxy: { http: `http://${proxy.host}` } })).toMatchObject({
      proxy: OK,
      tls: SKIPPED,
      reachable: OK,
    });
    expect(proxy.received).toEqual([`GET ${url}/`]);
  });

  it('forwards to a server with a refused certificate', async () => {
    const { url } = await server('expired');
    const proxy = { https: `http://${(await proxyServer()).host}` };
    expect(await examine(url, { ca: CA, proxy })).toMatchObject({
      proxy: OK,
      tls: { state: 'failed', detail: expect.stringContaining('has expired') },
      reachable: SKIPPED,
      clock: SKIPPED,
    });
  });

  it('forwards to a server that does not answer', async () => {
    const { url } = await serve(() => {}, certificate('good'));
    const proxy = { https: `http://${(await proxyServer()).host}` };
    expect(await examine(url, { ca: CA, proxy, timeoutSeconds: 1 })).toMatchObject({
      proxy: OK,
      tls: { ...SKIPPED, detail: 'there was no answer' },
      reachable: { state: 'failed', detail: expect.stringContaining('time-out') },
      clock: SKIPPED,
    });
  });

  it('fails, and its credentials are not shown', async () => {
    const dead = `127.0.0.1:${await closedPort()}`;
    for (const host of [dead, (await proxyServer(407)).host, (await proxyServer(502)).host]) {
      const proxy = { https: `http://canary:canary@${host}` };
      const findings = await examine('https://platform.invalid', { proxy });
      expect(findings).toMatchObject({
        dns: SKIPPED,
        proxy: {
          state: 'failed',
          detail: expect.stringContaining(`the proxy ${host} failed`),
          error: { code: 'network' },
        },
        tls: { ...SKIPPED, detail: 'the proxy failed' },
        reachable: SKIPPED,
        clock: SKIPPED,
      });
      expect(JSON.stringify(findings)).not.toContain('canary');
    }
  });

  it('is skipped for a host in NO_PROXY', async () => {
    const { url } = await server();
    const proxy = await proxyServer();
    const settings = { http: `http://${proxy.host}`, except: '127.0.0.1' };
    expect(await examine(url, { proxy: settings })).toMatchObject({
      proxy: { ...SKIPPED, detail: 'NO_PROXY exempts 127.0.0.1' },
      reachable: OK,
    });
    expect(proxy.received).toEqual([]);
  });

  it('that is invalid ends the examination if it would be used', async () => {
    const proxy = { http: 'socks5://proxy.invalid', https: 'socks5://proxy.invalid' };
    const because = { ...SKIPPED, detail: 'the proxy cannot be used' };
    expect(await examine('https://platform.invalid', { proxy })).toMatchObject({
      dns: because,
      proxy: { state: 'failed', error: { code: 'usage' } },
      tls: because,
      reachable: because,
      clock: because,
    });
    const { url } = await server();
    expect(await examine(url, { proxy: { ...proxy, except: '127.0.0.1' } })).toMatchObject({
      proxy: { ...SKIPPED, detail: 'NO_PROXY exempts 127.0.0.1' },
      reachable: OK,
    });
  });

  it('on another machine does not receive plain http for this machine', async () => {
    const { url } = await server();
    expect(await examine(url, { proxy: { http: 'http://proxy.invalid:1' } })).toMatchObject({
      proxy: { ...SKIPPED, detail: 'plain http stays on this machine' },
      reachable: OK,
    });
  });
});

describe('a signal', () => {
  const stopped = async (error: MopError) => {
    const controller = new AbortController();
    const url = `https://${await silentServer()}`;
    setImmediate(() => controller.abort(error));
    return examine(url, { signal: controller.signal });
  };

  it('of the system ends the examination', async () => {
    const interrupted = new MopError('interrupted', 'interrupted');
    await expect(stopped(interrupted)).rejects.toBe(interrupted);
  });

  it('of --max-time is a normal failure', async () => {
    const findings = await stopped(new MopError('network', 'not done within 1 s'));
    expect(JSON.stringify(findings)).toContain('not done within 1 s');
  });
});
