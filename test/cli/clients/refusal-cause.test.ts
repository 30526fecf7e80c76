import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, mop, NOW, temporaryDirectory } from '../../support/cli.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { envelope } from '../../support/server.ts';
import { configuration, expectFailure } from '../support.ts';

const SECRET = '76543210fedcba9876543210fedcba98';
const CALL = ['call', '/x', '{"a":1}'];
const LAST = ['sign', 'verify', '--last'];
const NIGHT = ['bill', 'fetch', '--missing', '--quiet'];

type Profiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A configuration for a platform that refuses every call. Its address is in the environment. */
async function refusing(profiles: Profiles, code = 1002, date: string | undefined = undefined) {
  const platform = await scriptedPlatform({
    call: (response) => {
      response.setHeader('Date', date ?? new Date(NOW).toUTCString());
      envelope(response, code, {}, 'no');
    },
  });
  const { env, path } = await configuration({ profiles });
  const { MOP_API_KEY: _, MOP_API_SECRET: __, ...address } = platform.env;
  return { env: { ...env, ...address }, path };
}

/** The hint for a secret of `source` that belongs to another key. */
const fixOf = (source: string) =>
  source.startsWith('profile ')
    ? `to store the issued secret, run: mop config set api_secret -p ${source.slice('profile '.length)}`
    : `put the issued secret into ${source}, then run: mop doctor -p default`;

const wrongSecret = (source: string, apiKey: string, clue = '') =>
  `likely cause: the secret of ${source} is not the one that the platform has for api_key ${apiKey}${clue}; ${fixOf(source)}`;

describe('the mail of a nightly job', () => {
  const north = { api_key: 'k-1', api_secret: SECRET };

  it('names the cause and one command', async () => {
    const { env } = await refusing({ north });
    const directory = await temporaryDirectory();
    const { code, stdout, stderr } = await mop([...NIGHT, '-o', directory], {
      env: { ...env, MOP_PROFILE: 'north' },
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    const hint = wrongSecret('profile north', 'k-1');
    expect(stderr).toMatch(/^mop: /);
    expect(stderr.endsWith(`\nhint: ${hint}\n`)).toBe(true);
    expect(stderr.match(/mop config /g)).toHaveLength(1);
    expect(stderr).not.toContain(SECRET);
  });

  it('is explained the next day, also after the secret was replaced', async () => {
    const { env, path } = await refusing({ default: north });
    await mop([...NIGHT, '-o', await temporaryDirectory()], { env });
    const issued = { ...north, api_secret: 'the-issued-secret-0123456789' };
    await writeFile(path, JSON.stringify({ profiles: { default: issued } }), { mode: 0o600 });
    const result = await mop([...LAST, '--json'], { env, now: () => NOW + 86_340_000 });
    expect(result.code).toBe(4);
    expect(JSON.parse(result.stdout)).toMatchObject({
      valid: false,
      refused: {
        reason: expect.stringContaining('the secret of profile default'),
        fix: expect.stringContaining('mop config set api_secret'),
      },
      diagnosis: [],
      warnings: expect.arrayContaining([
        'the call was signed with another secret than that of profile default now',
      ]),
    });
  });

  it('has the cause in the JSON of the run, for each bill', async () => {
    const { env } = await refusing({ default: north });
    const argv = ['bill', 'fetch', '2026-11-18', '2026-11-19', '--json'];
    const result = await mop([...argv, '-o', await temporaryDirectory()], { env });
    const hint = wrongSecret('profile default', 'k-1');
    const { bills } = JSON.parse(result.stdout);
    expect(bills[0].error).toMatchObject({ code: 'auth', platform_code: 1002, hint });
    expect(errorOf(result)).toMatchObject({ code: 'auth', hint });
  });

  it('has it in each line of a batch', async () => {
    const { env } = await refusing({ default: north });
    const batch = ['call', '/x', '--batch', '-', '--concurrency', '1'];
    const { stdout } = await mop(batch, { env, stdin: '{"a":1}\n' });
    expect(JSON.parse(stdout).error.hint).toContain('likely cause: the secret of profile default');
  });

  it('has it for each profile of --all-profiles', async () => {
    const { env } = await refusing({ north, south: { ...north, api_key: 'k-2' } });
    const argv = [...NIGHT, '--all-profiles', '--json', '-o', await temporaryDirectory()];
    const { bills } = JSON.parse((await mop(argv, { env })).stdout);
    const failed = bills.filter(({ status }: never) => status === 'failed');
    const hints = failed.map(({ profile, error }: never) => [
      profile,
      (error as { hint: string }).hint,
    ]);
    for (const [profile, hint] of hints)
      expect(hint).toContain(`the secret of profile ${profile} `);
    expect(new Set(hints.map(([profile]: string[]) => profile))).toEqual(
      new Set(['north', 'south']),
    );
  });
});

describe('the cause of 1002', () => {
  const own = { api_key: 'k-1', api_secret: SECRET };
  const other = 'another-secret-0123456789';
  type Row = readonly [
    name: string,
    setup: { profiles: Profiles; env?: Record<string, string>; argv?: readonly string[] },
    hint: string,
  ];
  const rows: readonly Row[] = [
    [
      'white space',
      { profiles: { default: { ...own, api_secret: `${SECRET}\n` } } },
      wrongSecret('profile default', 'k-1', ': it has white space around it'),
    ],
    [
      'a placeholder',
      { profiles: { default: own }, env: { MOP_API_SECRET: '<secret>' } },
      wrongSecret('MOP_API_SECRET', 'k-1', ': it looks like a placeholder'),
    ],
    [
      'the secret of the sandbox',
      { profiles: { default: { ...own, api_secret: 'sandbox-secret' } } },
      wrongSecret('profile default', 'k-1', ': the sandbox has it for api_key sandbox'),
    ],
    [
      'the secret of another profile',
      { profiles: { default: own, south: { api_key: 'k-2', api_secret: SECRET } } },
      wrongSecret('profile default', 'k-1', ': profile south has it for api_key k-2'),
    ],
    [
      'a key from a variable, beside a stored secret',
      { profiles: { default: own }, env: { MOP_API_KEY: 'k-9' } },
      wrongSecret('profile default', 'k-9', ': profile default has it for api_key k-1'),
    ],
    [
      'a variable that overrides the stored secret',
      { profiles: { default: own }, env: { MOP_API_SECRET: other } },
      wrongSecret('MOP_API_SECRET', 'k-1'),
    ],
    [
      'unknown, and the command of another profile is not run',
      {
        profiles: { default: own, south: { api_key: 'k-1', api_secret_command: 'exit 1' } },
      },
      wrongSecret('profile default', 'k-1'),
    ],
    [
      'a file of a variable',
      { profiles: { default: { api_key: 'k-1' } }, env: { MOP_API_SECRET_FILE: 'FILE' } },
      wrongSecret('MOP_API_SECRET_FILE', 'k-1'),
    ],
    [
      'a key from an option, beside a stored secret',
      { profiles: { default: own }, argv: ['call', '/x', '{"a":1}', '--api-key', 'k-2'] },
      wrongSecret('profile default', 'k-2', ': profile default has it for api_key k-1'),
    ],
  ];

  it.each(rows)('is %s', async (_, { profiles, env: more = {}, argv = CALL }, hint) => {
    const { env } = await refusing(profiles);
    const file = join(await temporaryDirectory(), 'secret');
    await writeFile(file, other, { mode: 0o600 });
    const given = {
      ...env,
      ...more,
      ...(more.MOP_API_SECRET_FILE && { MOP_API_SECRET_FILE: file }),
    };
    const result = await mop(argv, { env: given });
    expect(result.stderr.split('\n').at(-2)).toBe(`hint: ${hint}`);
    for (const secret of [SECRET, other]) expect(result.stderr).not.toContain(secret);
    const { reason, fix } = JSON.parse(
      (await mop([...LAST, '--json'], { env: given })).stdout,
    ).refused;
    expect(`likely cause: ${reason}; ${fix}`).toBe(hint);
  });

  it('names the option with the file', async () => {
    const { env } = await refusing({ default: own });
    const file = join(await temporaryDirectory(), "the secret's file");
    await writeFile(file, other, { mode: 0o600 });
    const { stderr } = await mop([...CALL, '--secret-file', file], { env });
    expect(stderr).toContain('put the issued secret into --secret-file');
  });

  it('is stored without the secret, even if that is the api_key too', async () => {
    const { env } = await refusing({ default: { api_key: SECRET, api_secret: SECRET } });
    const { stderr } = await mop(CALL, { env });
    expect(stderr).toContain('likely cause: the secret of profile default');
    const last = await mop(LAST, { env });
    expect(stderr + last.stdout + last.stderr).not.toContain(SECRET);
    expectFailure(last, 2, 'the last refused call was not stored', 'likely cause: ');
  });
});

it('names the timestamp of the caller as the cause of 1055', async () => {
  const { env } = await refusing({ default: { api_key: 'k-1', api_secret: SECRET } }, 1055);
  const body = JSON.stringify({ timestamp: NOW / 1000 - 90 });
  expectFailure(
    await mop(['call', '/x', body], { env }),
    4,
    'answered 1055',
    'likely cause: the timestamp is 90 s behind the time of sending; the platform accepts 60 s',
  );
});

it('names the clock as the cause of 1055 if the answer has no Date', async () => {
  const own = { api_key: 'k-1', api_secret: SECRET };
  const { env } = await refusing({ default: own }, 1055, 'none');
  expectFailure(
    await mop(CALL, { env }),
    4,
    'answered 1055',
    'likely cause: the clock of this machine',
  );
});

it('names the api_key, its source and the environment as the cause of 1003', async () => {
  const north = { api_key: 'k-1', api_secret: SECRET };
  const { env } = await refusing({ north }, 1003);
  expectFailure(
    await mop([...CALL, '-p', 'north', '--env', 'production'], { env }),
    4,
    'answered 1003',
    'likely cause: the platform does not know api_key k-1, from api_key of profile north, in the environment production; check api_key and the environment: mop config list',
  );
});
