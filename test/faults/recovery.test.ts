import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { CONTENT, sandbox, scriptedPlatform } from '../support/platform.ts';
import { billOf, expectFailure, expectStored, fetchInto } from './support.ts';

describe('a transient fault of the sandbox is retried with a fresh descriptor', () => {
  it.each(['corrupt', 'truncate', 'drop', 'expire', 'http=503', 'http=429', 'http=500', 'code=-1'])(
    '%s once',
    async (fault) => {
      const { env } = await sandbox([`${fault}:1`]);
      const result = await fetchInto(await temporaryDirectory(), [], { env });
      expect(result.code).toBe(0);
      expect(billOf(result)).toMatchObject({ status: 'downloaded', verified: true, attempts: 2 });
      expect(result.waits).toHaveLength(1);
    },
  );
});

describe('a permanent fault of the sandbox', () => {
  it.each([
    ['corrupt', 7, /does not match its MD5 digest/, 5, 5],
    ['truncate', 7, /truncated|does not match/, 5, 5],
    ['drop', 6, /connection to .* broke/, 5, 5],
    ['expire', 5, /HTTP 403/, 5, 5],
    ['code=-1', 6, /answered -1/, 5, 0],
    ['http=503', 6, /HTTP 503/, 5, 0],
    ['http=404', 5, /HTTP 404 .* not a JSON envelope/, 1, 0],
    ['code=1002', 4, /answered 1002/, 1, 0],
    ['code=1003', 4, /answered 1003/, 1, 0],
    ['code=2000', 5, /answered 2000/, 1, 0],
  ])('%s exits with %i', async (fault, code, message, attempts, gets) => {
    await expectFailure(await sandbox([fault]), { code, message, attempts, gets });
  });

  // `expectFailure` fetches into a directory with an older bill.
  it.each([
    ['corrupt', 7],
    ['truncate', 7],
    ['drop', 6],
    ['code=1002', 4],
  ])('%s leaves an empty directory empty', async (fault, code) => {
    const { env } = await sandbox([fault]);
    const directory = await temporaryDirectory();
    expect((await fetchInto(directory, ['--retries', '1'], { env })).code).toBe(code);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([0, 1, 3])('is retried --retries %i times', async (retries) => {
    const attempts = retries + 1;
    const expected = { code: 7, message: /does not match/, attempts, gets: attempts };
    await expectFailure(await sandbox(['corrupt']), expected, ['--retries', String(retries)]);
  });
});

it('an expired link is replaced by the link of a fresh descriptor', async () => {
  const platform = await scriptedPlatform({
    call: (response, number, _request, good) =>
      response.end(good.toString().replace('/file?', `/file-${number}?`)),
    download: (response, number, { path }, good) => {
      expect(path).toContain(`/file-${number}?`);
      return number < 2 ? response.writeHead(403).end() : response.end(good);
    },
  });
  await expectStored(platform, [], { attempts: 3 });
});

describe('a wrong clock', () => {
  it.each([
    ['skew=3600', /3600 s behind the platform/],
    ['skew=-90', /90 s ahead of the platform/],
  ])('with %s is reported, and the bill is fetched', async (fault, message) => {
    const { env } = await sandbox([fault]);
    const result = await fetchInto(await temporaryDirectory(), [], { env });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stderr).warning.message).toMatch(message);
  });
});

describe('a signal', () => {
  it.each([
    ['interrupted', 130],
    ['terminated', 143],
  ] as const)('%s ends the fetch with exit code %i and no files', async (code, expected) => {
    const controller = new AbortController();
    const start = gzipSync(CONTENT).subarray(0, 20);
    const { env } = await scriptedPlatform({
      download: (response) =>
        response.write(start, () => controller.abort(new MopError(code, code))),
    });
    const directory = await temporaryDirectory();
    const result = await fetchInto(directory, [], { env, signal: controller.signal });
    expect([result.code, result.stdout]).toEqual([expected, '']);
    expect(readdirSync(directory)).toEqual([]);
  });
});
