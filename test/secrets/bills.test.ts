/** The link of a bill and its authorization, which mop receives and sends to the file server. */
import { describe, expect, it } from 'vitest';
import { mop } from '../support/cli.ts';
import { AUTHORIZATION, type BillScript, QUERY, scriptedPlatform } from '../support/platform.ts';
import { envelope, serve } from '../support/server.ts';
import { echoes } from './services.ts';
import { CANARIES, createWorkspace, leaksOf, type Workspace } from './workspace.ts';

const DATE = '2026-11-19';

/** Fetches a bill into a file and to standard output, and returns the leaks. */
async function leaksOfFetching(script: BillScript, ...flags: string[]): Promise<string[]> {
  const { url, requests } = await scriptedPlatform(script);
  const workspace = await createWorkspace(url);
  const fetch = ['bill', 'fetch', DATE, '--retries', '1', ...flags];
  return [
    ...(await leaksOf([...fetch, '-o', `${workspace.at('bills')}/`], workspace, { requests })),
    ...(await leaksOf([...fetch, '-o', '-'], workspace, { requests })),
  ];
}

/** Answers that echo the request as the download. A message quotes the start of an invalid bill. */
const DOWNLOADS = Object.entries(echoes(CANARIES.variable)).filter(([name]) =>
  /^an error$|page|redirect|reason phrase|truncated|not HTTP/.test(name),
);

describe('bill fetch does not print the link or the authorization', () => {
  it('when the download succeeds', async () => {
    expect(await leaksOfFetching({})).toEqual([]);
  });

  it('with another header for the authorization', async () => {
    const { url, requests } = await scriptedPlatform();
    const workspace = await createWorkspace(url);
    const set = ['config', 'set', 'bill_auth_header', 'X-Ticket'];
    expect((await mop(set, { env: workspace.env })).code).toBe(0);
    const fetch = ['bill', 'fetch', DATE, '-o', `${workspace.at('bills')}/`];
    expect(await leaksOf(fetch, workspace, { requests })).toEqual([]);
    expect(requests.map(({ headers }) => headers['x-ticket'])).toContain(AUTHORIZATION);
  });

  it.each(DOWNLOADS)('when the download gets %s', async (_, echo) => {
    const download: BillScript['download'] = (response, _, request) => echo(request, response, 0);
    expect(await leaksOfFetching({ download })).toEqual([]);
  });

  it('when a redirect to another host contains them', async () => {
    const link = `https://elsewhere.example/${AUTHORIZATION}?${QUERY}`;
    const download: BillScript['download'] = (response) =>
      response.writeHead(302, { Location: link.replace('https', 'http') }).end();
    expect(await leaksOfFetching({ download })).toEqual([]);
  });

  it.each([
    ['a link that is not a URL', { download_url: `//file?${QUERY}` }],
    ['a link over plain http', { download_url: `http://files.example/file?${QUERY}` }],
    ['a link with a password', { download_url: `http://u:${AUTHORIZATION}@127.0.0.1:9/?${QUERY}` }],
    ['a link that is an object', { download_url: { href: `/file?${QUERY}` } }],
    ['an authorization that is an object', { authorization: { token: AUTHORIZATION } }],
    ['an authorization that is invalid in a header', { authorization: `${AUTHORIZATION}\n☂` }],
  ])('when the platform returns %s', async (_, descriptor) => {
    expect(await leaksOfFetching({ descriptor })).toEqual([]);
  });

  it('when a response header contains only the query', async () => {
    const download: BillScript['download'] = (response) =>
      response.writeHead(403, { 'X-Query-String': QUERY }).end();
    expect(await leaksOfFetching({ download })).toEqual([]);
  });

  it('when a refusal contains only the token or one value of the query, in two pieces', async () => {
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

  it('when the answer to a retry quotes the first link', async () => {
    let calls = 0;
    const { url, requests } = await serve((request, response) => {
      const link = { download_url: `${url}/file?${QUERY}`, authorization: AUTHORIZATION };
      if (request.method === 'GET') return response.writeHead(403).end();
      if (calls++ % 2 === 0) return envelope(response, 0, link);
      return envelope(response, 2000, {}, `${link.download_url} was used with ${AUTHORIZATION}`);
    });
    const workspace = await createWorkspace(url);
    const fetch = ['bill', 'fetch', DATE, '--retries', '1', '-o', `${workspace.at('bills')}/`];
    expect(await leaksOf(fetch, workspace, { requests })).toEqual([]);
  });
});

describe('a link of an answer', () => {
  const workspaceOfPlatform = async (): Promise<Workspace> =>
    createWorkspace((await scriptedPlatform()).url);

  it.each([[['bill', 'info', DATE]], [['call', '/trade/bill']], [['call', '/x', '--envelope']]])(
    'is not printed by mop %j',
    async (argv) => {
      expect(await leaksOf(argv, await workspaceOfPlatform())).toEqual([]);
    },
  );

  it('is printed only to standard output with --reveal', async () => {
    const leaks = await leaksOf(['bill', 'info', DATE, '--reveal'], await workspaceOfPlatform());
    expect(leaks).toEqual(
      ['json', 'text', 'terminal'].flatMap((outputMode) => [
        `${outputMode} stdout: authorization (verbatim)`,
        `${outputMode} stdout: query (verbatim)`,
      ]),
    );
  });
});

it('bill status --check prints no secret when a server echoes 80 requests', async () => {
  const { url, requests } = await serve(echoes(CANARIES.variable)['an error'] ?? expect.fail());
  const workspace = await createWorkspace(url);
  const argv = ['bill', 'status', workspace.directory, '--check', '--retries', '0'];
  expect(await leaksOf(argv, workspace, { outputModes: ['json'] })).toEqual([]);
  expect(requests.length).toBeGreaterThan(80);
});
