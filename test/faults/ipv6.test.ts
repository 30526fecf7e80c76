import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { file } from '../cli/support.ts';
import { CA, certificate, closedPort } from '../http/support.ts';
import { type BillScript, CONTENT, pointAt, scriptedPlatform } from '../support/platform.ts';
import { type Certificate, serve } from '../support/server.ts';
import { expectFailure, expectNoCredentials, expectStored } from './support.ts';

/** Whether this machine has the IPv6 loopback address. */
async function hasLoopback6(): Promise<boolean> {
  const server = createServer().listen(0, '::1');
  const isAvailable = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  return isAvailable;
}

const HAS_LOOPBACK6 = await hasLoopback6();

const platform6 = (script?: BillScript, certificate?: Certificate) =>
  scriptedPlatform(script, certificate, '::1');

if (!HAS_LOOPBACK6) it('IPv6', ({ skip }) => skip('this machine does not have ::1'));

describe.runIf(HAS_LOOPBACK6)('a platform at [::1]', () => {
  it('serves bills over plain http', async () => {
    const platform = await platform6();
    expect(platform.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    await expectStored(platform);
    expect(platform.requests.map(({ headers }) => headers.host)).toEqual(
      Array(2).fill(new URL(platform.url).host),
    );
  });

  it('has a different origin from 127.0.0.1', async () => {
    const other = await serve((_, response) => response.end(gzipSync(CONTENT)));
    const platform = await platform6({
      download: (response) => response.writeHead(302, { Location: other.url }).end(),
    });
    await expectStored(platform);
    expectNoCredentials(other.requests);
  });

  it('bypasses a proxy on another machine, and any proxy with NO_PROXY', async () => {
    const platform = await platform6();
    const dead = `http://127.0.0.1:${await closedPort()}`;
    for (const NO_PROXY of ['::1', '[::1]']) {
      const env = { ...platform.env, HTTP_PROXY: dead, NO_PROXY };
      await expectStored({ ...platform, env });
    }
    const env = { ...platform.env, HTTP_PROXY: 'http://proxy.invalid:3128' };
    await expectStored({ ...platform, env });
  });

  it('is named in brackets when it refuses the connection', async () => {
    const env = pointAt(`http://[::1]:${await closedPort('::1')}`);
    const message = /^\[::1\]:\d+ refused the connection$/;
    await expectFailure({ env }, { code: 6, message, attempts: 5, gets: 0 });
  });

  it('is named in brackets when the connection breaks', async () => {
    const platform = await platform6({ download: (response) => response.destroy() });
    const message = /^the connection to \[::1\]:\d+ broke: ./;
    await expectFailure(platform, { code: 6, message, attempts: 5, gets: 5 });
  });

  it('requires a certificate for its address', async () => {
    const { env, requests } = await platform6({}, certificate('good'));
    const message = /^TLS to \[::1\]:\d+ failed: the certificate is for another host$/;
    const args = ['--ca-file', await file(CA)];
    await expectFailure({ env }, { code: 6, message, attempts: 5, gets: 0 }, args);
    expect(requests).toEqual([]);
  });
});
