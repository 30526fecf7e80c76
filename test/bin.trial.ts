import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';
import { scriptedPlatform } from './support/platform.ts';
import { startMop } from './support/process.ts';

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
      expect(good).toMatchObject({ code: 0, stderr: expect.stringContaining('downloaded') });
      expect(noise.equals(readFileSync(join(out, 'bill_2026-11-19_all.csv')))).toBe(true);

      const truncated = await fetch('--name', 'truncated.csv', '--retries', '0');
      expect(truncated.code).toBe(code);
      expect(truncated.stderr).toMatch(/truncated|connection to .* broke/);
      expect(readdirSync(out)).not.toContain('truncated.csv');
    },
  );
});
