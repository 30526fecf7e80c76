/** The link of a bill and its authorization, which the platform hands out and mop sends on. */
import { describe, expect, it } from 'vitest';
import { mop } from '../support/cli.ts';
import { AUTHORIZATION, type BillScript, QUERY, scriptedPlatform } from '../support/platform.ts';
import { envelope, serve } from '../support/server.ts';
import { type Bench, bench, CANARIES, leaksOf } from './bench.ts';
import { echoes } from './services.ts';

const DATE = '2026-11-19';

/** The leaks of fetching a bill into a file, and to standard output. */
async function leaksOfFetching(script: BillScript, ...flags: string[]): Promise<string[]> {
  const { url, requests } = await scriptedPlatform(script);
  const place = await bench(url);
  const fetch = ['bill', 'fetch', DATE, '--retries', '1', ...flags];
  return [
    ...(await leaksOf([...fetch, '-o', `${place.at('bills')}/`], place, { requests })),
    ...(await leaksOf([...fetch, '-o', '-'], place, { requests })),
  ];
}

/** Downloads that echo the request; a message shows the start of an invalid bill. */
const DOWNLOADS = Object.entries(echoes(CANARIES.variable));
const TAKEN_FOR_A_BILL = [
  'a page instead of an answer',
  'an answer without a code',
  'an answer of wrong types',
  'an answer that is no object',
];

describe('a bill is fetched, and neither link nor authorization shows', () => {
  it('when all is well', async () => {
    expect(await leaksOfFetching({})).toEqual([]);
  });

  it('with another header for the authorization', async () => {
    const { url, requests } = await scriptedPlatform();
    const place = await bench(url);
    const set = ['config', 'set', 'bill_auth_header', 'X-Ticket'];
    expect((await mop(set, { env: place.env })).code).toBe(0);
    const fetch = ['bill', 'fetch', DATE, '-o', `${place.at('bills')}/`];
    expect(await leaksOf(fetch, place, { requests })).toEqual([]);
    expect(requests.map(({ headers }) => headers['x-ticket'])).toContain(AUTHORIZATION);
  });

  it.each(DOWNLOADS.filter(([name]) => !TAKEN_FOR_A_BILL.includes(name)))(
    'when the download gets %s',
    async (_, echo) => {
      const download: BillScript['download'] = (response, _, request) => echo(request, response, 0);
      expect(await leaksOfFetching({ download })).toEqual([]);
    },
  );

  it.each(DOWNLOADS.filter(([name]) => TAKEN_FOR_A_BILL.includes(name)))(
    'when the download gets %s',
    async (_, echo) => {
      const download: BillScript['download'] = (response, _, request) => echo(request, response, 0);
      expect(await leaksOfFetching({ download })).toEqual([]);
    },
  );

  it('when a redirect leads elsewhere with them', async () => {
    const link = `https://elsewhere.example/${AUTHORIZATION}?${QUERY}`;
    const download: BillScript['download'] = (response) =>
      response.writeHead(302, { Location: link.replace('https', 'http') }).end();
    expect(await leaksOfFetching({ download })).toEqual([]);
  });

  it.each([
    ['a link that is no URL', { download_url: `//file?${QUERY}` }],
    ['a link over plain http', { download_url: `http://files.example/file?${QUERY}` }],
    ['a link with a password', { download_url: `http://u:${AUTHORIZATION}@127.0.0.1:9/?${QUERY}` }],
    ['a link that is an object', { download_url: { href: `/file?${QUERY}` } }],
    ['an authorization that is an object', { authorization: { token: AUTHORIZATION } }],
    ['an authorization for no header', { authorization: `${AUTHORIZATION}\n☂` }],
  ])('when the platform gives %s', async (_, descriptor) => {
    expect(await leaksOfFetching({ descriptor })).toEqual([]);
  });

  it('when a header repeats the query alone', async () => {
    const download: BillScript['download'] = (response) =>
      response.writeHead(403, { 'X-Query-String': QUERY }).end();
    expect(await leaksOfFetching({ download })).toEqual([]);
  });

  it('when a refusal has the token alone, or one value of the query, in two pieces', async () => {
    const token = 'token-canary-9f8e7d';
    const value = 'value-canary-1a2b3c';
    const { url } = await scriptedPlatform({
      descriptor: { authorization: `Bearer ${token}` },
      download: (response) => {
        response.writeHead(403).write(`no: ${token.slice(0, 15)}`);
        setImmediate(() => response.end(`${token.slice(15)} of ${value}`));
      },
    });
    const link = { download_url: `${url}/file?a=1&signature=${value}` };
    const platform = await scriptedPlatform({
      descriptor: { ...link, authorization: `Bearer ${token}` },
    });
    const fetch = ['bill', 'fetch', DATE, '--retries', '0', '--verbose'];
    const { code, stderr } = await mop([...fetch, '-o', '-'], { env: platform.env });
    expect([code, stderr]).toEqual([5, expect.stringContaining('"no: <redacted> of <redacted>"')]);
    expect(stderr).not.toMatch(/canary/);
  });

  it('when the platform complains about the first link', async () => {
    let asked = 0;
    const { url, requests } = await serve((request, response) => {
      const link = { download_url: `${url}/file?${QUERY}`, authorization: AUTHORIZATION };
      if (request.method === 'GET') return response.writeHead(403).end();
      if (asked++ % 2 === 0) return envelope(response, 0, link);
      return envelope(response, 2000, {}, `${link.download_url} was used with ${AUTHORIZATION}`);
    });
    const place = await bench(url);
    const fetch = ['bill', 'fetch', DATE, '--retries', '1', '-o', `${place.at('bills')}/`];
    expect(await leaksOf(fetch, place, { requests })).toEqual([]);
  });
});

describe('a link is looked at', () => {
  const looking = async (): Promise<Bench> => bench((await scriptedPlatform()).url);

  it.each([[['bill', 'info', DATE]], [['call', '/trade/bill']], [['call', '/x', '--envelope']]])(
    'and does not show: mop %j',
    async (argv) => {
      expect(await leaksOf(argv, await looking())).toEqual([]);
    },
  );

  it('and shows when it is to be revealed, as data alone', async () => {
    const leaks = await leaksOf(['bill', 'info', DATE, '--reveal'], await looking());
    expect(leaks).toEqual(
      ['json', 'text', 'terminal'].flatMap((voice) => [
        `${voice} stdout: authorization (verbatim)`,
        `${voice} stdout: query (verbatim)`,
      ]),
    );
  });
});

it('a platform that is asked for three months of bills makes none show a secret', async () => {
  const { url, requests } = await serve(echoes(CANARIES.variable)['an error'] ?? expect.fail());
  const place = await bench(url);
  const argv = ['bill', 'status', place.directory, '--check', '--retries', '0'];
  expect(await leaksOf(argv, place, { voices: ['json'] })).toEqual([]);
  expect(requests.length).toBeGreaterThan(80);
});
