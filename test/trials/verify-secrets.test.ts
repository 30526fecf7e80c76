/** `mop sign verify` prints strings and signatures of other signers, but never a secret in them. */
import { createHash, createHmac, hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { traces } from '../secrets/traces.ts';
import { CANARIES, createWorkspace, OUTPUT_MODES } from '../secrets/workspace.ts';
import { type CliWorld, errorOf, mop } from '../support/cli.ts';
import { isLong } from './scale.ts';

/** Quotes and spaces need the most escaping. `7xQ4` has the minimum length that is redacted. */
const SECRETS = [
  CANARIES.variable,
  '7xQ4',
  'plain-canary-0123456789abcdef',
  'a "quoted" and spaced canary',
  '密钥 canary é☂',
];

const UNUSED_URL = 'http://127.0.0.1:9';

const md5 = (text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string =>
  createHash('md5').update(text, encoding).digest('hex').toUpperCase();

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
  nothing: () => '0'.repeat(32),
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

/** The output modes and forms in which the secret is printed. */
async function leaksOf(argv: readonly string[], secret: string, more: CliWorld = {}) {
  const { env } = await createWorkspace(UNUSED_URL);
  const world = { ...more, env: { ...env, ...more.env } };
  const found: string[] = [];
  for (const [outputMode, { flags, world: own }] of Object.entries(OUTPUT_MODES)) {
    // The whole search is slow: in a short run, only one output mode has it.
    const effort = isLong || outputMode === 'text' ? 'normal' : 'low';
    const all = ['sign', 'verify', ...argv, '--effort', effort, ...flags];
    const { stdout, stderr } = await mop(all, { ...own, ...world });
    found.push(...traces(stdout + stderr, secret).map((form) => `${outputMode}: ${form}`));
  }
  return found;
}

describe.each(SECRETS)('the secret %j is not printed', (secret) => {
  const env = { MOP_API_SECRET: secret };

  it.each(Object.keys(MISTAKES))(
    'for a request that is signed with this mistake: %s',
    async (name) => {
      const { request } = requestWith((pairs) => MISTAKES[name]?.(pairs, secret) ?? '');
      expect(await leaksOf([request], secret, { env })).toEqual([]);
    },
  );

  it.each<[string, (pairs: string) => string]>([
    ['unchanged', (pairs) => pairs + secret],
    ['trimmed', (pairs) => pairs + secret.trim()],
    ['percent-encoded', (pairs) => encodeURIComponent(pairs + secret)],
    ['in hex', (pairs) => pairs + Buffer.from(secret).toString('hex')],
    ['in hex in upper case', (pairs) => pairs + Buffer.from(secret).toString('hex').toUpperCase()],
    ['reversed', (pairs) => pairs + [...secret].reverse().join('')],
    ['as its MD5', (pairs) => pairs + md5(secret)],
    ['as its MD5 in lower case', (pairs) => pairs + md5(secret).toLowerCase()],
    ['as the Base64 of its MD5', (pairs) => pairs + hash('md5', secret, 'base64')],
    ['in brackets', (pairs) => `src2=[${pairs}${secret}] (302 chars)`],
    ['in quotes', (pairs) => `DEBUG src2="${pairs}${secret}" len=302`],
    ['in JSON', (pairs) => JSON.stringify({ msg: `src2: ${pairs}&key=${secret}` })],
  ])('for the string of another signer that contains it %s', async (_, theirs) => {
    const { pairs, request } = requestWith(() => '0'.repeat(32));
    expect(await leaksOf([request, '--theirs', theirs(pairs)], secret, { env })).toEqual([]);
  });

  it('for the string of another signer without a request', async () => {
    const { pairs } = requestWith(() => '');
    for (const text of [pairs + secret, secret + pairs, `src2=[${pairs}${secret}]`]) {
      expect(await leaksOf([text], secret, { env })).toEqual([]);
    }
  });

  it('for a request that contains it', async () => {
    const { request } = requestWith((pairs) => md5(pairs + secret), { remark: secret });
    expect(await leaksOf([request], secret, { env })).toEqual([]);
    expect(await leaksOf([request.replace('"a":1', '"a":2')], secret, { env })).toEqual([]);
  });

  it('for a request that is not JSON', async () => {
    const { request } = requestWith(() => '', { remark: secret });
    expect(await leaksOf([request.slice(0, -1)], secret, { env })).toEqual([]);
  });

  it('for a request signed with the secret of another profile', async () => {
    const { env: base } = await createWorkspace(UNUSED_URL);
    const set = ['config', 'set', 'api_secret', '-p', 'other'];
    const world = { env: { ...base, MOP_API_SECRET: 'the current secret' } };
    expect((await mop(set, { ...world, stdin: secret })).code).toBe(0);
    const { request } = requestWith((pairs) => md5(pairs + secret));
    for (const { flags, world: own } of Object.values(OUTPUT_MODES)) {
      const argv = ['sign', 'verify', request, ...flags];
      const result = await mop(argv, { ...own, ...world });
      expect(result.stdout).toContain('secret-other-profile');
      expect(traces(result.stdout + result.stderr, secret)).toEqual([]);
    }
  });

  it('in a saved vector', async () => {
    const { env: base, at } = await createWorkspace(UNUSED_URL);
    const { request } = requestWith((pairs) => md5(`${pairs}&key=${secret}`));
    const argv = ['sign', 'verify', request, '--save-vector', at('vector.json'), '--json'];
    const result = await mop(argv, { env: { ...base, ...env } });
    expect(errorOf(result).message).toContain('secret-joined');
    expect(traces(await readFile(at('vector.json'), 'utf8'), secret)).toEqual([]);
  });

  it('by sign explain or sign', async () => {
    const world = { env: { ...(await createWorkspace(UNUSED_URL)).env, ...env } };
    for (const argv of [
      ['sign', 'explain', '{"a":1}'],
      ['sign', '{"a":1}', '--mode', 'header'],
    ]) {
      for (const { flags, world: own } of Object.values(OUTPUT_MODES)) {
        const { stdout, stderr } = await mop([...argv, ...flags], { ...own, ...world });
        expect(traces(stdout + stderr, secret)).toEqual([]);
      }
    }
  });
});

/** JSON within the string to sign contains the secret with JSON escapes. */
describe('a secret in JSON is not printed', () => {
  const plain = 'plain-canary-0123456789abcdef';
  const quoted = '"quoted"canary';
  const spaced = 'a "quoted" and spaced canary';

  const inObject = (secret: string): string[] => {
    const { request } = requestWith((pairs) => md5(pairs + secret), { nested: { secret } });
    return [request.replace('"a":1', '"a":2')];
  };
  const inTheirs = (secret: string): string[] => {
    const { pairs, request } = requestWith(() => '0'.repeat(32));
    return [request, '--theirs', JSON.stringify(pairs + secret)];
  };

  it.each([
    ['an object of the request', inObject, plain],
    ['an object of the request', inObject, quoted],
    ['the string of another signer', inTheirs, plain],
  ])('in %s', async (_, argvOf, secret) => {
    expect(await leaksOf(argvOf(secret), secret, { env: { MOP_API_SECRET: secret } })).toEqual([]);
  });

  it.each([
    ['with a space, in an object of the request', inObject, spaced],
    ['in the string of another signer', inTheirs, quoted],
    ['with a space, in the string of another signer', inTheirs, spaced],
  ])('%s', async (_, argvOf, secret) => {
    expect(await leaksOf(argvOf(secret), secret, { env: { MOP_API_SECRET: secret } })).toEqual([]);
  });
});
