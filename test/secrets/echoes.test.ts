/** Credentials that a server echoes in an unusual place of its answer. The trials run every command. */
import { describe, expect, it } from 'vitest';
import { proxyServer } from '../http/support.ts';
import { mop } from '../support/cli.ts';
import { type Handler, type Received, serve } from '../support/server.ts';
import { echoOf } from './services.ts';
import { CANARIES, createWorkspace, leaksOf } from './workspace.ts';

describe('an echoed Content-Type', () => {
  /** A server that echoes the credential in its Content-Type. */
  const typing =
    (secretOf: (request: Received) => string): Handler =>
    (request, response) => {
      response.writeHead(400, { 'Content-Type': `text/plain; for=${secretOf(request)}` }).end('no');
    };

  it('does not print a credential of mop gql', async () => {
    const { url, requests } = await serve(typing(() => CANARIES.cookie));
    const argv = ['gql', '{ a }', '--retries', '0', '-H', `Cookie: a=${CANARIES.cookie}`];
    expect(await leaksOf(argv, await createWorkspace(url), { requests })).toEqual([]);
  });

  it.each([['detect', 'x'], ['health']])(
    'does not print a credential of mop %s',
    async (...argv) => {
      const { url, requests } = await serve(typing(() => CANARIES.cookie));
      const command = [...argv, '--retries', '0', '-H', `Cookie: a=${CANARIES.cookie}`];
      expect(await leaksOf(command, await createWorkspace(url), { requests })).toEqual([]);
    },
  );

  it.each(['body', 'header'])('does not print a signature in %s mode', async (mode) => {
    const signOf = ({ headers, body }: Received): string =>
      String(headers['x-tms-sign'] ?? JSON.parse(body).sign);
    const { url, requests } = await serve(typing(signOf));
    const argv = ['call', '/x', '--mode', mode, '--retries', '0'];
    expect(await leaksOf(argv, await createWorkspace(url), { requests })).toEqual([]);
  });
});

it('does not print a credential that the service returns as its status', async () => {
  const { url, requests } = await serve(({ headers }, response) => {
    response.end(JSON.stringify({ status: headers.cookie, rules: 1 }));
  });
  const argv = ['health', '--json', '--retries', '0', '-H', `Cookie: a=${CANARIES.cookie}`];
  const { env, leaks } = await createWorkspace(url);
  const { stderr } = await mop(argv, { env });
  expect(requests).toHaveLength(1);
  expect(leaks({ stderr })).toEqual([]);
});

it('does not print echoed credentials of a proxy', async () => {
  const { url } = await serve((request, response) => response.writeHead(400).end(echoOf(request)));
  const { host } = await proxyServer();
  const proxy = `http://user:${encodeURIComponent(CANARIES.proxy)}@${host}`;
  const workspace = await createWorkspace(url);
  expect(await leaksOf(['call', '/x', '--retries', '0', '--proxy', proxy], workspace)).toEqual([]);
});

it.each([['--verbose'], ['--dry-run']])(
  'does not print a credential in a signed header: %s',
  async (...flags) => {
    const { url } = await serve((request, response) =>
      response.writeHead(400).end(echoOf(request)),
    );
    const argv = ['call', '/x', '--mode', 'header', '-H', `X-TMS-Token: ${CANARIES.cookie}`];
    expect(
      await leaksOf([...argv, '--retries', '0', ...flags], await createWorkspace(url)),
    ).toEqual([]);
  },
);
