/** Each command with requests, against services that echo the request in several formats. */
import { describe, expect, it } from 'vitest';
import { closedPort, proxyServer } from '../http/support.ts';
import { mop } from '../support/cli.ts';
import { serve } from '../support/server.ts';
import { isLong } from '../trials/scale.ts';
import { allCases, type CommandCase, leaksOfRequests } from './commands.ts';
import { echoes } from './services.ts';
import { CANARIES, createWorkspace, leaksOf } from './workspace.ts';

/** Only these commands make the sandbox send a request. */
const callsDetection = ({ argv: [name = ''] }: CommandCase): boolean =>
  ['detect', 'health', 'doctor'].includes(name);

describe('a command with requests prints no secret', () => {
  // commands.test.ts tests the first one, `an error`.
  const handlers = Object.entries(echoes(CANARIES.variable)).slice(1);

  // In a short run, each answer is that of every second command, and each command has half of them.
  it.each(handlers.map(([name, handler], at) => [name, handler, at] as const))(
    'when it receives %s',
    async (_, handler, at) => {
      const { url, requests } = await serve(handler);
      const workspace = await createWorkspace(url);
      const isChosen = (_: unknown, index: number) => isLong || (index + at) % 2 === 0;
      expect(await leaksOfRequests(workspace, { requests }, undefined, isChosen)).toEqual([]);
      expect(requests.length).toBeGreaterThan(isLong ? 20 : 10);
    },
  );

  it('when the connection is refused', async () => {
    const workspace = await createWorkspace(`http://127.0.0.1:${await closedPort()}`);
    expect(await leaksOfRequests(workspace)).toEqual([]);
  });

  it('when a proxy refuses the request', async () => {
    const proxy = await proxyServer(407);
    const env = { HTTPS_PROXY: `http://user:${encodeURIComponent(CANARIES.proxy)}@${proxy.host}` };
    const workspace = await createWorkspace('https://service.example');
    expect(await leaksOfRequests(workspace, { world: { env } })).toEqual([]);
    expect(proxy.received.length).toBeGreaterThan(20);
    const credentials = Buffer.from(`user:${CANARIES.proxy}`).toString('base64');
    expect(proxy.rawHeaders.flat()).toContain(`Basic ${credentials}`);
  });

  it('when the external model of the sandbox echoes its key', async () => {
    const { url, requests } = await serve(echoes('')['an error'] ?? expect.fail());
    const workspace = await createWorkspace(url);
    const leaks = await leaksOfRequests(workspace, {}, ['--env', 'sandbox'], callsDetection);
    expect(leaks).toEqual([]);
    const received = requests.map(({ path, headers }) => [path, headers.authorization]);
    expect(received).toContainEqual(['/v1/chat/completions', `Bearer ${CANARIES.model}`]);
  });

  it('when the external model of the sandbox returns its key as a reason', async () => {
    const { url } = await serve(({ headers }, response) => {
      const verdict = { level: 'high', score: 61, reasons: [`guilt: ${headers.authorization}`] };
      response.end(
        JSON.stringify({ choices: [{ message: { content: JSON.stringify(verdict) } }] }),
      );
    });
    const workspace = await createWorkspace(url);
    const argv = ['detect', 'text', '--env', 'sandbox'];
    expect((await mop([...argv, '--json'], { env: workspace.env })).stdout).toContain('guilt: ');
    expect(await leaksOf(argv, workspace)).toEqual([]);
  });

  it('when sign verify --last examines a refused call', async () => {
    const handler = echoes(CANARIES.variable)['a refused signature'] ?? expect.fail();
    const { url, requests } = await serve(handler);
    const workspace = await createWorkspace(url);
    for (const mode of ['body', 'header']) {
      for (const a of ['1', CANARIES.variable]) {
        const call = ['call', '/x', JSON.stringify({ a }), '--mode', mode];
        await mop(call, { env: workspace.env });
        const leaks = await leaksOf(['sign', 'verify', '--last'], workspace, { requests });
        expect([mode, a, leaks]).toEqual([mode, a, []]);
      }
    }
  });

  it('with --dry-run', async () => {
    const workspace = await createWorkspace('http://127.0.0.1:9');
    expect(await leaksOfRequests(workspace, {}, ['--dry-run'])).toEqual([]);
    for (const flags of [[], ['--json']]) {
      for (const { argv } of allCases(workspace).filter(({ sendsRequest }) => sendsRequest)) {
        const { stdout } = await mop([...argv, '--dry-run', ...flags], {
          env: workspace.env,
          stdin: '',
        });
        // The signature differs in each run, so search for anything of its format.
        expect(stdout).not.toMatch(/\b[0-9A-F]{32}\b/);
      }
    }
  });
});
