import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/cli/context/config-file.ts';
import { SETTINGS } from '../../../src/cli/context/setting-keys.ts';
import { mop } from '../../support/cli.ts';
import { configuration, expectFailure } from '../support.ts';

type Env = Record<string, string>;
interface Listed {
  readonly value: string | null;
  readonly source: string;
}

/** `config list --json` by key. */
async function list(
  argv: readonly string[] = [],
  env: Env = {},
  profile: Profile = {},
): Promise<Record<string, Listed>> {
  const config = await configuration({ profiles: { default: profile } });
  const result = await mop(['config', 'list', '--json', ...argv], {
    env: { ...config.env, ...env },
  });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  const { values } = JSON.parse(result.stdout) as { values: (Listed & { key: string })[] };
  return Object.fromEntries(values.map(({ key, ...rest }) => [key, rest]));
}

/** A value for every setting that differs from its default. */
const STORED: Profile = {
  environment: 'production',
  api_key: 'profile-key',
  api_secret: 'profile-secret',
  api_secret_file: '/profile/secret',
  api_secret_command: 'profile command',
  base_url: 'https://profile.example',
  test_base_url: 'https://test.profile.example',
  open_base_url: 'https://open.profile.example',
  open_test_base_url: 'https://open-test.profile.example',
  detect_url: 'https://detect.profile.example',
  gql_url: 'https://gql.profile.example/graphql',
  timezone: 'Europe/Paris',
  bill_dir: '/profile/bills',
  bill_name: '{date}.csv',
  bill_file_mode: '640',
  bill_content: 'any',
  bill_late_hours: '6',
  bill_auth_header: 'X-Auth',
  mode: 'header',
  detect_levels: 'safe<high',
  compare_key: 'order_id=id',
  compare_amount: 'paid_amount=total',
  compare_encoding: 'gb18030',
  compare_delimiter: ';',
  compare_where: 'status=PAID',
  compare_records_where: 'state=paid,state=done',
  compare_factor: '0.01',
  compare_net: 'true',
  compare_blank: '0',
  bill_ready_time: '11:30',
  no_bill_codes: '1052',
  lang: 'zh',
};

describe('precedence', () => {
  it('falls back to the defaults of the contract', async () => {
    const unset = { value: null, source: 'default' };
    const preset = (value: string) => ({ value, source: 'default' });
    expect(await list()).toEqual({
      environment: preset('production'),
      api_key: unset,
      api_secret: unset,
      api_secret_file: unset,
      api_secret_command: unset,
      base_url: unset,
      test_base_url: unset,
      open_base_url: unset,
      open_test_base_url: unset,
      detect_url: unset,
      gql_url: unset,
      timezone: preset('Asia/Shanghai'),
      bill_dir: unset,
      bill_name: preset('bill_{date}_{type}.csv'),
      bill_file_mode: preset('600'),
      bill_content: preset('check'),
      bill_late_hours: preset('12'),
      bill_auth_header: preset('Authorization'),
      mode: preset('documented'),
      detect_levels: preset('none<low<medium<high<critical'),
      compare_key: unset,
      compare_amount: unset,
      compare_encoding: preset('auto'),
      compare_delimiter: unset,
      compare_where: unset,
      compare_records_where: unset,
      compare_factor: unset,
      compare_net: preset('false'),
      compare_blank: unset,
      bill_ready_time: preset('10:00'),
      no_bill_codes: preset(''),
      lang: unset,
    });
  });

  it('prefers the profile to the defaults', async () => {
    expect(Object.keys(STORED)).toEqual(Object.keys(SETTINGS));
    const values = await list([], {}, STORED);
    for (const [key, value] of Object.entries(STORED)) {
      const shown = key === 'api_secret' ? '********' : value;
      expect({ [key]: values[key] }).toEqual({ [key]: { value: shown, source: 'profile' } });
    }
  });

  const VARIABLES = [
    { variable: 'MOP_ENV', key: 'environment', value: 'test' },
    { variable: 'MOP_API_KEY', key: 'api_key', value: 'env-key' },
    { variable: 'MOP_API_SECRET_FILE', key: 'api_secret_file', value: '/env/secret' },
    { variable: 'MOP_BASE_URL', key: 'base_url', value: 'https://env.example' },
    { variable: 'MOP_OPEN_BASE_URL', key: 'open_base_url', value: 'https://env.example' },
    { variable: 'MOP_DETECT_URL', key: 'detect_url', value: 'https://env.example' },
    { variable: 'MOP_GQL_URL', key: 'gql_url', value: 'https://env.example' },
    { variable: 'MOP_TIMEZONE', key: 'timezone', value: 'UTC' },
  ];

  it.each(VARIABLES)('prefers $variable to the profile', async ({ variable, key, value }) => {
    const values = await list([], { [variable]: value }, STORED);
    expect(values[key]).toEqual({ value, source: 'env' });
  });

  it.each([...VARIABLES, { variable: 'MOP_API_SECRET', key: 'api_secret', value: '********' }])(
    'ignores an empty $variable',
    async ({ variable, key }) => {
      expect((await list([], { [variable]: '' }, STORED))[key]?.source).toBe('profile');
      expect((await list([], { [variable]: '' }))[key]?.source).toBe('default');
    },
  );

  it.each([
    { flags: ['--env', 'sandbox'], key: 'environment', value: 'sandbox' },
    { flags: ['--api-key', 'flag-key'], key: 'api_key', value: 'flag-key' },
    { flags: ['--secret-file', '/flag'], key: 'api_secret_file', value: '/flag' },
  ])('prefers $flags to everything', async ({ flags, key, value }) => {
    const env = { MOP_ENV: 'test', MOP_API_KEY: 'env-key', MOP_API_SECRET_FILE: '/env' };
    const values = await list(flags, env, STORED);
    expect(values[key]).toEqual({ value, source: 'flag' });
  });

  it('masks a secret from a variable too', async () => {
    const config = await configuration();
    const env = { ...config.env, MOP_API_SECRET: 'hunter2' };
    for (const argv of [['list'], ['list', '--json'], ['get', 'api_secret']]) {
      const { code, stdout, stderr } = await mop(['config', ...argv], { env });
      expect(code).toBe(0);
      expect(stdout).toContain('********');
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });
});

describe('addresses by environment', () => {
  it.each([
    { environment: 'production', base: 'base_url', open: 'open_base_url' },
    { environment: 'test', base: 'test_base_url', open: 'open_test_base_url' },
    { environment: 'sandbox', base: 'base_url', open: 'open_base_url' },
  ])('MOP_BASE_URL is $base in $environment', async ({ environment, base, open }) => {
    const env = { MOP_BASE_URL: 'https://a.example', MOP_OPEN_BASE_URL: 'https://b.example' };
    for (const values of [
      await list(['--env', environment], env, STORED),
      await list([], { ...env, MOP_ENV: environment }, STORED),
      await list([], env, { ...STORED, environment }),
    ]) {
      const fromEnv = Object.entries(values).filter(
        ([key, { source }]) => key.endsWith('base_url') && source === 'env',
      );
      expect(fromEnv).toEqual([
        [base, { value: 'https://a.example', source: 'env' }],
        [open, { value: 'https://b.example', source: 'env' }],
      ]);
    }
  });

  it('the bills of the sandbox are ready at midnight by default', async () => {
    const argv = ['--env', 'sandbox'];
    expect((await list(argv)).bill_ready_time).toEqual({ value: '00:00', source: 'default' });
    expect((await list(argv, {}, STORED)).bill_ready_time).toEqual({
      value: '11:30',
      source: 'profile',
    });
  });
});

describe('the current profile', () => {
  const profiles = {
    default: { api_key: 'of-default' },
    used: { api_key: 'of-used' },
    named: { api_key: 'of-named' },
    constructor: { api_key: 'of-constructor' },
  };
  const key = async (argv: readonly string[], env: Env, current?: string) => {
    const config = await configuration({ ...(current && { current }), profiles });
    return mop(['config', 'get', 'api_key', ...argv], { env: { ...config.env, ...env } });
  };

  it.each<{ argv: string[]; env: Env; current?: string; expected: string }>([
    { argv: [], env: {}, expected: 'of-default' },
    { argv: [], env: {}, current: 'used', expected: 'of-used' },
    { argv: [], env: { MOP_PROFILE: 'named' }, current: 'used', expected: 'of-named' },
    { argv: [], env: { MOP_PROFILE: '' }, current: 'used', expected: 'of-used' },
    { argv: ['-p', 'default'], env: { MOP_PROFILE: 'named' }, expected: 'of-default' },
    { argv: ['--profile', 'constructor'], env: {}, expected: 'of-constructor' },
  ])('$argv $env $current', async ({ argv, env, current, expected }) => {
    expect(await key(argv, env, current)).toMatchObject({ code: 0, stdout: `${expected}\n` });
  });

  it.each<{ argv: string[]; env: Env; current?: string; name: string }>([
    { argv: ['-p', 'nobody'], env: {}, name: 'nobody' },
    { argv: ['-p', ''], env: {}, name: '' },
    { argv: ['-p', '__proto__'], env: {}, name: '__proto__' },
    { argv: ['-p', 'toString'], env: {}, name: 'toString' },
    { argv: [], env: { MOP_PROFILE: 'nobody' }, name: 'nobody' },
    { argv: [], env: { MOP_PROFILE: 'hasOwnProperty' }, name: 'hasOwnProperty' },
    { argv: [], env: {}, current: 'gone', name: 'gone' },
  ])('$argv $env $current must exist', async ({ argv, env, current, name }) => {
    const result = await key(argv, env, current);
    expectFailure(result, 3, `there is no profile "${name}"`, 'mop config profiles');
  });
});

describe('values', () => {
  const https = ['https://h.example', 'https://h.example/', 'https://h.example:8443/pre/fix'];
  const loopback = ['http://127.0.0.1:7800', 'http://localhost/x', 'http://[::1]:1'];
  const bad = ['', 'h.example', 'ftp://h.example', 'https://'];
  const address = {
    good: [...https, ...loopback],
    bad: [
      ...bad,
      'http://h.example',
      'http://10.0.0.1',
      'http://127.0.0.1.example',
      'https://user:pass@h.example',
      'https://h.example?x=1',
      'https://h.example#x',
      'https://h.example/open/v1',
      'https://h.example/open/v1/trade/bill',
      'https://h.example/pre/api/open/',
      'https://h.example/api/detect',
    ],
  };
  const filters = { good: ['a=b', 'a=', 'a=b,c=d'], bad: ['', 'a', '=b', 'a=b,'] };
  const columns = {
    good: ['order_id', 'order_id=id', 'a=b,c', 'a , b = c', 'a=b=c', '订单号=编号', '1=3'],
    bad: ['', ' ', ',', 'a,', ',a', 'a,,b', '=', 'a=', '=b', 'a= ', ' =b', 'a=b,c=', 'a, ,b'],
  };
  const open = { good: [...https, ...loopback, 'http://10.0.0.1:4000/graphql'], bad };

  const table: Record<string, { good: string[]; bad: string[] }> = {
    environment: {
      good: ['production', 'test', 'sandbox'],
      bad: ['', 'prod', 'Production', 'sandbox '],
    },
    api_key: { good: ['k', 'K-1_~!', '1'.repeat(32)], bad: ['', '1'.repeat(33), 'a b', 'ключ'] },
    api_secret_command: { good: ['pass show mop | head -1'], bad: [''] },
    base_url: address,
    test_base_url: address,
    open_base_url: address,
    open_test_base_url: address,
    detect_url: open,
    gql_url: open,
    timezone: { good: ['Asia/Shanghai', 'UTC', 'Europe/Paris'], bad: ['', 'Mars/Base', 'CEST2'] },
    bill_dir: { good: ['/var/bills'], bad: [''] },
    bill_name: { good: ['{date}.csv'], bad: [''] },
    bill_file_mode: { good: ['600', '0640', '664'], bad: ['', '6', '888', '10600', 'rw'] },
    bill_content: { good: ['check', 'any'], bad: ['', 'none'] },
    bill_late_hours: { good: ['0', '12', '1.5'], bad: ['', '-1', '1e3', 'many', '1.'] },
    bill_auth_header: {
      good: ['Authorization', 'X-Auth_1', 'Authorization: Bearer {authorization}'],
      bad: [
        '',
        'A B',
        'A:',
        'É',
        'Host',
        'Authorization: Bearer',
        'A: {authorization}{authorization}',
      ],
    },
    mode: { good: ['documented', 'body', 'header'], bad: ['', 'Body', 'both'] },
    detect_levels: { good: ['safe<low<high', 'a < b'], bad: ['', 'a', 'a<', 'a<A'] },
    compare_key: columns,
    compare_amount: columns,
    compare_encoding: {
      good: ['auto', 'utf-8', 'gb18030', 'utf-16le', 'windows-1252'],
      bad: ['', 'UTF-8', 'utf8', 'gbk', 'utf-8 '],
    },
    compare_delimiter: {
      good: [',', ';', '|', '\t', 'tab', '\\t'],
      bad: ['', 'x', '"', ';;', '，'],
    },
    compare_where: filters,
    compare_records_where: filters,
    compare_factor: { good: ['0.01', '-1', '100'], bad: ['', 'x', '1e2', '.5'] },
    compare_net: { good: ['true', 'false'], bad: ['', 'yes', '1'] },
    compare_blank: { good: ['0', '-1.5'], bad: ['', '-', 'x'] },
    bill_ready_time: { good: ['00:00', '10:00', '23:59'], bad: ['', '24:00', '9:00', '10:60'] },
    no_bill_codes: { good: ['', '1052', '-1', '-1, 2001 ,3'], bad: ['x', '1,', '1 2', '1.5'] },
    lang: { good: ['en', 'zh'], bad: ['', 'ZH', 'fr', 'zh_CN'] },
  };

  it('are validated for every setting of config set', () => {
    const asked = ['api_secret', 'api_secret_file'];
    expect(Object.keys(table)).toEqual(Object.keys(SETTINGS).filter((key) => !asked.includes(key)));
  });

  const set = async (key: string, value: string) => {
    const config = await configuration({ profiles: { default: { bill_name: 'kept' } } });
    const before = await config.text();
    const result = await mop(['config', 'set', key, value], { env: config.env });
    const unchanged = (await config.text()) === before;
    return { result, unchanged, stored: (await config.profile())?.[key] };
  };

  it.each(Object.entries(table))('%s accepts valid values', async (key, { good }) => {
    for (const value of good) {
      const { result, stored } = await set(key, value);
      expect(result).toMatchObject({ code: 0, stdout: '' });
      expect(stored).toBe(value);
    }
  });

  it.each(Object.entries(table))('%s rejects invalid values', async (key, entry) => {
    for (const value of entry.bad) {
      const { result, unchanged } = await set(key, value);
      const shown = value.replace('user:pass@', '').replace(/[?#]x.*/, '?<redacted>');
      expectFailure(result, 2, `${key} cannot be ${JSON.stringify(shown)}: `);
      expect({ value, unchanged }).toEqual({ value, unchanged: true });
    }
  });

  it.each([
    ['https://user:canary@h.example', 'https://h.example'],
    ['https://h.example?api_key=canary', 'https://h.example?<redacted>'],
    ['https://user:ca/nary@h.example/x', 'h.example/x'],
    ['user:canary@h.example', 'h.example'],
    ['https:user:canary@h.example', 'h.example'],
    [' https:/user:canary@h.example?canary', 'https:/h.example?<redacted>'],
  ])('an invalid address %s is printed as %s', async (value, shown) => {
    const fromVariable = await mop(['detect', 'a'], { env: { MOP_DETECT_URL: value } });
    expectFailure(fromVariable, 3, `MOP_DETECT_URL is "${shown}": `);
    const { result } = await set('detect_url', value);
    expectFailure(result, 2, `detect_url cannot be "${shown}": `);
  });

  it.each([
    ['no_bill_codes', '-1,1052', '-1,1052'],
    ['bill_name', '--{date}.csv', '--{date}.csv'],
  ])('%s may start with a dash', async (key, value, expected) => {
    expect((await set(key, value)).stored).toBe(expected);
  });
});

describe('an invalid value', () => {
  const failure = async (argv: readonly string[], env: Env, profile: Profile = {}) => {
    const config = await configuration({ profiles: { default: profile, shop: profile } });
    return mop(['sign', '{}', ...argv], {
      env: { ...config.env, MOP_API_SECRET: 's', ...env },
    });
  };

  it('of a variable is reported with the name of the variable', async () => {
    expectFailure(
      await failure([], { MOP_ENV: 'prod' }),
      3,
      'MOP_ENV is "prod": it is not one of: production, test, sandbox',
      'correct it or remove it',
    );
    expectFailure(await failure([], { MOP_API_KEY: 'a b' }), 3, 'MOP_API_KEY is');
  });

  it('of a profile is reported with the profile', async () => {
    const profile = { api_key: 'a b' };
    const hint = 'mop help settings';
    expectFailure(await failure([], {}, profile), 3, 'api_key of profile default is', hint);
    const other = await failure(['-p', 'shop'], {}, profile);
    expectFailure(other, 3, 'api_key of profile shop is', hint);
    const nowhere = await failure([], {}, { environment: 'moon' });
    expectFailure(nowhere, 3, 'environment of profile default is', hint);
  });

  it('of an option is a usage error', async () => {
    expectFailure(await failure(['--api-key', 'a b'], {}), 2, '--api-key is "a b"');
    expectFailure(await failure(['--api-key', ''], {}), 2, '--api-key is "": it is empty');
  });

  it('can be replaced with config set', async () => {
    const config = await configuration({ profiles: { default: { environment: 'moon' } } });
    const { env } = config;
    expect((await mop(['config', 'set', 'environment', 'test'], { env })).code).toBe(0);
    expect(await config.profile()).toEqual({ environment: 'test' });
  });
});
