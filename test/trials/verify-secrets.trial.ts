/** `mop sign verify` prints strings and signatures of other signers, but never a secret in them. */
import { createHash, createHmac, hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configuration } from '../cli/support.ts';
import { traces } from '../secrets/traces.ts';
import { CANARIES, OUTPUT_MODES } from '../secrets/workspace.ts';
import { errorOf, mop, temporaryDirectory } from '../support/cli.ts';
import { isLong } from './scale.ts';

/** Quotes and spaces need the most escaping. `7xQ4` has the minimum length that is redacted. */
const SECRETS = [
  CANARIES.variable,
  '7xQ4',
  'plain-canary-0123456789abcdef',
  '"quoted"canary',
  'a "quoted" and spaced canary',
  '密钥 canary é☂',
];

const md5 = (text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string =>
  createHash('md5').update(text, encoding).digest('hex').toUpperCase();

/** Not a digest, so `mop` prints everything about the request without a search. */
const NO_DIGEST = (): string => '0';

/** Signatures of signers with mistakes in the secret; `pairs` are correct. */
const MISTAKES: Readonly<Record<string, (pairs: string, secret: string) => string>> = {
  none: (pairs, secret) => md5(pairs + secret),
  '&secret=': (pairs, secret) => md5(`${pairs}&secret=${secret}`),
  '&key=': (pairs, secret) => md5(`${pairs}&key=${secret}`),
  'in front': (pairs, secret) => md5(secret + pairs),
  'at both ends': (pairs, secret) => md5(secret + pairs + secret),
  trimmed: (pairs, secret) => md5(pairs + secret.trim()),
  'with a line end': (pairs, secret) => md5(`${pairs}${secret}\n`),
  quoted: (pairs, secret) => md5(`${pairs}"${secret}"`),
  'sorted in': (pairs, secret) => md5(`${pairs.replace('&nonce', `&api_secret=${secret}&nonce`)}`),
  hmac: (pairs, secret) => createHmac('md5', secret).update(pairs).digest('hex').toUpperCase(),
  'percent-encoded': (pairs, secret) => md5(encodeURIComponent(pairs + secret)),
  'in Latin-1': (pairs, secret) => md5(pairs + secret, 'latin1'),
  'the secret itself': (_, secret) => secret,
  nothing: NO_DIGEST,
};

/** Strings of other signers that contain the secret. */
const STRINGS: Readonly<Record<string, (pairs: string, secret: string) => string>> = {
  unchanged: (pairs, secret) => pairs + secret,
  'in front': (pairs, secret) => secret + pairs,
  trimmed: (pairs, secret) => pairs + secret.trim(),
  'percent-encoded': (pairs, secret) => encodeURIComponent(pairs + secret),
  'in hex': (pairs, secret) => pairs + Buffer.from(secret).toString('hex'),
  'in hex in upper case': (pairs, secret) =>
    pairs + Buffer.from(secret).toString('hex').toUpperCase(),
  reversed: (pairs, secret) => pairs + [...secret].reverse().join(''),
  'as its MD5': (pairs, secret) => pairs + md5(secret),
  'as its MD5 in lower case': (pairs, secret) => pairs + md5(secret).toLowerCase(),
  'as the Base64 of its MD5': (pairs, secret) => pairs + hash('md5', secret, 'base64'),
  'in brackets': (pairs, secret) => `src2=[${pairs}${secret}] (302 chars)`,
  'in quotes': (pairs, secret) => `DEBUG src2="${pairs}${secret}" len=302`,
  'as a JSON string': (pairs, secret) => JSON.stringify(pairs + secret),
  'in JSON': (pairs, secret) => JSON.stringify({ msg: `src2: ${pairs}&key=${secret}` }),
};

/** A signed request of body mode, and its pairs. */
function requestWith(
  sign: (pairs: string) => string,
  more: Readonly<Record<string, unknown>> = {},
) {
  const fields = { a: 1, api_key: 'key-1', nonce: 'abcdefghij', seq_id: 'seq-1', ...more };
  const body = { ...fields, timestamp: 1795132800 };
  const text = (value: unknown): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  const entries = Object.entries(body).map(([name, value]) => `${name}=${text(value)}`);
  const pairs = entries.sort().join('&');
  return { pairs, request: JSON.stringify({ ...body, sign: sign(pairs) }) };
}

type Case = readonly [name: string, argv: (secret: string) => readonly string[]];

const { request: plainRequest, pairs: plainPairs } = requestWith(NO_DIGEST);

const CASES: readonly Case[] = [
  ...Object.entries(MISTAKES).map(
    ([name, sign]): Case => [
      `a request that is signed with this mistake: ${name}`,
      (secret) => [requestWith((pairs) => sign(pairs, secret)).request],
    ],
  ),
  ...Object.entries(STRINGS).map(
    ([name, text]): Case => [
      `the string of another signer that contains it ${name}`,
      (secret) => [plainRequest, '--theirs', text(plainPairs, secret)],
    ],
  ),
  ...['unchanged', 'in front', 'in brackets'].map(
    (name): Case => [
      `the string of another signer without a request, ${name}`,
      (secret) => [STRINGS[name]?.(plainPairs, secret) ?? ''],
    ],
  ),
  [
    'a request that contains it',
    (secret) => [requestWith((pairs) => md5(pairs + secret), { remark: secret }).request],
  ],
  [
    'a wrong request that contains it',
    (secret) => [requestWith(NO_DIGEST, { remark: secret }).request],
  ],
  [
    'a wrong request that contains it in an object',
    (secret) => [requestWith(NO_DIGEST, { nested: { secret } }).request],
  ],
  [
    'a request that is not JSON',
    (secret) => [requestWith(NO_DIGEST, { remark: secret }).request.slice(0, -1)],
  ],
];

/**
 * All output modes in a long run. Otherwise one, since searches are slow: three successive numbers
 * have the three modes.
 */
function outputModes(number: number) {
  const modes = Object.entries(OUTPUT_MODES);
  return modes.filter((_, index) => isLong || index === number % modes.length);
}

/** The whole search is slow. */
const VERIFY = ['sign', 'verify', '--effort', isLong ? 'normal' : 'low'];

describe.each(SECRETS.map((secret, at) => [secret, at] as const))(
  'the secret %j is not printed',
  (secret, index) => {
    /** Checks the output of a command. Returns the standard output of each output mode. */
    async function expectNoLeak(
      argv: readonly string[],
      number: number,
      env: Record<string, string>,
    ) {
      const printed: string[] = [];
      for (const [outputMode, { flags, world }] of outputModes(number)) {
        const { stdout, stderr } = await mop([...argv, ...flags], { ...world, env });
        expect(traces(stdout + stderr, secret), outputMode).toEqual([]);
        printed.push(stdout);
      }
      return printed;
    }

    const env = { MOP_API_KEY: 'key-1', MOP_API_SECRET: secret };

    // In a short run, each case has two secrets, in different output modes.
    const cases = CASES.map((each, at) => [...each, index + at] as const).filter(
      ([, , number]) => isLong || number % 3 === 0,
    );

    it.each(cases)('for %s', async (_, argv, number) => {
      await expectNoLeak([...VERIFY, ...argv(secret)], number / 3, env);
    });

    it('for a request signed with the secret of another profile', async () => {
      const profiles = { other: { api_key: 'key-2', api_secret: secret } };
      const config = await configuration({ profiles });
      const { request } = requestWith((pairs) => md5(pairs + secret));
      const current = { ...env, ...config.env, MOP_API_SECRET: 'the current secret' };
      for (const stdout of await expectNoLeak([...VERIFY, request], index, current)) {
        expect(stdout).toContain('secret-other-profile');
      }
    });

    it('in a saved vector', async () => {
      const path = join(await temporaryDirectory(), 'vector.json');
      const { request } = requestWith((pairs) => md5(`${pairs}&key=${secret}`));
      const argv = ['sign', 'verify', request, '--save-vector', path, '--json'];
      expect(errorOf(await mop(argv, { env })).message).toContain('secret-joined');
      expect(traces(await readFile(path, 'utf8'), secret)).toEqual([]);
    });

    it.each([
      ['sign explain', ['sign', 'explain', '{"a":1}']],
      ['sign', ['sign', '{"a":1}', '--mode', 'header']],
    ])('by %s', async (_, argv) => {
      await expectNoLeak(argv, index, env);
    });
  },
);
