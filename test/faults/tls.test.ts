import { describe, expect, it } from 'vitest';
import { file } from '../cli/support.ts';
import { CA, type CertificateName, certificate, socketServer } from '../http/support.ts';
import { CONTENT, pointAt, scriptedPlatform } from '../support/platform.ts';
import { serve, type TestServer } from '../support/server.ts';
import { expectFailure, expectFault, expectStored } from './support.ts';

const ONCE_MORE = ['--retries', '1'];

/** A TLS server that serves the plain bill. */
function files(name: CertificateName): Promise<TestServer> {
  return serve((_, response) => response.end(CONTENT), certificate(name));
}

const failed = (why: string) => ({
  code: 6,
  message: new RegExp(`^TLS to 127\\.0\\.0\\.1:\\d+ failed: ${why}$`),
  attempts: 2,
  gets: 0,
});

const untrusted = 'the certificate authority is not trusted';
const BAD: [CertificateName, trusted: boolean, why: string, hint: RegExp][] = [
  ['good', false, untrusted, /ca-file/],
  ['self-signed', true, 'the certificate is self-signed', /ca-file/],
  [
    'wrong-host',
    true,
    'the certificate is for another host',
    /its host name must match the certificate/,
  ],
  ['expired', true, 'the certificate has expired', /clock/],
  ['not-yet-valid', true, 'the certificate is not valid yet', /clock/],
];

const trust = async (trusted: boolean): Promise<string[]> =>
  trusted ? [...ONCE_MORE, '--ca-file', await file(CA)] : ONCE_MORE;

describe.each(BAD)(
  'a certificate that is %s (authority trusted: %s)',
  (name, trusted, why, hint) => {
    it('fails the call before sending', async () => {
      const { env, requests } = await scriptedPlatform({}, certificate(name));
      await expectFailure({ env }, { ...failed(why), hint }, await trust(trusted));
      expect(requests).toEqual([]);
    });

    it('fails the download before sending', async () => {
      const { url, requests } = await files(name);
      const platform = await scriptedPlatform({ descriptor: { download_url: `${url}/file` } });
      await expectFailure(platform, { ...failed(why), hint }, await trust(trusted));
      expect(requests).toEqual([]);
    });

    it('fails the download as the target of a redirect', async () => {
      const { url, requests } = await files(name);
      const { code, message } = failed(why);
      await expectFault(
        'download',
        (response) => response.writeHead(302, { Location: url }).end(),
        { code, message, hint },
        await trust(trusted),
      );
      expect(requests).toEqual([]);
    });
  },
);

it('a bill is fetched over TLS', async () => {
  const platform = await scriptedPlatform({}, certificate('good'));
  await expectStored(platform, ['--ca-file', await file(CA)]);
});

describe('a connection without TLS', () => {
  it('is reported for a platform that speaks plain HTTP', async () => {
    const { url, requests } = await scriptedPlatform();
    const env = pointAt(url.replace('http:', 'https:'));
    await expectFailure({ env }, failed('the server does not speak TLS'), ONCE_MORE);
    expect(requests).toEqual([]);
  });

  it('is reported for a file server that speaks plain HTTP', async () => {
    const plain = await serve((_, response) => response.end(CONTENT));
    const download_url = plain.url.replace('http:', 'https:');
    const platform = await scriptedPlatform({ descriptor: { download_url } });
    await expectFailure(platform, failed('the server does not speak TLS'), ONCE_MORE);
    expect(plain.requests).toEqual([]);
  });

  it.each<[string, Parameters<typeof socketServer>[0]]>([
    ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['an end', (socket) => socket.once('data', () => socket.end())],
  ])('is reported for %s inside the handshake', async (_, close) => {
    const host = await socketServer(close);
    const download_url = `https://${host}/file`;
    const platform = await scriptedPlatform({ descriptor: { download_url } });
    const message = /^the connection to 127\.0\.0\.1:\d+ broke: ./;
    await expectFailure(platform, { code: 6, message, attempts: 2, gets: 0 }, ONCE_MORE);
  });
});

it('TLS instead of plain HTTP is a broken connection', async () => {
  const { url, requests } = await files('good');
  const download_url = url.replace('https:', 'http:');
  const platform = await scriptedPlatform({ descriptor: { download_url } });
  const message = /^the connection to 127\.0\.0\.1:\d+ broke: ./;
  await expectFailure(platform, { code: 6, message, attempts: 2, gets: 0 }, ONCE_MORE);
  expect(requests).toEqual([]);
});
