import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';
import { sandbox, scriptedPlatform } from './support/platform.ts';
import { killAfterTest, type MopProcess, spawnMop, startMop } from './support/process.ts';
import { serve } from './support/server.ts';

/** Tests the patched undici (patches/) in dist/; test/faults/patched-undici.test.ts tests it in node_modules. */
describe('a server that closes its connection before the client has read everything', () => {
  // Random bytes do not compress, and the client reads a small part of them at once.
  const noise = randomBytes(4_000_000);
  const zipped = gzipSync(noise);
  const md5 = createHash('md5').update(noise).digest('hex');

  const head = (fields: string): string => `HTTP/1.1 200 OK\r\nConnection: close\r\n${fields}\r\n`;
  const chunk = (data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);

  it.each([
    [
      'a Content-Length',
      head(`Content-Length: ${zipped.length}\r\n`),
      (part: Buffer) => part,
      '',
      6,
    ],
    ['chunked coding', head('Transfer-Encoding: chunked\r\n'), chunk, '0\r\n\r\n', 6],
    ['neither', head(''), (part: Buffer) => part, '', 7],
  ])(
    'completes a body with %s; a truncated body is an error',
    async (_, head, frame, end, code) => {
      const { env } = await scriptedPlatform({
        descriptor: { hash_value: md5 },
        download: ({ socket }, number) => {
          socket?.write(head);
          const isComplete = number === 0;
          socket?.write(frame(isComplete ? zipped : zipped.subarray(0, 3_000_000)));
          socket?.end(isComplete ? end : '');
        },
      });
      const directory = await temporaryDirectory();
      const out = join(directory, 'out');
      const fetch = (...more: string[]) => {
        const args = ['bill', 'fetch', '2026-11-19', '--force', '-o', `${out}/`, ...more];
        return startMop(args, { MOP_CONFIG_DIR: join(directory, 'config'), ...env }).ended;
      };
      const good = await fetch();
      expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('downloaded') });
      expect(noise.equals(readFileSync(join(out, 'bill_2026-11-19_all.csv')))).toBe(true);

      const truncated = await fetch('--name', 'truncated.csv', '--retries', '0');
      expect(truncated.code).toBe(code);
      expect(truncated.stderr).toMatch(/truncated|connection to .* broke/);
      expect(readdirSync(out)).not.toContain('truncated.csv');
    },
  );
});

describe('a reader that keeps its pipe open and does not read', () => {
  /** Starts a command that prints more than a pipe holds. `reported` is its standard error. */
  async function startStalled(
    ...args: string[]
  ): Promise<{ child: MopProcess; reported: Promise<string> }> {
    const answer = { overall_risk: 'none', risk_score: 0, results: [], x: 'x'.repeat(8_000_000) };
    const { url } = await serve((_, response) => response.end(JSON.stringify(answer)));
    const env = { MOP_CONFIG_DIR: await temporaryDirectory(), MOP_DETECT_URL: url };
    const child = spawnMop(['detect', 'a', '--json', ...args], env);
    killAfterTest(child);
    return { child, reported: text(child.stderr) };
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('does not delay the end after %s', async (signal, expected) => {
    const { child, reported } = await startStalled();
    await once(child.stdout, 'readable');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect([code, await reported]).toEqual([expected, expect.stringMatching(/"code":"\w+ed"/)]);
  });

  it('does not delay the end after --max-time', async () => {
    const { child, reported } = await startStalled('--max-time', '1');
    const [code] = await once(child, 'exit');
    expect([code, await reported]).toEqual([6, expect.stringContaining('--max-time')]);
  });
});

it('writes everything to a late reader', async () => {
  const { env } = await sandbox([], { rows: 3000, now: Date.now });
  const args = ['bill', 'fetch', '--force', '-o', '-'];
  const child = spawnMop(args, { MOP_CONFIG_DIR: await temporaryDirectory(), ...env });
  killAfterTest(child);
  await once(child.stdout, 'readable');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect([code, stdout.trim().split('\n').length], stderr).toEqual([0, 3001]);
});
