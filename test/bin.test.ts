import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signBody } from '../src/signing/body-mode.ts';
import { VERSION } from '../src/version.ts';
import { CA, certificate, proxyServer, socketServer } from './http/support.ts';
import { temporaryDirectory } from './support/cli.ts';
import { CONTENT, pointAt, sandbox, scriptedPlatform } from './support/platform.ts';
import { killAfterTest, type Running, spawnMop, startMop } from './support/process.ts';
import { envelope, serve } from './support/server.ts';

// With --force, the date does not depend on the clock of the machine.
const DATE = '2026-11-19';
const FILE = `bill_${DATE}_all.csv`;

let directory: string;
let out: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  out = join(directory, 'out');
});

const start = (args: readonly string[], env: Record<string, string> = {}): Running =>
  startMop(args, { MOP_CONFIG_DIR: join(directory, 'config'), ...env });

const fetchArgs = (): string[] => ['bill', 'fetch', DATE, '--force', '-o', `${out}/`];

it('prints only the version of package.json', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(manifest.version).toBe(VERSION);
  const { code, stdout, stderr } = await start(['--version']).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

it('fetches a bill of the sandbox without any configuration', async () => {
  const args = ['bill', 'fetch', '--env', 'sandbox', '-o', `${out}/`];
  const { code, stdout } = await start(args).ended;
  expect({ code, stdout: stdout.includes('downloaded') }).toEqual({ code: 0, stdout: true });
  expect(readdirSync(out)).toHaveLength(2);
});

// Only root can start a process as another user.
it.runIf(process.getuid?.() === 0)('runs for a user without a home directory', async () => {
  const config = join(directory, 'config');
  mkdirSync(config);
  chownSync(config, 54_321, 54_321);
  chmodSync(directory, 0o755);
  const env = { MOP_CONFIG_DIR: config };
  for (const [args, variables] of [
    [['errors', '1055'], {}],
    // Writes the file with conf, which contains another copy of env-paths.
    [['config', 'set', 'api_key', 'k', '--quiet'], env],
  ] as const) {
    const { code, stderr } = await startMop(args, variables, { id: 54_321 }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
});

it('prints a signature to a pipe, and exits with 2 for invalid JSON', async () => {
  const env = { MOP_API_KEY: 'k', MOP_API_SECRET: 'secret' };
  expect((await start(['sign', '{"a":1.0}', '--as', 'sign'], env).ended).stdout).toMatch(
    /^[0-9A-F]{32}\n$/,
  );
  expect(await start(['sign', '{'], env).ended).toMatchObject({ code: 2, stdout: '' });
});

it('links an account and finds it', async () => {
  const link = await start(['account', 'link', '--user', 'u-1', '--openid', 'o-1']).ended;
  expect([link.code, link.stderr]).toEqual([0, '']);
  const { stdout } = await start(['account', 'find', '--user', 'u-1', '--json']).ended;
  expect(JSON.parse(stdout)).toMatchObject({ openId: 'o-1', status: 'linked' });
});

it('sends https requests through a proxy', async () => {
  const platform = await serve((_, response) => envelope(response, 0), certificate('good'));
  const proxy = await proxyServer();
  const ca = join(directory, 'ca.pem');
  writeFileSync(ca, CA);
  const env = { ...pointAt(platform.url), HTTPS_PROXY: `http://${proxy.host}` };
  const { code, stderr } = await start(['call', 'x', '--ca-file', ca], env).ended;
  const tunnels = proxy.received.length;
  expect({ code, stderr, tunnels }).toEqual({ code: 0, stderr: '', tunnels: 1 });
  // Node itself reads NODE_EXTRA_CA_CERTS when it starts.
  const trusting = { ...pointAt(platform.url), NODE_EXTRA_CA_CERTS: ca };
  expect((await start(['call', 'x'], trusting).ended).code).toBe(0);
});

// undici fails an assertion for the status 000: the bundle must keep the code of the error.
it('reports an answer that is not HTTP', async () => {
  const host = await socketServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n'));
  });
  const args = ['call', 'x', '{}', '--retries', '0'];
  const { code, stderr } = await start(args, pointAt(`http://${host}`)).ended;
  expect([code, stderr]).toEqual([6, expect.stringContaining('its answer is not HTTP/1.1')]);
});

it('writes a long output completely to a pipe', async () => {
  const { env } = await sandbox([], { rows: 3000, now: Date.now });
  const { code, stdout } = await start(['bill', 'fetch', '--force', '-o', '-'], env).ended;
  expect(code).toBe(0);
  expect(stdout.length).toBeGreaterThan(300_000);
  expect(stdout.trim().split('\n')).toHaveLength(3001);
});

it('ends without a message when the reader of its output exits', async () => {
  const { env } = await sandbox([], { rows: 30_000, now: Date.now });
  const { child } = start(['bill', 'fetch', '--force', '-o', '-'], env);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
});

/** Node reports a reset that arrives with the last bytes as an end, so the reset waits for them. */
it('treats a body that ends with a reset as truncated, even without a digest', async () => {
  const half = CONTENT.subarray(0, CONTENT.length / 2);
  const hasHalf = () =>
    readdirSync(out).some((name) => statSync(join(out, name)).size === half.length);
  const { env } = await scriptedPlatform({
    descriptor: { hash_value: undefined },
    download: async ({ socket }) => {
      socket?.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${half}`);
      await vi.waitFor(() => expect(hasHalf()).toBe(true), { timeout: 30_000 });
      socket?.resetAndDestroy();
    },
  });
  const args = [...fetchArgs(), '--tar', 'stream', '--retries', '0'];
  const { code, stderr } = await start(args, env).ended;
  expect([code, stderr]).toEqual([6, expect.stringMatching(/connection to .* broke/)]);
  expect(readdirSync(out)).toEqual([]);
});

describe('a fetch that is stopped during a download', () => {
  /** A platform that sends half of a bill, and then stops. `halfway` resolves when the half is sent. */
  async function stalledPlatform(): Promise<{
    env: Record<string, string>;
    halfway: Promise<void>;
  }> {
    const { promise, resolve } = withResolvers();
    const { env } = await scriptedPlatform({
      download: (response) => {
        response.write(gzipSync(CONTENT).subarray(0, 30), () => resolve());
      },
    });
    return { env, halfway: promise };
  }

  it.each([
    ['SIGHUP', 143],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s exits with %i and leaves no files', async (signal, expected) => {
    const { env, halfway } = await stalledPlatform();
    const { child, ended } = start(fetchArgs(), env);
    await halfway;
    child.kill(signal);
    const { code, stderr } = await ended;
    expect(code).toBe(expected);
    expect(stderr).toMatch(/^mop: (?:interrupted|terminated)\n$/);
    expect(readdirSync(out)).toEqual([]);
  });

  it('by kill -9 leaves a partial file, which the next run removes', async () => {
    const { env, halfway } = await stalledPlatform();
    const { child, ended } = start(fetchArgs(), env);
    await halfway;
    child.kill('SIGKILL');
    await ended;
    expect(readdirSync(out)).toEqual([expect.stringMatching(/^\.mop-part-/)]);
    const { env: repaired } = await scriptedPlatform();
    expect((await start(fetchArgs(), repaired).ended).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([FILE, 'bills.jsonl']);
    expect(readFileSync(join(out, FILE))).toEqual(CONTENT);
  });
});

it('ends with the exit code of a second signal when it waits for standard error', async () => {
  const mute = join(directory, 'mute.cjs');
  writeFileSync(
    mute,
    `require('node:fs').writeSync = () => { throw new Error(); };
     process.stderr.write = () => setInterval(() => {}, 1000);`,
  );
  const child = spawnMop(['sandbox', '--port', '0'], { NODE_OPTIONS: `--require=${mute}` });
  killAfterTest(child);
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  await sleep(100);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
});

it('keeps its signal listeners after a signal', async () => {
  // If the listener of a library were the only one, it would end the process before the clean-up.
  const code = `process.argv.push('mop', 'sign', '-');
    require('./dist/cli.cjs').run();
    process.on('SIGINT', () => console.log(process.listenerCount('SIGINT')));
    process.kill(process.pid, 'SIGINT');`;
  const root = fileURLToPath(new URL('..', import.meta.url));
  const child = spawn(process.execPath, ['-e', code], { cwd: root });
  // The listeners of mop and of this test.
  expect(await text(child.stdout)).toBe('2\n');
});

describe('mop sandbox', () => {
  it('prints its address, serves another process, and ends with a signal', async () => {
    const { child, ended } = start(['sandbox', '--port', '0', '--json', '--log']);
    const [line] = await once(child.stdout, 'data');
    const facts = JSON.parse(String(line));
    expect(Object.keys(facts)).toEqual([
      'url',
      'base_url',
      'open_base_url',
      'detect_url',
      'gql_url',
      'api_key',
      'api_secret',
    ]);
    const args = ['bill', 'fetch', '-o', `${out}/`, '--force'];
    expect((await start(args, pointAt(facts.base_url)).ended).code).toBe(0);
    const { body, sign } = signBody('{}', { apiKey: facts.api_key, secret: facts.api_secret });
    const wrong = body.replace(sign, sign.toLowerCase());
    const headers = { 'Content-Type': 'application/json' };
    await fetch(`${facts.base_url}/open/v1/x`, { method: 'POST', headers, body: wrong });
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain(
      ' ms\n  the signature is not in upper case (hex-lowercase)\n  fix: send the 32 hex digits',
    );
    expect(stderr).toMatch(
      /^\d{4}-\S+Z POST \/open\/v1\/trade\/bill 200 code 0 \d+ ms\n\d{4}-\S+Z GET \/download\/bill 200/m,
    );
  });
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
