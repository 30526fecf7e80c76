import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cacheDirectory } from '../../../../src/cli/context/cache.ts';
import { SETTINGS } from '../../../../src/cli/context/setting-keys.ts';
import { withFileLock } from '../../../../src/files/lock.ts';
import { type CliWorld, errorOf, mop, temporaryDirectory } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import {
  CREDENTIALS,
  configuration,
  disown,
  expectFailure,
  file,
  SECRET,
  terminal,
} from '../../support.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('config set', () => {
  it('creates the file and its directory for the owner only', async () => {
    const config = await configuration();
    const result = await mop(['config', 'set', 'api_key', 'k'], { env: config.env });
    expect(result).toEqual({
      code: 0,
      stdout: '',
      stderr: 'api_key is set in profile default\n',
      waits: [],
    });
    expect(await modeOf(config.directory)).toBe('700');
    expect(await modeOf(config.path)).toBe('600');
    expect(JSON.parse(await config.text())).toEqual({ profiles: { default: { api_key: 'k' } } });
    expect(await readdir(config.directory)).toEqual(['config.json']);
  });

  it('creates missing parent directories', async () => {
    const directory = join(await temporaryDirectory(), 'a', 'b');
    const env = { MOP_CONFIG_DIR: directory };
    expect((await mop(['config', 'set', 'api_key', 'k'], { env })).code).toBe(0);
    expect(await modeOf(join(directory, '..'))).toBe('700');
    expect(await modeOf(directory)).toBe('700');
  });

  it('restricts a file that other users could read', async () => {
    const config = await configuration({ profiles: {} }, 0o644);
    await mop(['config', 'set', 'api_key', 'k'], { env: config.env });
    expect(await modeOf(config.path)).toBe('600');
  });

  it('keeps all other values of the file', async () => {
    const profiles = { default: { api_key: 'old', future_setting: 'x' }, shop: { api_key: 's' } };
    const config = await configuration({ current: 'shop', profiles });
    await mop(['config', 'set', 'api_key', 'new', '-p', 'default'], { env: config.env });
    expect(JSON.parse(await config.text())).toEqual({
      current: 'shop',
      profiles: { ...profiles, default: { api_key: 'new', future_setting: 'x' } },
    });
  });

  it('waits for another command that changes the file', async () => {
    const config = await configuration({ profiles: { default: { api_key: 'old' } } });
    const setting = await withFileLock(`${config.path}.lock`, async () => {
      const set = mop(['config', 'set', 'api_key', 'new'], { env: config.env });
      await sleep(50);
      expect(await config.text()).toContain('"old"');
      return { set };
    });
    expect((await setting.set).code).toBe(0);
    expect(await config.text()).toContain('"new"');
  });

  it('writes to the current profile', async () => {
    const config = await configuration({ current: 'shop', profiles: { shop: {} } });
    const set = (value: string, argv: string[] = [], env = {}) =>
      mop(['config', 'set', 'api_key', value, ...argv], { env: { ...config.env, ...env } });
    await set('1');
    await set('2', [], { MOP_PROFILE: 'by-variable' });
    await set('3', ['-p', 'by.flag_3'], { MOP_PROFILE: 'by-variable' });
    await set('4', ['-p', 'constructor']);
    expect(JSON.parse(await config.text()).profiles).toEqual({
      shop: { api_key: '1' },
      'by-variable': { api_key: '2' },
      'by.flag_3': { api_key: '3' },
      constructor: { api_key: '4' },
    });
  });

  it.each(['', '__proto__', '-x', '.hidden', 'a/b', '../up', 'a b', 'é', 'x'.repeat(65)])(
    'rejects the profile name %j',
    async (name) => {
      const config = await configuration();
      const argv = ['config', 'set', 'api_key', 'k', `--profile=${name}`];
      const result = await mop(argv, { env: config.env });
      expectFailure(result, 2, `${JSON.stringify(name)} is not a valid profile name`);
      await expect(config.text()).rejects.toThrow('ENOENT');
    },
  );

  it.each(['bill_dir', 'api_secret_file'])('stores an absolute path for %s', async (key) => {
    const config = await configuration();
    await mop(['config', 'set', key, 'some/where'], { env: config.env });
    expect(await config.profile()).toEqual({ [key]: resolve('some/where') });
  });

  it.each(['api_secret', 'api_secret_file', 'api_secret_command'])(
    'stores the secret in one setting only: %s',
    async (key) => {
      const places = { api_secret: 's', api_secret_file: '/f', api_secret_command: 'c' };
      const config = await configuration({ profiles: { default: { api_key: 'k', ...places } } });
      const argv = key === 'api_secret' ? [key] : [key, '/new'];
      await mop(['config', 'set', ...argv], { env: config.env, stdin: '/new' });
      expect(await config.profile()).toEqual({ api_key: 'k', [key]: '/new' });
    },
  );

  it.each([
    { key: 'base_url', value: 'https://h.example', env: 'MOP_BASE_URL' },
    { key: 'test_base_url', value: 'https://h.example', env: undefined },
    { key: 'environment', value: 'test', env: 'MOP_ENV' },
    { key: 'api_secret_file', value: '/file', env: 'MOP_API_SECRET' },
    { key: 'api_secret_command', value: 'pass', env: 'MOP_API_SECRET' },
    { key: 'bill_name', value: '{date}.csv', env: undefined },
  ])('warns when a variable overrides $key', async ({ key, value, env: variable }) => {
    const config = await configuration();
    const set = (env: Record<string, string>) =>
      mop(['config', 'set', key, value], { env: { ...config.env, ...env } });
    expect((await set({})).stderr).not.toContain('warning');
    const overridden = await set({
      MOP_BASE_URL: 'https://env.example',
      MOP_ENV: 'production',
      MOP_API_SECRET: 'of-env',
    });
    expect(overridden.stderr.match(/warning: .*/g)).toEqual(
      variable ? [`warning: ${variable} is set and overrides the stored ${key}`] : null,
    );
  });

  it('stores a setting although its variable is invalid', async () => {
    const config = await configuration();
    const env = { ...config.env, MOP_ENV: 'moon' };
    const { code, stderr } = await mop(['config', 'set', 'environment', 'test'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('MOP_ENV is') });
    expect(await config.profile()).toEqual({ environment: 'test' });
  });

  it('warns when a secret replaces another setting of the secret', async () => {
    const config = await configuration();
    const set = async (...words: string[]) => {
      const world = { env: config.env, stdin: words[1] === undefined ? 'new' : '' };
      const { stderr } = await mop(['config', 'set', ...words], world);
      return stderr.match(/warning: .*/g);
    };
    expect(await set('api_secret')).toBeNull();
    expect(await set('api_secret')).toBeNull();
    expect(await set('api_secret_file', '/file')).toEqual([
      'warning: api_secret_file replaces the stored api_secret of profile default',
    ]);
    expect(await set('api_secret_file', '/other')).toBeNull();
    expect(await set('api_key', 'k')).toBeNull();
  });

  it.each([
    ['base_url', 'h.example'],
    ['base_url', 'https://h.example/x?x=1'],
    ['base_url', 'http://h.example'],
    ['detect_url', 'h.example/api/detect'],
    ['base_url', 'user:canary@h.example/open/v1'],
  ])('%s %s is refused, and nothing is stored', async (key, value) => {
    const config = await configuration();
    const result = await mop(['config', 'set', key, value], { env: config.env });
    expectFailure(result, 2, `${key} cannot be "`, 'mop help settings');
    await expect(config.text()).rejects.toThrow('ENOENT');
  });

  it('needs a value', async () => {
    const config = await configuration();
    const result = await mop(['config', 'set', 'api_key'], { env: config.env, stdin: 'k\n' });
    expectFailure(result, 2, 'config set api_key needs a value', 'mop config set SETTING VALUE');
    await expect(config.text()).rejects.toThrow('ENOENT');
  });

  it('fails when the directory cannot be created', async () => {
    const env = { MOP_CONFIG_DIR: join(await file('in the way'), 'config') };
    const result = await mop(['config', 'set', 'api_key', 'k'], { env });
    expectFailure(result, 13, `cannot write ${env.MOP_CONFIG_DIR}`, 'MOP_CONFIG_DIR');
  });
});

describe.each(['set', 'get', 'unset'])('config %s', (command) => {
  it.each(['color', 'API_KEY', 'api-key', '', '__proto__', 'constructor', 'toString'])(
    'rejects the key %j',
    async (key) => {
      const config = await configuration({ profiles: { default: { api_key: 'k' } } });
      const before = await config.text();
      const argv = ['config', command, key, ...(command === 'set' ? ['x'] : [])];
      const result = await mop(argv, { env: config.env });
      expectFailure(result, 2, `there is no setting ${JSON.stringify(key)}`);
      expect(result.stderr).toMatch(/hint: (?:.*mop help settings|did you mean api_key\?$)/m);
      expect(await config.text()).toBe(before);
    },
  );
});

describe('config set api_secret', () => {
  const set = async (
    stdin: NonNullable<CliWorld['stdin']>,
    argv: readonly string[] = [],
    stderrIsTerminal = false,
  ) => {
    const config = await configuration();
    const world = { env: config.env, stdin, stderrIsTerminal };
    const result = await mop(['config', 'set', 'api_secret', ...argv], world);
    const stored = result.code === 0 ? (await config.profile())?.api_secret : undefined;
    return { result, stored, config };
  };

  it.each([
    { stdin: SECRET, stored: SECRET, warned: false },
    { stdin: `${SECRET}\n`, stored: SECRET, warned: false },
    { stdin: `${SECRET}\r\n`, stored: SECRET, warned: false },
    { stdin: `${SECRET}\n\n`, stored: `${SECRET}\n`, warned: true },
    { stdin: ` ${SECRET}\t\n`, stored: ` ${SECRET}\t`, warned: true },
    { stdin: '密钥🔑', stored: '密钥🔑', warned: false },
  ])('reads $stdin from a pipe', async ({ stdin, stored, warned }) => {
    const { result, ...rest } = await set(stdin);
    expect(rest.stored).toBe(stored);
    expect(result.stdout).toBe('');
    const done = 'api_secret is set in profile default\n';
    const warning =
      'mop: warning: the secret begins or ends with white space, which is not removed\n';
    expect(result.stderr).toBe(warned ? warning + done : done);
  });

  it('changes nothing when standard input is empty or ends without an answer', async () => {
    const closed = () => Readable.from([]);
    const rows = [
      [['api_secret'], closed, 3],
      [['api_secret'], () => '', 3],
      [['api_secret'], () => '\r\n', 3],
      [['api_secret'], () => terminal(), 130],
      [['api_secret'], () => terminal(''), 3],
      [['api_key'], closed, 2],
      [['api_key', ''], closed, 2],
    ] as const;
    await checkRows(rows, async ([words, stdin, code]) => {
      const profiles = { default: { api_key: 'k', api_secret: 'stored' } };
      const config = await configuration({ profiles });
      const before = await config.text();
      const world = { env: config.env, stdin: stdin() };
      const result = await mop(['config', 'set', ...words], world);
      expect([result.code, result.stdout]).toEqual([code, '']);
      expect(result.stderr).toMatch(/^mop: .*\nhint: /m);
      expect(await config.text()).toBe(before);
    });
  });

  it.each(['', '\n'])('rejects %j from a pipe', async (stdin) => {
    const { result, config } = await set(stdin);
    expectFailure(result, 3, 'the api secret is empty', 'mop config set api_secret');
    await expect(config.text()).rejects.toThrow('ENOENT');
  });

  it.each([false, true])(
    'prompts on a terminal without echo (stderr is a terminal: %s)',
    async (both) => {
      const stdin = terminal(SECRET);
      const { result, stored } = await set(stdin, [], both);
      expect(stored).toBe(SECRET);
      expect(result.stdout).toBe('');
      expect(result.stderr).not.toContain(SECRET.slice(0, 3));
      // The typed line end is not echoed either, so a line end is printed.
      expect(result.stderr).toMatch(
        /api secret \(hidden\): .*\nreceived 32 characters\napi_secret is set in profile default\n$/,
      );
      // In raw mode, a terminal does not echo typed characters.
      expect(stdin.modes).toEqual([true, false]);
    },
  );

  it('keeps typed white space, and warns', async () => {
    const { result, stored } = await set(terminal('  two words '));
    expect(stored).toBe('  two words ');
    expect(result.stderr).toContain('begins or ends with white space');
  });

  it('stores nothing after an empty answer or the end of the input', async () => {
    const empty = await set(terminal(''));
    expect(empty.result.code).toBe(3);
    expect(empty.result.stderr).toContain('\nmop: the api secret is empty');
    const ended = await set(terminal());
    expect(ended.result.code).toBe(130);
    expect(ended.result.stderr).toMatch(/\nmop: interrupted\nhint: nothing was changed\n$/);
    const cancelled = await set(terminal('typed\u0003'));
    expect(cancelled.result.code).toBe(130);
    for (const { config } of [empty, ended, cancelled]) {
      await expect(config.text()).rejects.toThrow('ENOENT');
    }
  });

  it.each([
    { argv: ['hunter2'] },
    { argv: ['-Xhunter2'] },
    { argv: ['--', '--hunter2'] },
    { argv: ['hunter2', 'more'] },
    { argv: ['hunter2', '--json'] },
    { argv: ['hunter2', '--debug'] },
    { argv: [''] },
  ])('rejects $argv on the command line and does not print it', async ({ argv }) => {
    const { result, config } = await set('from-a-pipe', argv);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).not.toContain('hunter2');
    await expect(config.text()).rejects.toThrow('ENOENT');
  });

  it('prints how to pass the secret', async () => {
    const { result } = await set('', ['hunter2']);
    expectFailure(result, 2, 'a secret cannot be given on the command line', '< FILE');
  });
});

describe('config get', () => {
  const profiles = { default: { api_key: 'k', api_secret: SECRET }, shop: {} };

  it('prints only the value, and with --json also its source', async () => {
    const { env } = await configuration({ profiles });
    const get = (...argv: string[]) => mop(['config', 'get', ...argv], { env });
    expect(await get('api_key')).toMatchObject({ code: 0, stdout: 'k\n', stderr: '' });
    expect(await get('timezone')).toMatchObject({ code: 0, stdout: 'Asia/Shanghai\n' });
    expect(JSON.parse((await get('api_key', '--json')).stdout)).toEqual({
      key: 'api_key',
      value: 'k',
      source: 'profile',
    });
    expect(JSON.parse((await get('api_secret', '--json')).stdout)).toEqual({
      key: 'api_secret',
      value: '********',
      source: 'profile',
    });
    expect((await get('api_secret')).stdout).toBe('********\n');
  });

  it('fails for a setting without a value, with the command that sets it', async () => {
    const { env } = await configuration({ profiles });
    const get = (...argv: string[]) => mop(['config', 'get', ...argv], { env });
    expectFailure(await get('base_url'), 3, 'base_url is not set', 'set base_url VALUE');
    const secret = await get('api_secret', '-p', 'shop');
    expectFailure(secret, 3, 'api_secret is not set', '(without VALUE for a secret)');
    const key = await get('api_key', '-p', 'shop');
    expectFailure(key, 3, 'api_key is not set', 'run: mop config set api_key VALUE -p shop');
  });
});

describe('config unset', () => {
  it('removes one value of one profile', async () => {
    const profiles = { default: { api_key: 'k', timezone: 'UTC' }, shop: { api_key: 's' } };
    const config = await configuration({ profiles });
    const unset = (...argv: string[]) => mop(['config', 'unset', ...argv], { env: config.env });
    expect(await unset('api_key')).toMatchObject({ code: 0, stdout: '' });
    expect(await config.profile()).toEqual({ timezone: 'UTC' });
    expect(await config.profile('shop')).toEqual({ api_key: 's' });
    expect(await unset('api_key')).toMatchObject({ code: 0 });
    expect(await unset('api_key', '-p', 'shop')).toMatchObject({ code: 0 });
    expect(await config.profile('shop')).toEqual({});
  });

  it('creates no profile', async () => {
    const config = await configuration({ profiles: { default: {} } });
    const before = await config.text();
    const result = await mop(['config', 'unset', 'api_key', '-p', 'typo'], { env: config.env });
    expectFailure(result, 3, 'there is no profile "typo"', 'mop config profiles');
    expect(await config.text()).toBe(before);
  });
});

describe('config list', () => {
  it('prints every setting with its source', async () => {
    const { env } = await configuration({
      profiles: { shop: { api_key: 'k', api_secret: 's3c' } },
    });
    const world = { env: { ...env, MOP_TIMEZONE: 'UTC' } };
    const argv = ['config', 'list', '-p', 'shop', '--env', 'test'];
    const { stdout, stderr } = await mop(argv, world);
    expect(stderr).toBe('profile shop\n');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows.map(([key]) => key)).toEqual(['KEY', ...Object.keys(SETTINGS)]);
    expect(rows).toContainEqual(['environment', 'test', 'flag']);
    expect(rows).toContainEqual(['api_key', 'k', 'profile']);
    expect(rows).toContainEqual(['api_secret', '********', 'profile']);
    expect(rows).toContainEqual(['base_url', '-', 'default']);
    expect(rows).toContainEqual(['timezone', 'UTC', 'env']);

    const document = JSON.parse((await mop([...argv, '--json'], world)).stdout);
    expect(Object.keys(document)).toEqual(['profile', 'values']);
    expect(document.profile).toBe('shop');
    expect(document.values.map(({ key }: { key: string }) => key)).toEqual(Object.keys(SETTINGS));
    expect(document.values[0]).toEqual({ key: 'environment', value: 'test', source: 'flag' });
    expect(document.values[2]).toEqual({ key: 'api_secret', value: '********', source: 'profile' });
  });
});

describe('config path', () => {
  it('prints the path of the file, also of a missing file', async () => {
    const { env, path } = await configuration();
    expect(await mop(['config', 'path'], { env })).toMatchObject({
      code: 0,
      stdout: `${path}\n`,
      stderr: '',
    });
    const { stdout } = await mop(['config', 'path', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ path });
  });

  it('prints the default path of the operating system without MOP_CONFIG_DIR', async () => {
    const { stdout } = await mop(['config', 'path'], { env: { MOP_CONFIG_DIR: '' } });
    expect(isAbsolute(stdout)).toBe(true);
    expect(stdout).toMatch(/[\\/]mop[\\/].*config\.json\n$/i);
    expect(basename(stdout)).toBe('config.json\n');
  });

  it.skipIf(process.platform === 'win32')(
    'ignores a relative XDG_CONFIG_HOME and an empty HOME, with a warning',
    async () => {
      const HOME = await temporaryDirectory();
      for (const [env, ignored] of [
        [{ HOME, XDG_CONFIG_HOME: HOME }, ''],
        [{ HOME, XDG_CONFIG_HOME: '' }, ''],
        [{ HOME: '', XDG_CONFIG_HOME: HOME }, ''],
        [{ HOME: '', XDG_CONFIG_HOME: '' }, 'HOME=""'],
        [{ HOME: 'here', XDG_CONFIG_HOME: '' }, 'HOME="here"'],
        [{ HOME, XDG_CONFIG_HOME: 'here' }, 'XDG_CONFIG_HOME="here"'],
        [{ HOME, XDG_CONFIG_HOME: '../..' }, 'XDG_CONFIG_HOME="../.."'],
      ] as const) {
        // On macOS, XDG_CONFIG_HOME has no effect.
        if (process.platform === 'darwin' && env.XDG_CONFIG_HOME !== '') continue;
        const { stdout, stderr } = await mop(['config', 'path'], {
          env: { ...env, MOP_CONFIG_DIR: '' },
        });
        expect(isAbsolute(stdout)).toBe(true);
        if (env.HOME === HOME) expect(stdout).toContain(HOME);
        expect(stdout).not.toContain(process.cwd());
        const warning = `mop: warning: ${ignored} is not an absolute path and is ignored: ${dirname(stdout)} is used\n`;
        expect(stderr).toBe(ignored && warning);
      }
    },
  );

  it.runIf(process.platform === 'linux')(
    'is never in the current directory, and each new directory is private',
    async () => {
      const HOME = await temporaryDirectory();
      const env = { HOME, XDG_CONFIG_HOME: 'below', MOP_CONFIG_DIR: '' };
      const { code, stderr } = await mop(['config', 'set', 'api_secret'], { env, stdin: SECRET });
      expect(code).toBe(0);
      expect(stderr.match(/warning: .*/g)).toEqual([
        expect.stringContaining('XDG_CONFIG_HOME="below"'),
      ]);
      expect(await readdir('.')).not.toContain('below');
      expect(await readdir(join(HOME, '.config/mop'))).toEqual(['config.json']);
      for (const path of ['.config', '.config/mop']) {
        expect(await modeOf(join(HOME, path))).toBe('700');
      }
    },
  );

  it.runIf(process.platform === 'linux')('and the cache is not either', () => {
    const HOME = '/home/of-a-user';
    expect(cacheDirectory({ env: { HOME, XDG_CACHE_HOME: '/cache' } })).toBe('/cache/mop');
    expect(cacheDirectory({ env: { HOME, XDG_CACHE_HOME: 'here' } })).toBe(`${HOME}/.cache/mop`);
    expect(isAbsolute(cacheDirectory({ env: { HOME: '' } }))).toBe(true);
  });
});

describe('profiles', () => {
  const profiles = { default: {}, shop: { environment: 'test' }, constructor: { api_key: 'c' } };
  const rows = (current: string) => [
    { name: 'default', environment: 'production', current: current === 'default' },
    { name: 'shop', environment: 'test', current: current === 'shop' },
    { name: 'constructor', environment: 'production', current: current === 'constructor' },
  ];

  it('are listed', async () => {
    const { env } = await configuration({ profiles });
    expect(await mop(['config', 'profiles'], { env })).toMatchObject({
      code: 0,
      stdout:
        '   PROFILE      ENVIRONMENT\n' +
        '*  default      production\n' +
        '   shop         test\n' +
        '   constructor  production\n',
      stderr: '',
    });
    const { stdout } = await mop(['config', 'profiles', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ profiles: rows('default') });
  });

  it('are listed as empty when no profile exists', async () => {
    const { env } = await configuration();
    const { code, stderr } = await mop(['config', 'profiles'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('config init') });
    const { stdout } = await mop(['config', 'profiles', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ profiles: [] });
  });

  it.each(['shop', 'constructor', 'default'])('%s can be selected', async (name) => {
    const config = await configuration({ current: 'shop', profiles });
    const { env } = config;
    expect(await mop(['config', 'use', name], { env })).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(await config.text())).toEqual({ current: name, profiles });
    const { stdout } = await mop(['config', 'profiles', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ profiles: rows(name) });
  });

  it.each(['shop', 'constructor'])('%s can be deleted with its values', async (name) => {
    const { [name as 'shop']: _, ...rest } = profiles;
    const config = await configuration({ current: 'shop', profiles });
    const argv = ['config', 'delete-profile', name];
    const result = await mop(argv, { env: config.env, stdin: '' });
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: `profile ${name} is deleted\n` });
    // The current profile becomes default again.
    const current = name === 'shop' ? {} : { current: 'shop' };
    expect(JSON.parse(await config.text())).toEqual({ ...current, profiles: rest });
  });

  it('are deleted on a terminal only after a yes', async () => {
    for (const [answer, isDeleted] of [
      ['y', true],
      ['Yes', true],
      ['n', false],
      ['', false],
      [undefined, false],
    ] as const) {
      const config = await configuration({ current: 'shop', profiles });
      const before = await config.text();
      const stdin = terminal(...(answer === undefined ? [] : [answer]));
      const argv = ['config', 'delete-profile', 'shop'];
      const { code, stderr } = await mop(argv, { env: config.env, stdin });
      expect(stderr).toContain('Delete profile shop? [y/N]:');
      expect([answer, code]).toEqual([answer, isDeleted ? 0 : 130]);
      expect((await config.text()) === before).toBe(!isDeleted);
      if (!isDeleted) expect(stderr).toContain('\nhint: nothing was changed');
    }
  });

  it.each([
    ['copy-profile', ['default', 'shop', 'constructor', 'new'], 'shop'],
    ['rename-profile', ['default', 'new', 'constructor'], 'new'],
  ])('can be copied or renamed: %s', async (command, names, current) => {
    const config = await configuration({ current: 'shop', profiles });
    const env = { ...config.env, MOP_PROFILE: 'shop' };
    const result = await mop(['config', command, 'shop', 'new'], { env });
    expect(result).toMatchObject({ code: 0, stdout: '' });
    const stored = JSON.parse(await config.text());
    expect(Object.keys(stored.profiles)).toEqual(expect.arrayContaining(names));
    expect(stored).toMatchObject({ current, profiles: { new: profiles.shop } });
    expect(Object.keys(stored.profiles)).toHaveLength(names.length);
    const warnings = result.stderr.match(/warning: .*/g) ?? [];
    if (command === 'copy-profile') expect(warnings).toEqual([]);
    else
      expect(warnings).toEqual([
        expect.stringContaining('bills and account links are still recorded under shop'),
        'warning: MOP_PROFILE still names shop',
      ]);
  });

  it('keep the current default when it is renamed', async () => {
    const config = await configuration({ profiles });
    await mop(['config', 'rename-profile', 'default', 'main'], { env: config.env });
    expect(JSON.parse(await config.text()).current).toBe('main');
  });

  it.each(['copy-profile', 'rename-profile'])('%s requires an unused name', async (command) => {
    const config = await configuration({ profiles });
    const before = await config.text();
    const run = (...names: string[]) => mop(['config', command, ...names], { env: config.env });
    for (const name of ['default', 'shop', 'constructor']) {
      const taken = await run('shop', name);
      expectFailure(taken, 2, `there is already a profile ${name}`, 'choose another name');
    }
    expectFailure(await run('shop', 'a/b'), 2, '"a/b" is not a valid profile name');
    expectFailure(
      await run('nobody', 'new'),
      3,
      'there is no profile "nobody"',
      'mop config profiles',
    );
    expect(await config.text()).toBe(before);
    const empty = await configuration();
    const absent = await mop(['config', command, 'default', 'new'], { env: empty.env });
    expectFailure(absent, 3, 'there is no profile "default"', 'mop config profiles');
  });

  it('are overridden by MOP_PROFILE, and config use warns about it', async () => {
    const config = await configuration({ profiles });
    const use = (name: string) =>
      mop(['config', 'use', name], { env: { ...config.env, MOP_PROFILE: 'shop' } });
    expect((await use('default')).stderr).toContain('MOP_PROFILE is set: it selects profile');
    expect((await use('shop')).stderr).not.toContain('warning');
  });

  it.each(['use', 'delete-profile'])('must exist for %s', async (command) => {
    const config = await configuration({ current: 'shop', profiles });
    const before = await config.text();
    for (const name of ['nobody', '', '__proto__', 'toString']) {
      const result = await mop(['config', command, name], { env: config.env });
      expectFailure(result, 3, `there is no profile "${name}"`, 'profiles');
    }
    expect(await config.text()).toBe(before);
  });
});

describe('a damaged file', () => {
  const COMMANDS = [
    ['sign', '{}'],
    ['config', 'list'],
    ['config', 'get', 'timezone'],
    ['config', 'profiles'],
    ['config', 'set', 'timezone', 'UTC'],
    ['config', 'set', 'api_secret'],
    ['config', 'unset', 'timezone'],
    ['config', 'use', 'default'],
    ['config', 'delete-profile', 'default'],
    ['config', 'copy-profile', 'default', 'new'],
    ['config', 'rename-profile', 'default', 'new'],
  ];

  it.each([
    { text: '', why: 'it is not JSON' },
    { text: '{"profiles":{"default":{"api_secret":hunter2}}}', why: 'it is not JSON' },
    { text: '{"profiles":{"default":{"api_secret":"hunter2"}', why: 'it is not JSON' },
    { text: 'null', why: 'it is not an object' },
    { text: '[]', why: 'it is not an object' },
    { text: '{"profiles":[]}', why: 'profiles is not an object' },
    { text: '{"profiles":null}', why: 'profiles is not an object' },
    { text: '{"current":1,"profiles":{}}', why: 'current is not text' },
    { text: '{"profiles":{"shop":"hunter2"}}', why: 'profile shop is not an object' },
    { text: '{"profiles":{"shop":{"api_secret":["hunter2"]}}}', why: 'api_secret of profile shop' },
    { text: '{"profiles":{"__proto__":{"api_key":1}}}', why: 'api_key of profile __proto__' },
  ])('$text is reported and left unchanged', async ({ text, why }) => {
    const config = await configuration(text);
    for (const argv of COMMANDS) {
      const result = await mop(argv, { env: config.env, stdin: SECRET });
      const message = `the configuration file ${config.path} is damaged: ${why}`;
      expectFailure(result, 3, message, 'fix it in an editor');
      expect(result.stderr).not.toContain('hunter2');
      expect(await config.text()).toBe(text);
    }
    const debug = await mop(['config', 'list', '--debug'], { env: config.env });
    expect(debug.code).toBe(3);
    expect(debug.stderr).not.toContain('hunter2');
    expect(await readdir(config.directory)).toEqual(['config.json']);
  });

  it('does not affect commands without a configuration', async () => {
    const { env } = await configuration('{');
    expect((await mop(['--version'], { env })).code).toBe(0);
    expect((await mop(['config', 'path'], { env })).code).toBe(0);
    expect((await mop(['sign', '--help'], { env })).code).toBe(0);
  });

  it('is reported with --json', async () => {
    const { env } = await configuration('{');
    const result = await mop(['config', 'list', '--json'], { env });
    expect(errorOf(result)).toMatchObject({ code: 'config', exit_code: 3, retryable: false });
  });
});

describe('a file with a byte order mark', () => {
  it('is read, and rewritten without it', async () => {
    const config = await configuration(
      `\uFEFF${JSON.stringify({ profiles: { default: { api_key: 'k' } } })}`,
    );
    const { env } = config;
    expect((await mop(['config', 'get', 'api_key'], { env })).stdout).toBe('k\n');
    const set = await mop(['config', 'set', 'timezone', 'UTC'], { env });
    expect([set.code, set.stderr]).toEqual([0, 'timezone is set in profile default\n']);
    expect(await config.text()).toMatch(/^\{/);
    expect(await config.profile()).toEqual({ api_key: 'k', timezone: 'UTC' });
  });
});

describe('a file that cannot be read', () => {
  it('is not treated as missing', async () => {
    const looping = await configuration();
    await mkdir(looping.directory);
    await symlink(looping.path, looping.path);
    const directory = await configuration();
    await mkdir(directory.path, { recursive: true });
    for (const [config, reason] of [
      [looping, 'it is a symbolic link'],
      [directory, 'it is a directory'],
    ] as const) {
      for (const argv of [['list'], ['set', 'api_key', 'k']]) {
        const result = await mop(['config', ...argv], { env: config.env });
        expectFailure(result, 3, `cannot read ${config.path}: ${reason}`, 'MOP_CONFIG_DIR');
      }
    }
  });
});

describe('a file with a secret', () => {
  const profiles = { default: { api_key: 'k' }, shop: { api_secret: SECRET } };

  it.each([0o604, 0o644, 0o602])(
    'is rejected when other users can access it, as with mode %o',
    async (mode) => {
      const config = await configuration({ profiles }, mode);
      const { env, path } = config;
      const before = await config.text();
      for (const argv of [
        ['config', 'list'],
        ['config', 'set', 'timezone', 'UTC'],
        ['sign', '{}'],
      ]) {
        const result = await mop(argv, { env: { ...CREDENTIALS, ...env } });
        expectFailure(result, 3, `other users can read the secret in ${path}`, `chmod 600 ${path}`);
      }
      expect(await config.text()).toBe(before);
    },
  );

  it('or without a secret is rejected when other users can change it', async () => {
    const { env, path } = await configuration({ profiles: { default: { api_key: 'k' } } }, 0o602);
    const result = await mop(['config', 'get', 'api_key'], { env });
    expectFailure(result, 3, `other users can change ${path}`, `chmod 600 ${path}`);
  });

  it('is used with a warning when the group can access it', async () => {
    const { env, path } = await configuration({ profiles }, 0o640);
    const { code, stdout, stderr } = await mop(['config', 'get', 'api_key'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'k\n' });
    expect(stderr).toMatch(/^mop: warning: the group can read the secret in .*\n$/);
    expect(stderr).toContain(path);
  });

  it('may be readable by others if it contains no secret', async () => {
    const open = { default: { api_key: 'k', api_secret_file: '/run/secret' } };
    const { env } = await configuration({ profiles: open }, 0o644);
    const result = await mop(['config', 'get', 'api_key'], { env });
    expect(result).toMatchObject({ code: 0, stdout: 'k\n', stderr: '' });
  });
});

describe.skipIf(process.platform === 'win32')('owner and mode of the configuration', () => {
  const profiles = { default: { api_key: 'k', api_secret: SECRET } };
  const COMMANDS = [
    ['config', 'list'],
    ['config', 'set', 'timezone', 'UTC'],
    ['sign', '{}'],
  ];

  it.each(['path', 'directory'] as const)('rejects a %s of another user', async (place) => {
    const config = await configuration({ profiles });
    await disown(config[place]);
    for (const argv of COMMANDS) {
      const result = await mop(argv, { env: config.env });
      expectFailure(result, 3, 'belongs to another user (uid ', 'set MOP_CONFIG_DIR');
      expect(result.stderr).toContain(config.directory);
      expect(result.stderr).not.toContain(SECRET);
    }
    expect(await config.profile()).toEqual(profiles.default);
  });

  it.each([0o707, 0o777, 0o702])('rejects a directory of mode %o', async (mode) => {
    const config = await configuration({ profiles });
    const { env, directory } = config;
    await chmod(directory, mode);
    for (const argv of COMMANDS) {
      const result = await mop(argv, { env });
      expectFailure(result, 3, `other users can change ${directory}`, `chmod 700 ${directory}`);
    }
    expect(await config.profile()).toEqual(profiles.default);
    // These commands do not read the file.
    for (const argv of [['--version'], ['sign', '--help'], ['config', 'path']]) {
      expect(await mop(argv, { env })).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('accepts the sticky bit, as that of /tmp, and any directory of read-only mode', async () => {
    const { env, directory } = await configuration({ profiles });
    for (const mode of [0o1777, 0o755, 0o1770]) {
      await chmod(directory, mode);
      const result = await mop(['config', 'get', 'api_key'], { env });
      expect(result).toMatchObject({ code: 0, stdout: 'k\n', stderr: '' });
    }
  });

  it('follows a symbolic link to a file, and not its mode', async () => {
    const { env, directory, path } = await configuration();
    await mkdir(directory);
    const target = await file(JSON.stringify({ profiles }));
    await symlink(target, path);
    expect(await mop(['config', 'get', 'api_key'], { env })).toMatchObject({ code: 0, stderr: '' });
    await chmod(target, 0o602);
    expect((await mop(['config', 'get', 'api_key'], { env })).code).toBe(3);
  });

  it('warns once when the group can change the file or the directory', async () => {
    const { env, directory, path } = await configuration({ profiles: { default: {} } }, 0o660);
    await chmod(directory, 0o770);
    const { code, stderr } = await mop(['config', 'set', 'timezone', 'UTC'], { env });
    expect(code).toBe(0);
    expect(stderr.match(/warning: .*/g)?.sort()).toEqual([
      `warning: the group can change ${path}: run chmod g-w ${path}`,
      `warning: the group can change ${directory}: run chmod g-w ${directory}`,
    ]);
  });

  it('matters for a missing file only when it is written', async () => {
    const { env, directory } = await configuration();
    await mkdir(directory);
    await chmod(directory, 0o777);
    const signed = await mop(['sign', '{}'], { env: { ...env, ...CREDENTIALS } });
    expect(signed).toMatchObject({ code: 0, stderr: '' });
    const result = await mop(['config', 'set', 'timezone', 'UTC'], { env });
    expectFailure(result, 3, `other users can change ${directory}`, `chmod 700 ${directory}`);
    const init = await mop(['config', 'init'], { env, stdin: terminal('sandbox') });
    expectFailure(init, 3, `other users can change ${directory}`);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('two consecutive commands', () => {
  it('read the changes of each other', async () => {
    const { env, path } = await configuration();
    const run = (...argv: string[]) => mop(argv, { env });
    await run('config', 'set', 'api_key', 'k');
    await mop(['config', 'set', 'api_secret'], { env, stdin: `${SECRET}\n` });
    expect((await run('sign', '{}', '--as', 'sign')).stdout).toMatch(/^[0-9A-F]{32}\n$/);
    await run('config', 'unset', 'api_secret');
    expectFailure(await run('sign', '{}'), 3, 'no api secret');
    await writeFile(path, '{"profiles":{}}');
    expectFailure(await run('sign', '{}'), 3, 'no api_key');
  });
});

describe('concurrent changes', () => {
  it('are all stored', async () => {
    const env = { MOP_CONFIG_DIR: await temporaryDirectory() };
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const results = await Promise.all(
      names.map((name) => mop(['config', 'set', 'timezone', 'UTC', '-p', name], { env })),
    );
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { stdout } = await mop(['config', 'profiles', '--json'], { env });
    const { profiles } = JSON.parse(stdout);
    expect(profiles.map(({ name }: { name: string }) => name).sort()).toEqual(names.sort());
    expect(await readdir(env.MOP_CONFIG_DIR)).toEqual(['config.json']);
  });
});

describe('a command that changes the configuration', () => {
  it.each([
    [['set', 'timezone', 'UTC']],
    [['unset', 'api_key']],
    [['use', 'staging']],
    [['delete-profile', 'staging']],
    [['copy-profile', 'staging', 'new']],
    [['rename-profile', 'staging', 'new']],
  ])('rejects --dry-run: config %j', async (words) => {
    const config = await configuration({ profiles: { default: { api_key: 'k' }, staging: {} } });
    const before = await config.text();
    const result = await mop(['config', ...words, '--dry-run'], { env: config.env });
    expectFailure(result, 2, '--dry-run', 'nothing was changed');
    expect(await config.text()).toBe(before);
  });

  it.skipIf(process.platform !== 'linux')('fails if no directory can be created', async () => {
    const env = { MOP_CONFIG_DIR: '/proc/mop' };
    expect((await mop(['config', 'set', 'timezone', 'UTC'], { env })).code).toBe(13);
  });
});
