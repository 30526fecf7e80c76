import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliWorld, errorOf, mop, NOW, temporaryDirectory } from '../support/cli.ts';
import {
  AUTHORIZATION,
  type BillScript,
  CONTENT,
  QUERY,
  sandbox,
  scriptedPlatform,
} from '../support/platform.ts';
import { envelope, serve } from '../support/server.ts';

const FILE = 'bill_2026-11-19_all.csv';
const OLD = 'what was there before\n';

let out: string;

beforeEach(async () => {
  out = join(await temporaryDirectory(), 'out');
  mkdirSync(out);
});

const fetch = (args: readonly string[], world: CliWorld) =>
  mop(['bill', 'fetch', '--json', '-o', `${out}/`, ...args], world);

const bill = ({ stdout }: { stdout: string }) => JSON.parse(stdout).bills[0];

/** Nothing was placed, nothing was left behind, and what was there survives. */
async function expectFailure(
  env: Record<string, string>,
  expected: { code: number; message: RegExp; attempts: number },
  args: readonly string[] = [],
): Promise<void> {
  const first = await fetch(args, { env });
  expect(errorOf(first).message).toMatch(expected.message);
  expect([first.code, bill(first).attempts]).toEqual([expected.code, expected.attempts]);
  expect(errorOf(first).hint).toBeTruthy();
  expect(readdirSync(out)).toEqual([]);

  writeFileSync(join(out, FILE), OLD);
  const second = await fetch([...args, '--overwrite'], { env });
  expect(second.code).toBe(expected.code);
  expect(readFileSync(join(out, FILE), 'utf8')).toBe(OLD);
  expect(readdirSync(out)).toEqual([FILE]);
}

describe('a fault that passes is overcome with a fresh descriptor', () => {
  it.each(['corrupt', 'truncate', 'drop', 'expire', 'http=503', 'http=429', 'http=500', 'code=-1'])(
    '%s once',
    async (fault) => {
      const { env } = await sandbox([`${fault}:1`]);
      const result = await fetch([], { env });
      expect(result.code).toBe(0);
      expect(bill(result)).toMatchObject({ status: 'downloaded', verified: true, attempts: 2 });
      expect(result.waits).toHaveLength(1);
    },
  );

  it('and each attempt is a request of its own', async () => {
    const seen: string[][] = [];
    const platform = await scriptedPlatform({
      download: (response, number) =>
        number === 0 ? response.end('x') : response.end(gzipSync(CONTENT)),
    });
    expect((await fetch([], { env: platform.env })).code).toBe(0);
    for (const { method, body } of platform.requests) {
      if (method === 'POST') {
        const { seq_id, nonce, sign } = JSON.parse(body);
        seen.push([seq_id, nonce, sign]);
      }
    }
    expect(seen).toHaveLength(2);
    expect(new Set(seen.flat()).size).toBe(6);
  });
});

describe('a fault that stays', () => {
  it.each([
    ['corrupt', 7, /does not match its MD5 digest/, 5],
    ['truncate', 7, /truncated|does not match/, 5],
    ['drop', 6, /connection to .* broke/, 5],
    ['expire', 5, /HTTP 403/, 5],
    ['hash-type=CRC32', 7, /unknown digest: "CRC32"/, 1],
    ['code=-1', 6, /answered -1/, 5],
    ['http=503', 6, /HTTP 503/, 5],
    ['http=404', 5, /HTTP 404 .* not an envelope/, 1],
    ['code=1002', 4, /answered 1002/, 1],
    ['code=1003', 4, /answered 1003/, 1],
    ['code=2000', 5, /answered 2000/, 1],
  ])('%s exits with %i', async (fault, code, message, attempts) => {
    const { env } = await sandbox([fault]);
    await expectFailure(env, { code, message, attempts });
  });

  it('is tried as often as --retries says', async () => {
    const { env } = await sandbox(['corrupt']);
    await expectFailure(env, { code: 7, message: /does not match/, attempts: 1 }, [
      '--retries',
      '0',
    ]);
  });
});

describe('the digest', () => {
  it.each(['SM3', 'sha_512', 'SHA1'])('of %s is computed', async (name) => {
    const { env } = await sandbox([`hash-type=${name}`]);
    expect(bill(await fetch([], { env }))).toMatchObject({ verified: true, hash_type: name });
  });

  it('may be missing: stored unverified, with a warning', async () => {
    const { env } = await sandbox(['no-hash']);
    const result = await fetch([], { env });
    expect(result.code).toBe(0);
    expect(bill(result)).toMatchObject({ verified: false, hash_type: null, hash_value: null });
    expect(JSON.parse(result.stderr).warning.message).toContain('no digest');
    const [entry] = readFileSync(join(out, 'bills.jsonl'), 'utf8').split('\n');
    const own = createHash('sha256')
      .update(readFileSync(join(out, FILE)))
      .digest('hex');
    expect(JSON.parse(entry ?? '')).toMatchObject({
      verified: false,
      hash_type: 'SHA-256',
      hash_value: own,
    });
  });

  it('may not be missing with --require-hash', async () => {
    const { env, log } = await sandbox(['no-hash']);
    const expected = { code: 7, message: /no digest/, attempts: 1 };
    await expectFailure(env, expected, ['--require-hash']);
    expect(log.filter((line) => line.startsWith('GET'))).toEqual([]);
  });

  it('of the compressed bytes is recognised', async () => {
    const zipped = gzipSync(CONTENT);
    const { env } = await scriptedPlatform({
      descriptor: { hash_value: createHash('md5').update(zipped).digest('hex') },
      download: (response) => response.end(zipped),
    });
    const message = /does not match its MD5 digest, but its compressed bytes do/;
    await expectFailure(env, { code: 7, message, attempts: 5 });
  });

  it('of the compressed bytes is recognised without retries as well', async () => {
    const zipped = gzipSync(CONTENT);
    const { env } = await scriptedPlatform({
      descriptor: { hash_value: createHash('md5').update(zipped).digest('hex') },
      download: (response) => response.end(zipped),
    });
    const message = /but its compressed bytes do/;
    await expectFailure(env, { code: 7, message, attempts: 1 }, ['--retries', '0']);
  });

  it('may be base64', async () => {
    const { env } = await scriptedPlatform({
      descriptor: { hash_value: createHash('md5').update(CONTENT).digest('base64') },
    });
    expect(bill(await fetch([], { env }))).toMatchObject({ verified: true });
  });
});

describe('the download', () => {
  const zipped = gzipSync(CONTENT);
  /** Too random to compress, so that half of the gzip file is still plenty. */
  const noise = randomBytes(300_000);
  const noiseZipped = gzipSync(noise);
  const noiseDigest = { hash_value: createHash('md5').update(noise).digest('hex') };

  const failures: [string, BillScript, { code: number; message: RegExp }][] = [
    [
      'cut with a Content-Length',
      {
        descriptor: noiseDigest,
        download: (response) => {
          response.writeHead(200, { 'Content-Length': noiseZipped.length });
          response.write(noiseZipped.subarray(0, 200_000), () => response.destroy());
        },
      },
      { code: 6, message: /connection to .* broke/ },
    ],
    [
      'cut inside of chunked coding',
      {
        descriptor: noiseDigest,
        download: (response) => {
          response.write(noiseZipped.subarray(0, 200_000), () => response.destroy());
        },
      },
      { code: 6, message: /connection to .* broke/ },
    ],
    [
      'an HTML page with status 200',
      { download: (response) => response.end('<html>log in</html>') },
      { code: 7, message: /does not match.*not gzip but starts with "<html>/ },
    ],
    [
      'an HTML page without a digest',
      {
        descriptor: { hash_type: undefined },
        download: (response) => response.end('<html>log in</html>'),
      },
      { code: 7, message: /not a bill.*<html>/ },
    ],
    ['nothing at all', { download: (response) => response.end() }, { code: 7, message: /nothing/ }],
    [
      'a gzip file with a flipped bit',
      {
        download: (response) => {
          const damaged = Buffer.from(zipped);
          damaged.writeUInt8(damaged.readUInt8(15) ^ 0xff, 15);
          response.end(damaged);
        },
      },
      { code: 7, message: /corrupt|truncated|does not match/ },
    ],
    [
      'an unknown content coding',
      {
        download: (response) => response.setHeader('Content-Encoding', 'zstd').end(zipped),
      },
      { code: 5, message: /Content-Encoding is "zstd"/ },
    ],
    [
      'a redirect loop',
      { download: (response, _, { path }) => redirect(response, path) },
      { code: 5, message: /redirects more than 5 times/ },
    ],
    [
      'a redirect to plain http elsewhere',
      { download: (response) => redirect(response, 'http://platform.invalid/bill') },
      { code: 5, message: /redirects to what is neither https nor on this machine/ },
    ],
    [
      'a redirect to a file',
      { download: (response) => redirect(response, 'file:///etc/passwd') },
      { code: 5, message: /redirects to what is neither https nor on this machine/ },
    ],
    [
      'a server error',
      { download: (response) => response.writeHead(502).end() },
      { code: 6, message: /answered the download with HTTP 502/ },
    ],
  ];

  it.each(failures)('%s', async (_, script, { code, message }) => {
    const { env } = await scriptedPlatform(script);
    const attempts = code === 5 ? 1 : 3;
    await expectFailure(env, { code, message, attempts }, ['--retries', '2']);
  });

  it.each([
    ['ftp://127.0.0.1/bill'],
    ['http://platform.invalid/bill'],
    ['file:///etc/passwd'],
    ['not a url'],
    [17],
  ])('from %j breaks the contract', async (download_url) => {
    const { env } = await scriptedPlatform({ descriptor: { download_url } });
    await expectFailure(env, { code: 5, message: /data\.download_url/, attempts: 1 });
  });

  it('with an authorization that no header can carry breaks the contract', async () => {
    const { env } = await scriptedPlatform({ descriptor: { authorization: 'a\nb\u4e2d' } });
    const message = /data\.authorization cannot be sent/;
    await expectFailure(env, { code: 5, message, attempts: 1 });
  });

  it('that stalls is given up after --timeout', async () => {
    const { env } = await scriptedPlatform({
      download: (response) => response.writeHead(200).write(zipped.subarray(0, 20)),
    });
    const args = ['--timeout', '0.1', '--retries', '0'];
    await expectFailure(env, { code: 6, message: /stopped sending.*time-out/, attempts: 1 }, args);
  });

  it('that takes too long altogether is given up after --max-time', async () => {
    const { env } = await scriptedPlatform({ download: () => {} });
    const result = await fetch(['--max-time', '0.2'], { env });
    expect([result.code, result.stdout]).toEqual([6, '']);
    expect(errorOf(result).message).toMatch(/--max-time/);
    expect(readdirSync(out)).toEqual([]);
  });

  it('that is larger than --max-bytes is refused', async () => {
    const { env } = await scriptedPlatform();
    const expected = { code: 7, message: /larger than 30 bytes/, attempts: 1 };
    await expectFailure(env, expected, ['--max-bytes', '30']);
    expect((await fetch(['--max-bytes', '31', '--overwrite'], { env })).code).toBe(0);
  });

  it.each([
    ['gzip', (data: Buffer) => gzipSync(data)],
    ['x-gzip', (data: Buffer) => gzipSync(data)],
    ['identity', (data: Buffer) => data],
  ])('may have the content coding %s over the gzip file', async (coding, encode) => {
    const { env } = await scriptedPlatform({
      download: (response) => response.setHeader('Content-Encoding', coding).end(encode(zipped)),
    });
    expect((await fetch([], { env })).code).toBe(0);
    expect(readFileSync(join(out, FILE))).toEqual(CONTENT);
  });

  it('may be the original when the server took the gzip for its own coding', async () => {
    const { env } = await scriptedPlatform({
      download: (response) => response.setHeader('Content-Encoding', 'gzip').end(zipped),
    });
    expect((await fetch([], { env })).code).toBe(0);
    expect(readFileSync(join(out, FILE))).toEqual(CONTENT);
  });

  it('may have several gzip members', async () => {
    const { env } = await scriptedPlatform({
      download: (response) =>
        response.end(
          Buffer.concat([gzipSync(CONTENT.subarray(0, 10)), gzipSync(CONTENT.subarray(10))]),
        ),
    });
    expect((await fetch([], { env })).code).toBe(0);
    expect(readFileSync(join(out, FILE))).toEqual(CONTENT);
  });

  it('carries the authorization in the configured header', async () => {
    const platform = await scriptedPlatform();
    const env = { ...platform.env, MOP_CONFIG_DIR: join(out, '..', 'config') };
    await fetch([], { env });
    await mop(['config', 'set', 'bill_auth_header', 'X-Bill-Token'], { env });
    await fetch(['2026-11-18'], { env });
    const [first, second] = platform.requests.filter(({ method }) => method === 'GET');
    expect(first?.path).toBe(`/file?${QUERY}`);
    expect(first?.headers).toMatchObject({
      authorization: AUTHORIZATION,
      'accept-encoding': 'identity',
    });
    expect(second?.headers['x-bill-token']).toBe(AUTHORIZATION);
    expect(second?.headers.authorization).toBeUndefined();
  });

  it('follows a redirect, and takes the authorization to no other origin', async () => {
    const other = await serve((_, response) => response.end(zipped));
    const platform = await scriptedPlatform({
      download: (response, number) =>
        redirect(response, number === 0 ? '/again' : `${other.url}/there`),
    });
    expect((await fetch([], { env: platform.env })).code).toBe(0);
    const downloads = platform.requests.filter(({ method }) => method === 'GET');
    expect(downloads.map(({ path }) => path)).toEqual([`/file?${QUERY}`, '/again']);
    expect(downloads.map(({ headers }) => headers.authorization)).toEqual([
      AUTHORIZATION,
      AUTHORIZATION,
    ]);
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('the clock', () => {
  it.each([
    ['skew=3600', /3600 s behind the platform/],
    ['skew=-90', /90 s ahead of the platform/],
  ])('with %s is named, and the time of the server used', async (fault, message) => {
    const { env } = await sandbox([fault]);
    const result = await fetch([], { env });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stderr).warning.message).toMatch(message);
  });
});

describe('a signal', () => {
  it.each([
    ['interrupted', 130],
    ['terminated', 143],
  ] as const)('that says %s exits with %i and leaves nothing', async (code, expected) => {
    const { MopError } = await import('../../src/errors.ts');
    const controller = new AbortController();
    const { env } = await scriptedPlatform({
      download: (response) =>
        response.write(zippedStart, () => controller.abort(new MopError(code, code))),
    });
    const result = await fetch([], { env, signal: controller.signal });
    expect([result.code, result.stdout]).toEqual([expected, '']);
    expect(readdirSync(out)).toEqual([]);
  });

  const zippedStart = gzipSync(CONTENT).subarray(0, 20);
});

describe('what a platform writes', () => {
  it('stays on its line and off the terminal', async () => {
    const message = 'no\nhint: run this\u001b[2J\u2028';
    const { url } = await serve((_, response) => envelope(response, 2000, {}, message));
    const env = { MOP_BASE_URL: url, MOP_API_KEY: 'key', MOP_API_SECRET: 'secret-canary' };
    const { stderr } = await mop(['bill', 'fetch', '-o', `${out}/`], { env });
    expect(stderr.trim().split('\n')).toHaveLength(3);
    for (const character of ['\u001b', '\u2028']) expect(stderr).not.toContain(character);
    expect(stderr).toContain('answered 2000: no hint: run this [2J');
  });
});

describe('secrets', () => {
  const canaries = ['sandbox-secret', AUTHORIZATION, QUERY, 'query-canary-5678'];

  const scripts: [string, BillScript][] = [
    ['a success', {}],
    ['a mismatch', { descriptor: { hash_value: 'aa' } }],
    [
      'an echo of everything',
      {
        download: (response, _, { headers, path }) => {
          response.setHeader('X-Echo', `${headers.authorization} ${path}`);
          response.setHeader('Location', `https://elsewhere.invalid/?${QUERY}`);
          response.writeHead(403).end(`${headers.authorization} ${path}`);
        },
      },
    ],
    ['a bad link', { descriptor: { download_url: `http://platform.invalid/?${QUERY}` } }],
    ['a field of the wrong type', { descriptor: { hash_type: [1] } }],
    ['an authorization that is no text', { descriptor: { authorization: [AUTHORIZATION] } }],
  ];

  it.each(scripts)('stay out of what is printed with %s', async (_, script) => {
    const platform = await scriptedPlatform(script);
    const args = ['bill', 'fetch', '-o', `${out}/`, '--verbose', '--debug', '--retries', '1'];
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await mop([...args, ...json], { env: platform.env });
      const signs = platform.requests.flatMap(({ body }) => (body ? [JSON.parse(body).sign] : []));
      expect(signs.length).toBeGreaterThan(0);
      for (const secret of [...canaries, ...signs]) {
        expect(stdout).not.toContain(secret);
        expect(stderr).not.toContain(secret);
      }
      expect(stderr).toContain('> POST http://127.0.0.1');
    }
  });

  it('stay out of an error in which the platform echoes the signature', async () => {
    const server = await serve(({ body }, response) => {
      const { sign } = JSON.parse(body);
      response.end(
        JSON.stringify({ code: 1002, message: `sign ${sign} is wrong`, data: { sign } }),
      );
    });
    const env = {
      MOP_BASE_URL: server.url,
      MOP_API_KEY: 'key',
      MOP_API_SECRET: 'secret-canary-9999',
    };
    const { code, stderr } = await fetch(['--verbose', '--debug'], { env, now: () => NOW });
    expect(code).toBe(4);
    expect(stderr).not.toContain(JSON.parse(server.requests[0]?.body ?? '').sign);
    expect(stderr).not.toContain('secret-canary-9999');
  });
});

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location }).end();
}
