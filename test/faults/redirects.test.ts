import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  AUTHORIZATION,
  CONTENT,
  QUERY,
  type ScriptedPlatform,
  scriptedPlatform,
} from '../support/platform.ts';
import { serve, type TestServer } from '../support/server.ts';
import {
  expectFailure,
  expectFault,
  expectNoCredentials,
  expectStored,
  type Fault,
} from './support.ts';

const zipped = gzipSync(CONTENT);

function redirect(location: string, status = 302): Answer {
  return (response) => response.writeHead(status, { Location: location }).end('<html>moved</html>');
}

/** Redirects each download to the next location; the last one serves the file. */
function through(...locations: readonly string[]): Answer {
  return (response, number, request, good) => {
    const location = locations[number];
    if (location === undefined) return response.end(good);
    return redirect(location)(response, number, request, good);
  };
}

/** Another origin that serves the file. */
function otherServer(): Promise<TestServer> {
  return serve((_, response) => response.end(zipped));
}

const downloads = ({ requests }: ScriptedPlatform): string[] =>
  requests.filter(({ method }) => method === 'GET').map(({ path }) => path);

describe('a redirect', () => {
  it.each([300, 301, 302, 303, 307, 308])('of status %i is followed', async (status) => {
    const platform = await scriptedPlatform({
      download: (response, number, request, good) =>
        number === 0
          ? redirect('/again', status)(response, number, request, good)
          : response.end(good),
    });
    // Both requests have the authorization, because the origin is the same.
    await expectStored(platform);
    expect(downloads(platform)).toEqual([`/file?${QUERY}`, '/again']);
  });

  it.each([
    ['again', '/again'],
    ['?other=1', '/file?other=1'],
    ['./a/../b', '/b'],
    ['/again#part', '/again'],
    ['  /again  ', '/again'],
    ['/%C3%BC', '/%C3%BC'],
  ])('to %j is resolved on the same server', async (location, path) => {
    const platform = await scriptedPlatform({ download: through(location) });
    await expectStored(platform);
    expect(downloads(platform)).toEqual([`/file?${QUERY}`, path]);
  });

  it('to a path in UTF-8 is decoded', async () => {
    const location = Buffer.from('/账单.csv.gz').toString('latin1');
    const platform = await scriptedPlatform({ download: through(location) });
    await expectStored(platform);
    expect(downloads(platform).at(-1)).toBe(encodeURI('/账单.csv.gz'));
  });

  it('may be an absolute address, with or without a scheme', async () => {
    const platform: ScriptedPlatform = await scriptedPlatform({
      download: (...answer) => {
        const { host } = new URL(platform.url);
        return through(`http://${host}/a`, `//${host}/b`)(...answer);
      },
    });
    await expectStored(platform);
    expect(downloads(platform)).toEqual([`/file?${QUERY}`, '/a', '/b']);
  });

  it('is followed five times', async () => {
    const platform = await scriptedPlatform({ download: through('/1', '/2', '/3', '/4', '/5') });
    await expectStored(platform);
    expect(downloads(platform)).toHaveLength(6);
  });

  it('with a user and a password is followed without sending or printing them', async () => {
    const platform: ScriptedPlatform = await scriptedPlatform({
      download: (...answer) =>
        through(`${platform.url.replace('//', '//user:canary-99@')}/again`)(...answer),
    });
    const { stdout, stderr } = await expectStored(platform, ['--verbose', '--debug'], {
      quiet: false,
    });
    expect(stdout + stderr).not.toContain('canary-99');
  });
});

const REFUSED: Fault = {
  code: 5,
  message:
    /the download redirects to an (?:invalid address|address that is neither https nor on this machine: \S+)$/,
};
const TOO_OFTEN: Fault = { code: 5, message: /the download redirects more than 5 times$/ };

describe('a redirect is not followed', () => {
  it.each([
    'http://platform.invalid/bill',
    'http://192.0.2.1/bill',
    'http://127.0.0.1.platform.invalid/bill',
    'file:///etc/passwd',
    'data:text/csv,order_id',
    'ftp://127.0.0.1/bill',
    'javascript:0',
    'http://user:canary-99@platform.invalid/?canary-99',
    'http://[/',
    'https://',
    'ws://127.0.0.1/bill',
    'wss://platform.invalid/bill',
  ])('to %s', async (location) => {
    const { stdout, stderr } = await expectFault('download', redirect(location), REFUSED);
    expect(stdout + stderr).not.toContain('canary-99');
  });

  it.each([
    ['to itself', () => '/file'],
    ['to an empty address', () => ''],
    ['back and forth', (number: number) => `/${number % 2}`],
    ['to new addresses', (number: number) => `/${number}`],
  ])('more than five times: %s', async (_, location) => {
    const fault: Answer = (response, number, ...rest) =>
      redirect(location(number))(response, number, ...rest);
    await expectFault('download', fault, { ...TOO_OFTEN, getsEach: 6 });
  });

  it.each([301, 302, 303, 307, 308])('without a Location, status %i', async (status) => {
    const fault: Answer = (response) => response.writeHead(status).end();
    const message = new RegExp(`answered the download with HTTP ${status}$`);
    await expectFault('download', fault, { code: 5, message, transient: true });
  });

  it.each([301, 302, 303, 307, 308])('with the signed call, status %i', async (status) => {
    const other = await otherServer();
    const message = new RegExp(
      `answered HTTP ${status}, a redirect to .* a body that is not a JSON envelope`,
    );
    await expectFault('descriptor', redirect(other.url, status), { code: 5, message });
    expect(other.requests).toEqual([]);
  });
});

describe('the link of a descriptor', () => {
  const refused = { code: 5, attempts: 1, gets: 0 };
  const notAllowed = /data\.download_url is neither https nor on this machine$/;

  it.each([
    ['ftp://127.0.0.1/bill', notAllowed],
    ['http://platform.invalid/bill', notAllowed],
    ['file:///etc/passwd', notAllowed],
    ['data:text/csv,order_id', notAllowed],
    ['ws://127.0.0.1/bill', notAllowed],
    ['wss://platform.invalid/bill', notAllowed],
    ['not a url', /data\.download_url is not a URL$/],
    [17, /data\.download_url is not a string$/],
  ])('%j breaks the contract', async (download_url, message) => {
    await expectFailure(await scriptedPlatform({ descriptor: { download_url } }), {
      ...refused,
      message,
    });
  });

  it('with an authorization that is invalid in a header breaks the contract', async () => {
    const platform = await scriptedPlatform({ descriptor: { authorization: 'a\nb\u4e2d' } });
    const message = /data\.authorization cannot be sent/;
    await expectFailure(platform, { ...refused, message });
  });
});

describe('a redirect to another origin', () => {
  it('omits the authorization and the headers of --download-header', async () => {
    const other = await otherServer();
    const platform = await scriptedPlatform({ download: through('/here', `${other.url}/there`) });
    await expectStored(platform, ['--download-header', 'X-Tenant: north']);
    expect(platform.requests.slice(1).map(({ headers }) => headers['x-tenant'])).toEqual([
      'north',
      'north',
    ]);
    expect(other.requests.map(({ path }) => path)).toEqual(['/there']);
    expectNoCredentials(other.requests);
    expect(other.requests[0]?.headers['x-tenant']).toBeUndefined();
  });

  it('omits them for another name of the same server', async () => {
    const platform: ScriptedPlatform = await scriptedPlatform({
      download: (...answer) =>
        through(`${platform.url.replace('127.0.0.1', 'localhost')}/again`)(...answer),
    });
    await expectStored(platform, [], { credentials: false });
    expect(platform.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      AUTHORIZATION,
      undefined,
    ]);
  });

  it('omits them for a third origin', async () => {
    const third = await otherServer();
    const other = await serve((_, response) =>
      response.writeHead(302, { Location: third.url }).end(),
    );
    await expectStored(await scriptedPlatform({ download: through(other.url) }));
    expectNoCredentials([...other.requests, ...third.requests]);
  });

  it('omits them after a redirect back', async () => {
    const back: TestServer = await serve((_, response) =>
      response.writeHead(302, { Location: `${platform.url}/chosen` }).end(),
    );
    const platform: ScriptedPlatform = await scriptedPlatform({ download: through(back.url) });
    await expectStored(platform, [], { credentials: false });
    expect(platform.requests.at(-1)?.path).toBe('/chosen');
    expect(platform.requests.at(-1)?.headers.authorization).toBeUndefined();
  });
});
