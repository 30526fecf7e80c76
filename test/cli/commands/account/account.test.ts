import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encryptParameters } from '../../../../src/sandbox/encryption.ts';
import { type CliResult, errorOf, mop, NOW } from '../../../support/cli.ts';
import { pointAt, sandbox } from '../../../support/platform.ts';
import { envelope, serve } from '../../../support/server.ts';
import { configuration, expectFailure, type TestConfig } from '../../support.ts';

const A = '13800000001';
const B = '13800000002';
const SINCE = new Date(NOW).toISOString();

let config: TestConfig;
let env: Record<string, string>;

beforeEach(async () => {
  config = await configuration();
  env = { ...config.env };
});

const account = (...argv: string[]): Promise<CliResult> => mop(['account', ...argv], { env });
const link = (user: string, openid: string, ...more: string[]): Promise<CliResult> =>
  account('link', '--user', user, '--openid', openid, ...more);
/** The one JSON document that a command printed. */
const json = async (...argv: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await account(...argv, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};
const list = () => json('list');
const files = () => readdir(config.directory).catch(() => []);

describe('account link', () => {
  it('prints the result with --json', async () => {
    const argv = ['link', '--user', 'ann', '--openid', 'o-1'];
    const record = { user: 'ann', openId: 'o-1', mobile: null };
    expect(await json(...argv)).toEqual({ ...record, status: 'linked' });
    expect(await json(...argv)).toEqual({ ...record, status: 'unchanged' });
    expect(await json(...argv, '--mobile', A)).toEqual({
      ...record,
      mobile: A,
      status: 'mobile-changed',
    });
    expect(await json(...argv)).toEqual({ ...record, mobile: A, status: 'unchanged' });
  });

  it('prints a table without --json, and nothing with --quiet', async () => {
    expect(await link('ann', 'o-1', '--mobile', A)).toMatchObject({
      code: 0,
      stdout: `USER  OPENID  MOBILE       STATUS\nann   o-1     ${A}  linked\n`,
      stderr: '',
    });
    expect(await link('ann', 'o-1', '-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('refuses a conflict and writes nothing', async () => {
    await link('ann', 'o-1', '--mobile', A);
    const conflicts = [
      [await link('bob', 'o-1'), 'openId o-1 is linked to user ann'],
      [await link('ann', 'o-2'), 'user ann is linked to openId o-1'],
      [await link('bob', 'o-2', '--mobile', A), `mobile ${A} belongs to user ann`],
    ] as const;
    for (const [result, message] of conflicts) expectFailure(result, 5, message, 'move');
    expect(errorOf(await link('bob', 'o-1', '--json'))).toMatchObject({
      code: 'api',
      exit_code: 5,
      retryable: false,
    });
    expect(await list()).toEqual([{ user: 'ann', openId: 'o-1', mobile: A, status: 'linked' }]);
  });

  it('moves a link with --move', async () => {
    await link('ann', 'o-1', '--mobile', A);
    await link('bob', 'o-2', '--mobile', B);
    expect((await link('bob', 'o-1', '--move')).code).toBe(0);
    expect(await list()).toEqual([{ user: 'bob', openId: 'o-1', mobile: A, status: 'linked' }]);
  });

  it('writes nothing with --dry-run, and prints the result', async () => {
    const wouldLink = { user: 'ann', openId: 'o-1', mobile: A, status: 'linked' };
    const argv = ['link', '--user', 'ann', '--openid', 'o-1', '--mobile', A, '--dry-run'];
    expect(await json(...argv)).toEqual(wouldLink);
    expect((await account(...argv)).stderr).toBe('nothing was written (--dry-run)\n');
    expect(await files()).toEqual([]);
    await link('bob', 'o-1');
    expect((await account(...argv)).code).toBe(5);
    expect(await list()).toMatchObject([{ user: 'bob', mobile: null }]);
  });

  it('escapes invisible characters', async () => {
    const { stdout } = await link('a\u200eb', 'o-1');
    expect(stdout).toContain('a<U+200E>b');
  });
});

describe('account link with an encrypted pair', () => {
  const pair = (content: unknown): string[] => {
    const { encryptData, encryptId } = encryptParameters(JSON.stringify(content), NOW);
    return ['--encrypt-data', encryptData, '--encrypt-id', encryptId];
  };

  it('is decoded by the platform', async () => {
    const { log, env: platform } = await sandbox();
    env = { ...env, ...platform };
    const argv = ['link', '--user', 'ann', ...pair({ openId: 'o-1', mobile: A, other: 1.0 })];
    expect(await json(...argv)).toEqual({
      user: 'ann',
      openId: 'o-1',
      mobile: A,
      status: 'linked',
    });
    expect(log).toEqual(['POST /open/v1/param/decode 0']);
  });

  it.each([{ openId: 'o-1' }, { openId: 'o-1', mobile: '' }, { openId: 'o-1', mobile: null }])(
    'needs no mobile number: %j',
    async (content) => {
      env = { ...env, ...(await sandbox()).env };
      const linked = { user: 'ann', openId: 'o-1', mobile: null, status: 'linked' };
      expect(await json('link', '--user', 'ann', ...pair(content))).toEqual(linked);
    },
  );

  it.each([
    [{ mobile: A }, 'data.json_string.openId is missing'],
    [{ openId: 7 }, 'data.json_string.openId is not a string'],
    [{ openId: 'o 1\n' }, 'data.json_string.openId cannot be used'],
    [{ openId: 'o-1', mobile: '138****0001' }, 'data.json_string.mobile cannot be used'],
    [{ openId: 'o-1', mobile: 13800000001 }, 'data.json_string.mobile is not a string'],
    ['text', 'data.json_string.openId is missing'],
  ])('is exit 5 when it holds %j', async (content, message) => {
    env = { ...env, ...(await sandbox()).env };
    expectFailure(await account('link', '--user', 'ann', ...pair(content)), 5, message);
    expect(await files()).toEqual([]);
  });

  it('exits with 5 without json_string', async () => {
    const { url } = await serve((_, response) => envelope(response, 0, {}));
    env = { ...env, ...pointAt(url) };
    const result = await account('link', '--user', 'ann', ...pair({ openId: 'o-1' }));
    expectFailure(result, 5, 'data.json_string is missing');
    expect(await files()).toEqual([]);
  });

  it('is printed as a request with --dry-run', async () => {
    const { url, requests } = await serve((_, response) => envelope(response, 0));
    env = { ...env, ...pointAt(url) };
    const argv = ['link', '--user', 'ann', ...pair({ openId: 'o-1' }), '--dry-run'];
    expect(await json(...argv)).toMatchObject({ url: `${url}/open/v1/param/decode` });
    expect((await account(...argv)).stdout).toMatch(/^curl .*"encrypt_id"/s);
    expect(requests).toEqual([]);
    expect(await files()).toEqual([]);
  });
});

describe('account link refuses, and sends and writes nothing', () => {
  const user = ['--user', 'ann'];
  const data = ['--encrypt-data', 'd'];
  const id = ['--encrypt-id', 'i'];
  const openid = ['--openid', 'o-1'];

  it.each([
    ['no user', openid, '--user is required'],
    ['no openId', user, 'no openId'],
    ['a mobile number alone', [...user, '--mobile', A], 'no openId'],
    ['--encrypt-data alone', [...user, ...data], '--encrypt-id is missing'],
    ['--encrypt-id alone', [...user, ...id], '--encrypt-data is missing'],
    ['both ways', [...user, ...data, ...id, ...openid], 'in two ways'],
    ['a pair with a number', [...user, ...data, ...id, '--mobile', A], 'in two ways'],
    ['a long encrypt_id', [...user, ...data, '--encrypt-id', '1'.repeat(19)], '19 characters'],
    ['an empty encrypt_id', [...user, ...data, '--encrypt-id', ''], 'is empty'],
    ['an empty user', ['--user', '', ...openid], 'is empty'],
    ['a missing file', [...user, '--encrypt-data', '@/none', ...id], 'there is no such file'],
    ['an empty user with a pair', ['--user', '', ...data, ...id], 'is empty'],
    ['white space', ['--user', ' ann', ...openid], 'white space'],
    ['a control character', [...user, '--openid', 'o\u00071'], 'control character'],
    [
      'no mobile number',
      [...user, ...openid, '--mobile', '138-0000'],
      'must have 5 to 20 characters',
    ],
    [
      'an empty mobile number',
      [...user, ...openid, '--mobile', ''],
      'must have 5 to 20 characters',
    ],
  ])('%s', async (_, argv, message) => {
    const { url, requests } = await serve((_, response) => envelope(response, 0));
    env = { ...env, ...pointAt(url) };
    expectFailure(await account('link', ...argv), 2, message);
    expect(requests).toEqual([]);
    expect(await files()).toEqual([]);
  });
});

describe('account find', () => {
  it.each([
    ['--user', 'ann'],
    ['--openid', 'o-1'],
    ['--mobile', B],
  ])('finds by %s, with the history', async (...key) => {
    await link('ann', 'o-1', '--mobile', A);
    await link('ann', 'o-1', '--mobile', B);
    expect(await json('find', ...key)).toEqual({
      user: 'ann',
      openId: 'o-1',
      mobile: B,
      status: 'linked',
      mobiles: [
        { mobile: A, since: SINCE },
        { mobile: B, since: SINCE },
      ],
    });
    expect((await account('find', ...key)).stdout).toBe(
      `USER  OPENID  MOBILE\nann   o-1     ${B}\n\n` +
        `MOBILE       SINCE\n${A}  ${SINCE}\n${B}  ${SINCE}\n`,
    );
  });

  it('shows a link without a mobile number', async () => {
    await link('ann', 'o-1');
    expect((await account('find', '--user', 'ann')).stdout).toBe(
      'USER  OPENID  MOBILE\nann   o-1     -\n',
    );
  });

  it.each([[[]], [['--user', 'ann', '--openid', 'o-1']]])('rejects the keys %j', async (keys) => {
    expectFailure(
      await account('find', ...keys),
      2,
      keys.length > 0 ? 'only one option can select the link' : 'no link is selected',
      '--user, --openid and --mobile',
    );
  });
});

describe('account unlink', () => {
  it.each([
    ['--user', 'ann'],
    ['--openid', 'o-1'],
  ])('removes the link by %s', async (...key) => {
    await link('ann', 'o-1', '--mobile', A);
    const unlinked = { user: 'ann', openId: 'o-1', mobile: A, status: 'unlinked' };
    expect(await json('unlink', ...key, '--dry-run')).toEqual(unlinked);
    expect(await json('unlink', ...key)).toEqual(unlinked);
    expect(await list()).toEqual([]);
  });

  it('takes one key, and no mobile number', async () => {
    expectFailure(await account('unlink'), 2, 'no link is selected', '--user or --openid');
    const both = await account('unlink', '--user', 'ann', '--openid', 'o-1');
    expectFailure(both, 2, 'only one option can select the link');
    expectFailure(await account('unlink', '--mobile', A), 2, "unknown option '--mobile'");
  });
});

it.each([
  ['find', '--user'],
  ['find', '--openid'],
  ['unlink', '--user'],
  ['unlink', '--openid'],
])(
  'account %s %s exits with 1 for an unknown link, and creates nothing',
  async (command, option) => {
    expectFailure(await account(command, option, 'nobody'), 1, 'nobody is not linked', 'list');
    expect(await files()).toEqual([]);
  },
);

describe('account list', () => {
  it('is empty before the first link, and creates no file', async () => {
    expect(await list()).toEqual([]);
    expect(await account('list')).toMatchObject({ code: 0, stdout: '' });
    expect(await files()).toEqual([]);
  });

  it('shows every link', async () => {
    await link('bob', 'o-2');
    await link('ann', 'o-1', '--mobile', A);
    expect(await list()).toEqual([
      { user: 'ann', openId: 'o-1', mobile: A, status: 'linked' },
      { user: 'bob', openId: 'o-2', mobile: null, status: 'linked' },
    ]);
    expect((await account('list')).stdout).toBe(
      `USER  OPENID  MOBILE\nann   o-1     ${A}\nbob   o-2     -\n`,
    );
  });
});

it('separates the links of profiles', async () => {
  config = await configuration({ profiles: { default: {}, shop: {} } });
  env = { ...config.env };
  await link('ann', 'o-1', '-p', 'shop');
  expect((await link('bob', 'o-1')).code).toBe(0);
  expect(await list()).toMatchObject([{ user: 'bob' }]);
  expect(await json('list', '-p', 'shop')).toMatchObject([{ user: 'ann' }]);
  expectFailure(await account('list', '-p', 'none'), 3, 'there is no profile "none"');
});

it('reports a damaged database, and leaves it unchanged', async () => {
  await link('ann', 'o-1');
  const path = join(config.directory, 'accounts.db');
  await writeFile(path, 'x'.repeat(5000));
  expectFailure(await account('list'), 13, path, 'the file is unchanged');
  expectFailure(await link('bob', 'o-2'), 13, path, 'the file is unchanged');
});

it.skipIf(process.platform !== 'linux')('fails if its directory cannot be created', async () => {
  env = { MOP_CONFIG_DIR: '/proc/mop-test' };
  expectFailure(await link('ann', 'o-1'), 13, 'cannot create /proc/mop-test', 'another directory');
});
