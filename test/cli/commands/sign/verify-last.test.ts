import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../../src/cli/clients/caller.ts';
import { refusalHar, refusalOf } from '../../../../src/cli/clients/refusal-har.ts';
import { Settings } from '../../../../src/cli/context/settings.ts';
import type { Answer } from '../../../../src/platform/answer.ts';
import { signedRequest } from '../../../../src/platform/signed-request.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/protocol/sandbox.ts';
import { readCapture } from '../../../../src/signing/capture/read-capture.ts';
import { freshFields } from '../../../../src/signing/request-fields.ts';
import { CHARACTER } from '../../../support/character.ts';
import { errorOf, mop, NOW, temporaryDirectory } from '../../../support/cli.ts';
import {
  pointAt,
  type ScriptedPlatform,
  sandbox,
  scriptedPlatform,
} from '../../../support/platform.ts';
import { envelope } from '../../../support/server.ts';
import { configuration, expectFailure } from '../../support.ts';

/** Not the dummy secret with which a vector is stored. */
const SECRET = '76543210fedcba9876543210fedcba98';
const CALL = ['call', '/x', '{"a":1}'];
/** The documents leave open how null is signed in header mode. */
const DOUBTFUL = ['call', '/x', '{"a":null}', '--mode', 'header'];
const LAST = ['sign', 'verify', '--last'];
const CAUSE =
  'the secret of MOP_API_SECRET is not the one that the platform has for api_key key-1; put the issued secret into MOP_API_SECRET';
/** Seconds after the call. */
const later = (seconds: number) => () => NOW + seconds * 1000;

/** A platform that answers every call with `code`, and a configuration of its own. */
async function refusing(code = 1002, message = 'no'): Promise<Setup> {
  const platform = await scriptedPlatform({
    call: (response) => {
      response.setHeader('Date', new Date(NOW).toUTCString());
      envelope(response, code, {}, message);
    },
  });
  const directory = await temporaryDirectory();
  const env = {
    ...platform.env,
    MOP_CONFIG_DIR: join(directory, 'config'),
    MOP_API_KEY: 'key-1',
    MOP_API_SECRET: SECRET,
  };
  return { platform, directory, env, ...pathsIn(env.MOP_CONFIG_DIR) };
}

interface Setup {
  readonly platform: ScriptedPlatform;
  readonly directory: string;
  readonly env: Record<string, string>;
  readonly cache: string;
  readonly path: string;
}

function pathsIn(config: string) {
  return { cache: join(config, 'cache'), path: join(config, 'cache', 'refused-request.har') };
}

const permissions = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8);

it('finds the wrong secret after the sandbox refused a call', async () => {
  const { env: platform } = await sandbox();
  const config = join(await temporaryDirectory(), 'config');
  const env = { ...platform, MOP_API_SECRET: SECRET, MOP_CONFIG_DIR: config };
  const { cache, path } = pathsIn(config);
  const refused = await mop(['bill', 'info', '2026-11-19'], { env });
  const reason =
    'the secret of MOP_API_SECRET is not the one that the platform has for api_key sandbox';
  const fix = 'put the issued secret into MOP_API_SECRET, then run: mop doctor -p default';
  expectFailure(refused, 4, 'the platform answered 1002', `likely cause: ${reason}; ${fix}`);
  expect([await permissions(cache), await permissions(path)]).toEqual(['700', '600']);
  expect(await readFile(path, 'utf8')).not.toContain(SECRET);
  expect(await readdir(cache)).toEqual(['refused-request.har']);

  const result = await mop(LAST, { env, now: later(12) });
  expectFailure({ ...result, stdout: '' }, 4, `the platform refuses the request: ${reason}`, fix);
  const { stdout } = result;
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    `Refused: ${reason}`,
    `Fix:   ${fix}`,
    '',
    'Call',
    '   POST /open/v1/trade/bill, sent 12 s ago, refused with 1002: the signature does not match',
  ]);
  expect(stdout).toContain(`timestamp ${NOW / 1000}, the same as the clock`);
});

it('finds white space after the secret of the call', async () => {
  const { env } = await refusing();
  await mop(CALL, { env: { ...env, MOP_API_SECRET: `${SECRET} ` } });
  const { code, stdout } = await mop(LAST, { env });
  expect(code).toBe(4);
  expect(stdout).toMatch(/^Wrong: .*\(secret-whitespace\)$/m);
});

it('uses the secret file of the call', async () => {
  const { env, directory } = await refusing();
  const file = join(directory, 'secret.txt');
  await writeFile(file, SECRET, { mode: 0o600 });
  const old = { ...env, MOP_API_SECRET: 'old-secret' };
  await mop([...CALL, '--secret-file', file], { env: old });
  const { stdout } = await mop(LAST, { env: old });
  expect(stdout).toMatch(
    /^Refused: the secret of --secret-file is not the one that the platform has/,
  );
});

describe('every command that signs stores a refused request', () => {
  it.each([
    ['call', CALL, '/open/v1/x'],
    ['call in header mode', [...CALL, '--mode', 'header'], '/api/open/x'],
    ['estimate', ['estimate', '--city', '330100', '--lat', '30.27'], 'estimate'],
    ['decode', ['decode', 'x', '1'], 'decode'],
    ['bill fetch', ['bill', 'fetch', '2026-11-19', '-o', '-'], '/trade/bill'],
    ['bill info', ['bill', 'info', '2026-11-19'], '/trade/bill'],
    [
      'account link',
      ['account', 'link', '--user', '1', '--encrypt-data', 'x', '--encrypt-id', '1'],
      'decode',
    ],
    ['doctor', ['doctor'], '/trade/bill'],
  ])('%s', async (_, argv, path) => {
    const { env, path: file, platform } = await refusing();
    const { code, stdout, stderr } = await mop(argv, { env });
    expect(code).toBe(4);
    expect(stdout + stderr).toContain(`likely cause: ${CAUSE}`);
    const sent = platform.requests.findLast(({ method }) => method === 'POST') ?? expect.fail();
    expect(sent.path).toContain(path);
    const capture = await readCapture(await readFile(file));
    expect(capture.body).toBe(sent.body);
    expect(new URL(capture.url ?? '').pathname).toBe(sent.path);
    expect((await mop(LAST, { env })).stdout).toMatch(/^Refused:[\s\S]*, which is right\n/);
  });

  it.each([
    [
      1003,
      'the platform does not know api_key key-1, from MOP_API_KEY, in the environment production',
      'check api_key and the environment: mop config list -p default shows both',
    ],
    [
      1055,
      'the platform refuses the timestamp although it agrees with the Date of the answer',
      'set the clock of this machine; mop doctor shows the difference',
    ],
  ])('also with the code %i', async (refusal, reason, fix) => {
    const { env } = await refusing(refusal);
    const { stderr } = await mop(CALL, { env });
    expect(stderr.split('\n').at(-2)).toBe(`hint: likely cause: ${reason}; ${fix}`);
    const { code, stdout } = await mop(LAST, { env });
    expect(code).toBe(4);
    expect(stdout).toContain(`Refused: ${reason}\nFix:   ${fix}\n`);
  });

  it.each([0, 1001, 2303])(
    'but not with the code %i, which keeps the earlier call',
    async (other) => {
      const { env, path } = await refusing(other);
      await mop(CALL, { env });
      await expect(lstat(path)).rejects.toThrow('ENOENT');
      const { env: refusingEnv } = await refusing();
      await mop(CALL, { env: { ...refusingEnv, MOP_CONFIG_DIR: env.MOP_CONFIG_DIR ?? '' } });
      const kept = await readFile(path);
      await mop(CALL, { env });
      expect(await readFile(path)).toEqual(kept);
    },
  );
});

it('keeps the text fields of a form and the names of its files', async () => {
  const { env, path, directory } = await refusing();
  const file = join(directory, 'photo.txt');
  await writeFile(file, 'content of the file');
  const form = [
    'call',
    '/x',
    '--mode',
    'header',
    '--form',
    'city=杭州',
    '--file',
    `photo=@${file}`,
  ];
  await mop(form, { env });
  const kept = await readFile(path, 'utf8');
  expect(kept).not.toContain('content of the file');
  expect(kept).not.toContain(directory);
  expect((await readCapture(kept)).body).toEqual([
    { name: 'city', value: '杭州' },
    { name: 'photo', file: 'photo.txt' },
  ]);
  expect((await mop(LAST, { env })).stdout).toMatch(/^Refused:[\s\S]*, which is right\n/);
});

describe('a request that must not be stored', () => {
  it.each([
    ['the api secret', ['call', '/x', JSON.stringify({ a: `x${SECRET}y` })], 'api secret'],
    [
      'the api secret in base64',
      ['call', '/x', JSON.stringify({ a: Buffer.from(SECRET).toString('base64') })],
      'api secret',
    ],
    [
      'another credential',
      [...CALL, '--mode', 'header', '-H', 'X-TMS-Token: token-17'],
      'credential',
    ],
    ['more than 1 MiB', ['call', '/x', '-'], 'larger than 1 MiB'],
  ])('has %s', async (_, argv, reason) => {
    const { env, path } = await refusing();
    const stdin = JSON.stringify({ a: 'x'.repeat(1024 ** 2) });
    expect((await mop(argv, { env, stdin })).code).toBe(4);
    expectFailure(await mop(LAST, { env }), 2, reason, `likely cause: ${CAUSE}`);
    const kept = await readFile(path, 'utf8');
    expect(kept.length).toBeLessThan(1000);
    for (const secret of [SECRET, Buffer.from(SECRET).toString('base64'), 'token-17']) {
      expect(kept).not.toContain(secret);
    }
  });
});

describe('the age', () => {
  it.each([
    // A job at 10:15 on one day, explained at 10:14 on the next.
    [86_340, 'sent 23 h ago'],
    [129_600, 'sent 36 h ago'],
    // The clock was set back after the call.
    [-3600, 'sent 1 h ago'],
  ])('of %i s is explained', async (seconds, line) => {
    const { env, path } = await refusing();
    await mop(CALL, { env });
    const kept = await readFile(path);
    expect((await mop(LAST, { env, now: later(seconds) })).stdout).toContain(line);
    expect(await readFile(path)).toEqual(kept);
  });

  it('of more than 36 hours removes the file, which the hint does not name', async () => {
    const { env, cache } = await refusing();
    await mop(CALL, { env });
    const result = await mop(LAST, { env, now: later(129_601) });
    expectFailure(result, 2, 'the last refused call is older than 36 hours', 'run the call again');
    expect(result.stderr).not.toContain(cache);
    expect(await readdir(cache)).toEqual([]);
    const again = await mop(LAST, { env, now: later(129_601) });
    expectFailure(again, 2, `no refused call is stored in ${cache}`, 'MOP_CONFIG_DIR');
    expect(again.stderr).not.toContain('refused-request.har');
  });

  it('is measured by the clock that is right now', async () => {
    const { env } = await refusing();
    // The clock of this machine was 3 days ahead at the call, and was set after it.
    await mop(CALL, { env, now: later(3 * 86_400) });
    expect((await mop(LAST, { env, now: later(60) })).stdout).toContain('sent 60 s ago');
  });

  it('does not depend on calls that succeed later', async () => {
    const { env } = await refusing();
    await mop(CALL, { env });
    const succeeding = { ...env, ...(await scriptedPlatform()).env, MOP_API_SECRET: SECRET };
    const night = later(8 * 3600);
    expect((await mop([...CALL, '--api-key', 'key-1'], { env: succeeding, now: night })).code).toBe(
      0,
    );
    expect((await mop(LAST, { env, now: later(86_340) })).stdout).toContain('sent 23 h ago');
  });

  it('does not affect the check of the timestamp; --now does', async () => {
    const { env } = await refusing();
    await mop(CALL, { env });
    expect((await mop(LAST, { env, now: later(500) })).stdout).toContain('the same as the clock');
    const { stdout } = await mop([...LAST, '--now', String(NOW / 1000 + 100), '--json'], { env });
    expect(JSON.parse(stdout).clock).toMatchObject({ skew_seconds: -100, within_limit: false });
  });

  it('is not measured by the clock of the platform', async () => {
    const { env } = await refusing();
    // The clock of this machine is 90 s behind.
    await mop(['call', '/x', JSON.stringify({ timestamp: NOW / 1000 })], { env, now: later(-90) });
    const { stdout } = await mop([...LAST, '--json'], { env, now: later(-80) });
    expect(JSON.parse(stdout)).toMatchObject({
      call: { sent_at: NOW / 1000 - 90 },
      clock: { now: NOW / 1000, skew_seconds: 0 },
    });
  });
});

it('does not blame the secret for a signature that is right under one reading only', async () => {
  const { env } = await refusing();
  const refused = await mop(DOUBTFUL, { env });
  const doubt = 'likely cause: the platform reads the request in another way, or the secret of ';
  expectFailure(refused, 4, '1002', doubt);
  expect(refused.stderr).toMatch(/; to find the mistake, run: mop sign verify --last\n$/);
  const { code, stdout } = await mop(LAST, { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Right: /);
  expect(stdout).toContain(`! the platform refused it with 1002; ${doubt}`);
});

it('names the profile of the call when it no longer exists', async () => {
  const { platform } = await refusing();
  const second = { api_key: 'k-1', api_secret: SECRET, base_url: platform.url };
  const { env, path } = await configuration({ profiles: { second } });
  await mop([...CALL, '-p', 'second'], { env });
  await writeFile(path, '{"profiles":{}}');
  const result = await mop(LAST, { env });
  expectFailure(result, 3, 'there is no profile "second"', 'the refused call used this profile');
});

it('uses the profile and the environment of the call, unless the user chooses others', async () => {
  const { platform } = await refusing();
  const { env } = await configuration({
    profiles: {
      default: { api_key: 'k-1', api_secret: 'secret-of-the-default', base_url: platform.url },
      second: {
        api_key: 'k-1',
        api_secret: 'secret-of-the-second',
        test_base_url: platform.url,
        environment: 'test',
      },
    },
  });
  await mop([...CALL, '-p', 'second'], { env });
  const own = await mop([...LAST, '--json'], { env });
  expect(JSON.parse(own.stdout)).toMatchObject({ valid: true, diagnosis: [] });
  expect(JSON.parse(own.stdout).call).toEqual({
    method: 'POST',
    url: `${platform.url}/open/v1/x`,
    sent_at: NOW / 1000,
    code: 1002,
    message: 'no',
    profile: 'second',
    environment: 'test',
  });
  expect(JSON.parse(own.stdout)).toMatchObject({
    refused: {
      reason: expect.stringMatching(/^the secret of profile second is not /),
      fix: 'to store the issued secret, run: mop config set api_secret -p second',
    },
    warnings: [],
  });

  const other = await mop([...LAST, '-p', 'default', '--json'], { env });
  expect(other.code).toBe(4);
  expect(JSON.parse(other.stdout)).toMatchObject({
    valid: false,
    diagnosis: [{ id: 'secret-other-profile' }],
  });
});

describe('the file', () => {
  it.each<readonly [string, (setup: Setup) => Promise<unknown>]>([
    ['is a symbolic link', async ({ path, directory }) => symlink(join(directory, 'target'), path)],
    ['is a directory', async ({ path }) => mkdir(path)],
    ['is empty', async ({ path }) => writeFile(path, '')],
    ['is not a HAR file', async ({ path }) => writeFile(path, '{"log":{"_mop":{"profile":1}}}')],
    ['is null', async ({ path }) => writeFile(path, 'null')],
    ['is too large', async ({ path }) => writeFile(path, ' '.repeat(9 * 1024 ** 2))],
  ])('that %s is reported as damaged', async (_, put) => {
    const setup = await refusing();
    await mkdir(setup.cache, { recursive: true });
    await writeFile(join(setup.directory, 'target'), 'target');
    await put(setup);
    expectFailure(await mop(LAST, { env: setup.env }), 2, 'is damaged', 'remove it');
  });

  it('replaces a symbolic link, not its target', async () => {
    const { env, cache, path, directory } = await refusing();
    const target = join(directory, 'target');
    await mkdir(cache, { recursive: true });
    await writeFile(target, 'target');
    await symlink(target, path);
    await mop(CALL, { env });
    expect((await lstat(path)).isFile()).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('target');
  });

  it('does not change the outcome when it cannot be written', async () => {
    const { env, directory } = await refusing();
    await writeFile(join(directory, 'file'), '');
    const expected = await mop([...CALL, '--json'], { env });
    const elsewhere = { ...env, MOP_CONFIG_DIR: join(directory, 'file', 'config') };
    const { seq_id: _, ...error } = errorOf(await mop([...CALL, '--json'], { env: elsewhere }));
    expect(errorOf(expected)).toMatchObject(error);
    const hint =
      'run the call with --dry-run --reveal and pass the printed request to mop sign verify';
    expectFailure(await mop(DOUBTFUL, { env: elsewhere }), 4, '1002', hint);
    const next = await mop(LAST, { env: elsewhere });
    expectFailure(next, 2, `no refused call is stored in ${directory}`, 'MOP_CONFIG_DIR');
  });

  it('is complete in spite of concurrent writers', async () => {
    const { env, cache, path, platform } = await refusing();
    await Promise.all(Array.from({ length: 12 }, () => mop(CALL, { env })));
    expect(await readdir(cache)).toEqual(['refused-request.har']);
    const { body } = await readCapture(await readFile(path));
    expect(platform.requests.map((sent) => sent.body)).toContain(body);
  });

  it('has the first refused line of a batch', async () => {
    const { env, path } = await refusing();
    const stdin = '{"a":1}\n{"a":2}\n{"a":3}\n';
    const batch = ['call', '/x', '--batch', '-', '--concurrency', '1'];
    expect((await mop(batch, { env, stdin })).code).toBe(4);
    expect((await readCapture(await readFile(path))).body).toContain('"a":1');
  });
});

it('compares with --theirs, and saves a vector', async () => {
  const { env, directory } = await refusing();
  await mop(CALL, { env });
  const vector = join(directory, 'vector.json');
  const { stdout } = await mop([...LAST, '--theirs', 'a=1', '--save-vector', vector], { env });
  expect(stdout).toContain('Their string');
  const saved = await readFile(vector, 'utf8');
  expect(JSON.parse(saved).vectors).toHaveLength(1);
  expect(saved).not.toContain(SECRET);
});

it.each([
  [['{}'], 'takes no REQUEST'],
  [['-H', 'X-TMS-Sign: x'], 'headers'],
  [['--entry', '1'], '--last has only one request'],
])('refuses %j beside --last', async (argv, message) => {
  expectFailure(await mop([...LAST, ...argv]), 2, message);
});

it('shows the message of a platform on one line', async () => {
  const { env } = await refusing(1002, 'two\nlines \u001b[31mred');
  await mop(CALL, { env });
  const line = (await mop(LAST, { env })).stdout.split('\n')[4];
  expect(line).toContain('refused with 1002: two');
  expect(line).toContain('red');
  expect(line).not.toContain('\u001b');
});

it('stores any body exactly as sent', async () => {
  const settings = new Settings({}, {}, { current: undefined, profiles: {} });
  const answer = { code: 1002, message: '' } as Answer;
  const source = { ...freshFields, now: () => NOW };
  const url = new URL('https://platform.example/open/v1/x');
  const json = fc.dictionary(fc.string({ unit: CHARACTER }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 5,
  });
  const modes = fc.constantFrom('body' as const, 'header' as const);
  await fc.assert(
    fc.asyncProperty(json, modes, async (fields, mode) => {
      const body = JSON.stringify({ ...fields, big: 1 }).replace(/1}$/, '1.0}');
      const request = signedRequest(
        { path: '/x', body },
        mode,
        url,
        SANDBOX_CREDENTIALS,
        source,
        0,
      );
      const exchange = { request, answer, sentAt: NOW, serverTime: undefined };
      const refusal = refusalOf(exchange, undefined, callerOf(settings));
      const capture = await readCapture(refusalHar(refusal, request));
      expect(capture.body).toBe(request.body);
      const signed = request.headers.filter(([name]) => /^x-tms-/i.test(name));
      expect(capture.headers).toEqual(expect.arrayContaining(signed.map((each) => [...each])));
    }),
    { numRuns: 30 },
  );
});

it.each([
  [['errors', '1002']],
  [['help', 'signing']],
  [['help', 'exit-codes']],
  [['sign', 'verify', '--help']],
])('the output of mop %j mentions --last', async (argv) => {
  expect((await mop(argv)).stdout).toContain('mop sign verify --last');
});

it('verifies a call to the embedded sandbox with its own secret', async () => {
  // The embedded sandbox ignores the credentials of the environment.
  const { env } = await refusing();
  const stale = ['call', '/x', JSON.stringify({ timestamp: 1 }), '--env', 'sandbox'];
  expect((await mop(stale, { env })).code).toBe(4);
  const { stdout } = await mop(LAST, { env: { ...env, ...pointAt('http://127.0.0.1:9') } });
  expect(stdout).toContain('refused with 1055');
  expect(stdout).toMatch(/^Refused: the timestamp is \d+ s behind the time of sending; /);
});
