import { describe, it } from 'vitest';
import { pointAt, scriptedPlatform } from '../support/platform.ts';
import { expectFailure, expectFault } from './support.ts';

// A label of a host name has at most 63 characters, so no resolver is queried.
const HOST = `${'x'.repeat(64)}.invalid`;

describe('an unknown host', () => {
  const expected = {
    code: 6,
    message: /^cannot find the host x{64}\.invalid \(DNS, E\w+\)$/,
    hint: /DNS or VPN/,
  };

  it('fails the call', async () => {
    const env = pointAt(`https://${HOST}:8443`);
    await expectFailure({ env }, { ...expected, attempts: 5, gets: 0 });
  });

  it('fails the download', async () => {
    const descriptor = { download_url: `https://${HOST}/file` };
    const platform = await scriptedPlatform({ descriptor });
    await expectFailure(platform, { ...expected, attempts: 5, gets: 0 });
  });

  it('fails the download as the target of a redirect', async () => {
    await expectFault(
      'download',
      (response) => response.writeHead(302, { Location: `https://${HOST}/` }).end(),
      expected,
    );
  });
});
