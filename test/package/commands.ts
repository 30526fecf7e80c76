import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { VERSION } from '../../src/version.ts';
import { ROOT, run } from './support.ts';

const CREDENTIALS = { apiKey: 'sandbox', secret: 'sandbox-secret' };

/** A program and the arguments before those of mop. */
export type Program = readonly [command: string, ...args: string[]];

export interface Mop {
  /** Runs a command with an empty PATH and the given variables. */
  run(
    args: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ stdout: string; stderr: string }>;
  /** Exists during the tests. */
  readonly directory: string;
}

/**
 * Defines tests of commands that together load each part of the bundle. A test fails if a command
 * prints a warning of Node.
 */
export function itRunsCommands(program: () => Program): Mop {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'mop-commands-'));
    mkdirSync(join(directory, 'empty'));
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const options = (env?: Record<string, string>) => ({
    cwd: directory,
    env: {
      PATH: join(directory, 'empty'),
      HOME: directory,
      XDG_CACHE_HOME: join(directory, 'cache'),
      ...env,
    },
  });

  const mop: Mop['run'] = async (args, env) => {
    const [command, ...first] = program();
    const { stdout, stderr } = await run(command, [...first, ...args], options(env));
    expect(stderr).not.toMatch(/warning/i);
    return { stdout, stderr };
  };

  it('prints its version', async () => {
    expect((await mop(['--version'])).stdout).toBe(`${VERSION}\n`);
  });

  it('signs', async () => {
    const fields = { timestamp: 1795000000, nonce: 'abcdefghij', seqId: 'seq-1' };
    const given = ['--timestamp', '1795000000', '--nonce', 'abcdefghij', '--seq-id', 'seq-1'];
    const { stdout } = await mop(['sign', '{"lat":30.10}', '--env', 'sandbox', ...given]);
    const { body } = signBody('{"lat":30.10}', CREDENTIALS, fields);
    expect(stdout).toBe(`${body}\n`);
  });

  it('fetches a bill', async () => {
    const { stdout } = await mop(['bill', 'fetch', '--env', 'sandbox', '-o', 'bills/']);
    expect(stdout).toMatch(/downloaded +[\d,]+ +MD5/);
    expect(readdirSync(join(directory, 'bills'))).toHaveLength(2);
  });

  it('sends a GraphQL query', async () => {
    const { stdout } = await mop(['gql', '{ bill { date } }', '--env', 'sandbox']);
    expect(JSON.parse(stdout)).toEqual({ data: { bill: { date: expect.any(String) } } });
  });

  it('subscribes over a WebSocket', async () => {
    const over = ['--env', 'sandbox', '--transport', 'ws'];
    const { stdout } = await mop(['gql', '{ bill { date } }', ...over]);
    expect(JSON.parse(stdout)).toEqual({ data: { bill: { date: expect.any(String) } } });
  });

  it('links an account and finds it', async () => {
    await mop(['account', 'link', '--user', 'u-1', '--openid', 'o-1']);
    const { stdout } = await mop(['account', 'find', '--user', 'u-1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ openId: 'o-1', status: 'linked' });
  });

  it('judges a text', async () => {
    const { stdout } = await mop(['detect', 'Hello!', '--env', 'sandbox', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ overall_risk: 'none' });
  });

  it('serves the sandbox, which searches for signature mistakes in a thread', async () => {
    const [command, ...first] = program();
    const sandbox = spawn(command, [...first, 'sandbox', '--port', '0', '--json'], options());
    try {
      const [line] = await once(createInterface(sandbox.stdout), 'line');
      // Too long for the short search that runs if the thread fails.
      const { body } = signBody(JSON.stringify({ text: 'a'.repeat(4000) }), CREDENTIALS);
      const answer = await fetch(`${JSON.parse(line).url}/open/v1/trade/bill`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...JSON.parse(body), b: 'b', c: 'c' }),
      });
      expect(await answer.json()).toMatchObject({
        data: { diagnosis: [{ id: 'field-missing', fields: ['b', 'c'] }], search: 'complete' },
      });
    } finally {
      sandbox.kill();
    }
  });

  it('prints completions for a shell', async () => {
    const packed = readFileSync(join(ROOT, 'completions/mop.bash'), 'utf8');
    expect((await mop(['completion', 'bash'])).stdout).toBe(packed);
  });

  return {
    run: mop,
    get directory() {
      return directory;
    },
  };
}
