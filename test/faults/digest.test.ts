import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mop, temporaryDirectory } from '../support/cli.ts';
import { CONTENT, md5, sandbox, scriptedPlatform } from '../support/platform.ts';
import { billOf, expectFailure, expectStored, FILE, fetchInto } from './support.ts';

describe('the digest', () => {
  it.each(['SM3', 'sha_512', 'SHA1'])('is computed with %s', async (name) => {
    const { env } = await sandbox([`hash-type=${name}`]);
    const result = await fetchInto(await temporaryDirectory(), [], { env });
    expect(billOf(result)).toMatchObject({ verified: true, hash_type: name });
  });

  it('of an unknown algorithm is rejected before the download', async () => {
    const expected = { code: 7, message: /unknown digest: "CRC32"/, attempts: 1, gets: 0 };
    await expectFailure(await sandbox(['hash-type=CRC32']), expected);
  });

  it.each(['hex', 'base64'] as const)('may be encoded as %s', async (encoding) => {
    const hash_value = createHash('md5').update(CONTENT).digest(encoding);
    await expectStored(await scriptedPlatform({ descriptor: { hash_value } }));
  });

  it('that mismatches once is retried with success', async () => {
    const platform = await scriptedPlatform({
      call: (response, number, _request, good) => {
        const text = good.toString();
        response.end(number === 0 ? text.replace(md5(CONTENT), md5(Buffer.from('x'))) : text);
      },
    });
    await expectStored(platform, [], { attempts: 2 });
  });

  it.each([
    ['of other content', md5(Buffer.from('x'))],
    ['of half its length', md5(CONTENT).slice(16)],
    ['that is not valid', 'not a digest'],
  ])('%s is a mismatch in every attempt', async (_, hash_value) => {
    const platform = await scriptedPlatform({ descriptor: { hash_value } });
    const message = /^the bill does not match its MD5 digest$/;
    await expectFailure(platform, { code: 7, message, attempts: 5, gets: 5 });
  });

  it.each([[[]], [['--keep-gzip']], [['--retries', '0']]])(
    'of the compressed bytes is reported as such with %j',
    async (args) => {
      const descriptor = { hash_value: md5(gzipSync(CONTENT)) };
      const message = /does not match its MD5 digest, but its compressed bytes do/;
      const attempts = args.includes('0') ? 1 : 5;
      const expected = { code: 7, message, hint: /report it/, attempts, gets: attempts };
      await expectFailure(await scriptedPlatform({ descriptor }), expected, args);
    },
  );

  it('may be missing: the bill is stored unverified, with a warning', async () => {
    const { env } = await sandbox(['no-hash']);
    const directory = await temporaryDirectory();
    const result = await fetchInto(directory, [], { env });
    expect(result.code).toBe(0);
    expect(billOf(result)).toMatchObject({ verified: false, hash_type: null, hash_value: null });
    expect(JSON.parse(result.stderr).warning.message).toContain('no digest');
    const [entry] = readFileSync(join(directory, 'bills.jsonl'), 'utf8').split('\n');
    const own = createHash('sha256')
      .update(readFileSync(join(directory, FILE)))
      .digest('hex');
    expect(JSON.parse(entry ?? '')).toMatchObject({
      verified: false,
      hash_type: 'SHA-256',
      hash_value: own,
    });
  });

  it.each([
    ['an unknown name', ['hash-type=XXH64'], /unknown digest: "XXH64"/],
    [
      'an unknown length',
      { hash_type: null, hash_value: 'a1b2c3d4' },
      /no hash_type, .* \(8 characters\)/,
    ],
  ])(
    'of %s is rejected, or the bill stored unverified with --accept-unknown-hash',
    async (_, how, message) => {
      const platform = () =>
        Array.isArray(how) ? sandbox(how) : scriptedPlatform({ descriptor: how });
      const hint = /accept-unknown-hash/;
      await expectFailure(await platform(), { code: 7, message, hint, attempts: 1, gets: 0 });

      const directory = await temporaryDirectory();
      const { env } = await platform();
      const accept = ['--accept-unknown-hash', '--type', 'paid', '--name', FILE];
      const result = await fetchInto(directory, accept, { env });
      expect(result.code).toBe(0);
      const unverified = { verified: false, hash_type: null, hash_value: null };
      expect(billOf(result)).toMatchObject({ status: 'downloaded', ...unverified });
      const warning = JSON.parse(result.stderr).warning.message;
      expect(warning).toMatch(message);
      expect(warning).toMatch(/; the "paid" bill for 2026-11-19 is stored unverified$/);
      const ledger = readFileSync(join(directory, 'bills.jsonl'), 'utf8');
      expect(JSON.parse(ledger)).toMatchObject({ verified: false, hash_type: 'SHA-256' });
      // The second run compares the content.
      expect(billOf(await fetchInto(directory, accept, { env }))).toMatchObject({
        status: 'unchanged',
        verified: false,
      });
      const stdout = await mop(['bill', 'fetch', '-o', '-', '--accept-unknown-hash'], { env });
      expect(stdout.stderr).toMatch(
        /warning: .*; the "all" bill for 2026-11-19 is stored unverified\n$/,
      );
    },
  );

  it('is still required and verified with --accept-unknown-hash', async () => {
    const wrong = await scriptedPlatform({ descriptor: { hash_value: md5(Buffer.from('x')) } });
    const failed = { message: /does not match its MD5 digest$/, code: 7, attempts: 5, gets: 5 };
    await expectFailure(wrong, failed, ['--accept-unknown-hash']);
    const both = ['--accept-unknown-hash', '--require-hash'];
    const { code, stderr } = await mop(['bill', 'fetch', ...both], { env: wrong.env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('contradict')]);
  });

  it.each([
    ['md5', 'MD5'],
    ['sha1', 'SHA-1'],
    ['sha224', 'SHA-224'],
    ['sha256', 'SHA-256'],
    ['sm3', 'SM3'],
    ['sha384', 'SHA-384'],
    ['sha512', 'SHA-512'],
  ])('without a name, of the length of %s, is verified as %s', async (algorithm, name) => {
    for (const encoding of ['hex', 'base64'] as const) {
      const hash_value = createHash(algorithm).update(CONTENT).digest(encoding);
      const platform = await scriptedPlatform({ descriptor: { hash_type: undefined, hash_value } });
      const result = await expectStored(platform);
      expect(billOf(result)).toMatchObject({ hash_type: name, hash_value });
    }
  });

  it.each([
    ['sm3', 'SHA-256 or SM3'],
    ['sha1', 'SHA-1'],
  ])(
    'without a name is reported with the tried algorithms on a mismatch: %s',
    async (algorithm, tried) => {
      const hash_value = createHash(algorithm).update('other').digest('hex');
      const platform = await scriptedPlatform({ descriptor: { hash_type: '', hash_value } });
      const message = new RegExp(`does not match its ${tried} digest$`);
      const once = ['--retries', '0'];
      await expectFailure(platform, { code: 7, message, attempts: 1, gets: 1 }, once);
    },
  );

  it('is required with --require-hash', async () => {
    const expected = { code: 7, message: /no digest/, attempts: 1, gets: 0 };
    await expectFailure(await sandbox(['no-hash']), expected, ['--require-hash']);
  });
});
