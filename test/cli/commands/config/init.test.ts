import { getEventListeners } from 'node:events';
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { closedPort } from '../../../http/support.ts';
import { mop } from '../../../support/cli.ts';
import { JOINED_SECRET, sandbox } from '../../../support/platform.ts';
import { serve } from '../../../support/server.ts';
import { configuration, expectFailure, file, SECRET, terminal } from '../../support.ts';

const PLATFORM_SECRET = 'sandbox-secret';

/** Runs `config init` with these answers for a profile with the values `stored`. */
async function init(
  answers: readonly string[],
  stored: Record<string, string> = {},
  argv: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const config = await configuration({ profiles: { default: { timezone: 'UTC', ...stored } } });
  const before = await config.text();
  const stdin = terminal(...answers);
  const result = await mop(['config', 'init', ...argv], { env: { ...config.env, ...env }, stdin });
  expect(result.stdout).toBe('');
  return { result, config, before, stdin };
}

/** The address of a platform on loopback. */
async function platform(faults: readonly string[] = []) {
  const { env, log } = await sandbox(faults);
  return { url: env.MOP_BASE_URL ?? '', log };
}

describe('config init', () => {
  it('asks for the settings of production, tests them, and stores them', async () => {
    const { url, log } = await platform();
    const answers = ['', url, '', 'sandbox', PLATFORM_SECRET];
    const { result, config, stdin } = await init(answers);
    expect(result.code).toBe(0);
    const { stderr } = result;
    expect(stderr).toMatch(/^Profile default\./);
    expect(stderr).toContain('production, test or sandbox (production):');
    expect(stderr).toContain(
      `address for header signatures, without /api/open (type - for none) (${url}):`,
    );
    expect(stderr).toContain('\nreceived 14 characters\ntesting the settings\n');
    expect(stderr).toContain(`\nprofile default is stored in ${config.path}\n`);
    expect(stderr).toMatch(/^credentials +ok +the platform accepted key and signature$/m);
    expect(stderr).toMatch(/\nIt works\. .*: mop bill fetch -p default\n$/);
    expect(stderr).not.toContain(PLATFORM_SECRET);
    // Only the secret is typed in raw mode, without echo.
    expect(stdin.modes).toEqual([true, false]);
    expect(log).toEqual(['GET /open/v1/ 2000', 'POST /open/v1/trade/bill 0']);
    expect(await config.profile()).toEqual({
      timezone: 'UTC',
      environment: 'production',
      base_url: url,
      open_base_url: url,
      api_key: 'sandbox',
      api_secret: PLATFORM_SECRET,
    });
    expect((await stat(config.path)).mode & 0o777).toBe(0o600);
  });

  it('asks for the addresses of the test environment, in a new profile', async () => {
    const [body, header] = [await platform(), await platform()];
    const answers = [' test ', body.url, header.url, 'sandbox', PLATFORM_SECRET];
    const { result, config } = await init(answers, {}, ['-p', 'staging']);
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/yesterday's bill: mop bill fetch -p staging\n$/);
    expect(await config.profile('staging')).toEqual({
      environment: 'test',
      test_base_url: body.url,
      open_test_base_url: header.url,
      api_key: 'sandbox',
      api_secret: PLATFORM_SECRET,
    });
    expect(await config.profile()).toEqual({ timezone: 'UTC' });
    expect(header.log).toEqual(['GET /api/open/ 2000']);
  });

  it('suggests the stored values, and never prints the secret', async () => {
    const { url } = await platform();
    const stored = {
      environment: 'test',
      test_base_url: url,
      open_test_base_url: `${url}/other`,
      api_key: 'sandbox',
      api_secret: PLATFORM_SECRET,
    };
    const { result, config } = await init(['', '', '', '', ''], stored);
    for (const question of [
      'environment: production, test or sandbox (test):',
      `without /open/v1 (type - if it has only /api/open) (${url}):`,
      `address for header signatures, without /api/open (type - for none) (${url}/other):`,
      'api_key (sandbox):',
      'api secret (hidden; Enter keeps the current one):',
    ]) {
      expect(result.stderr).toContain(question);
    }
    expect(result.code).toBe(0);
    expect(result.stderr).not.toContain(PLATFORM_SECRET);
    expect(await config.profile()).toEqual({ timezone: 'UTC', ...stored });
  });

  it('suggests the first address for the second', async () => {
    const { url } = await platform();
    const old = { base_url: 'https://old.example', open_base_url: 'https://old.example' };
    const { config } = await init(['', url, '', 'sandbox', PLATFORM_SECRET], old);
    expect(await config.profile()).toMatchObject({ base_url: url, open_base_url: url });
  });

  it('keeps the stored secret setting until a secret is entered', async () => {
    const { url } = await platform();
    const stored = { api_secret_file: await file(PLATFORM_SECRET) };
    const kept = await init(['', url, '', 'sandbox', ''], stored);
    expect(kept.result.code).toBe(0);
    expect(await kept.config.profile()).toMatchObject(stored);
    const replaced = await init(['', url, '', 'sandbox', PLATFORM_SECRET], stored);
    expect(await replaced.config.profile()).not.toHaveProperty('api_secret_file');
    expect(await replaced.config.profile()).toMatchObject({ api_secret: PLATFORM_SECRET });
  });

  it('asks no further questions for the sandbox', async () => {
    const { result, config } = await init(['sandbox'], { api_secret_file: '/old' });
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/^credentials +ok/m);
    expect(await config.profile()).toEqual({
      timezone: 'UTC',
      api_secret_file: '/old',
      environment: 'sandbox',
    });
  });

  it('accepts an environment in any case', async () => {
    const { result, config } = await init(['Sandbox']);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('environment is stored as sandbox\n');
    expect(await config.profile()).toMatchObject({ environment: 'sandbox' });
  });

  it('asks again after an invalid answer', async () => {
    const { url } = await platform();
    const answers = ['moon', 'test', 'http://h.example', url, 'https://', '', '', 'sandbox', ''];
    const { result, config } = await init([...answers, PLATFORM_SECRET]);
    expect(result.code).toBe(0);
    expect(result.stderr.match(/invalid .*/g)).toEqual([
      'invalid environment: it is not one of: production, test, sandbox',
      expect.stringContaining('invalid test_base_url: plain http'),
      'invalid open_test_base_url: it is not a URL',
      'invalid api_key: it is empty',
      'invalid api_secret: it is empty',
    ]);
    expect(await config.profile()).toMatchObject({ environment: 'test', api_key: 'sandbox' });
  });

  it('keeps white space in the secret, and the test warns about it', async () => {
    const { url } = await platform();
    const answers = ['', url, '', 'sandbox', ` ${PLATFORM_SECRET} `, 's'];
    const { result, config } = await init(answers);
    expect(result.code).toBe(4);
    expect(result.stderr).toMatch(/^api-secret +warning +it has white space around it/m);
    expect(await config.profile()).toMatchObject({ api_secret: ` ${PLATFORM_SECRET} ` });
  });

  it('tests the stored values without flags and variables', async () => {
    const { url, log } = await platform();
    const answers = ['production', url, '', 'sandbox', PLATFORM_SECRET];
    const env = { MOP_API_KEY: 'other', MOP_BASE_URL: 'https://nowhere.invalid' };
    const { result } = await init(answers, {}, ['--env', 'test'], env);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('production, test or sandbox (test):');
    expect(log).toHaveLength(2);
    // Flags do not change the stored values.
    expect(result.stderr.match(/warning: .*/g)).toEqual([
      'warning: MOP_BASE_URL is set and overrides the stored base_url',
      'warning: MOP_API_KEY is set and overrides the stored api_key',
    ]);
  });

  it('stores values that fail the test, on request', async () => {
    const { url } = await platform();
    const wrong = await init(['', url, '', 'sandbox', JOINED_SECRET, 'store']);
    expect(wrong.result.code).toBe(4);
    expect(wrong.result.stderr).toMatch(/^credentials +failed +the platform answered 1002/m);
    expect(wrong.result.stderr).toMatch(
      /stored anyway.*: mop doctor -p default\nmop: credentials: .*1002.*\nhint: .*\n$/,
    );
    expect(wrong.result.stderr).not.toContain('It works');
    expect(wrong.result.stderr).not.toContain(JOINED_SECRET);
    expect(await wrong.config.profile()).toMatchObject({ api_secret: JOINED_SECRET });

    const dead = `http://127.0.0.1:${await closedPort()}`;
    const refused = await init(['test', dead, '', 'key', SECRET, 's'], {}, ['-p', 'shop']);
    expect(refused.result.code).toBe(6);
    expect(refused.result.stderr).toContain('listed IP addresses');
    expect(refused.result.stderr).toContain('mop doctor -p shop');
  });

  it('asks again for the values that may have failed the test', async () => {
    const { url, log } = await platform();
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const { result, config } = await init([
      ...['', dead, '', 'typo', JOINED_SECRET],
      // The addresses; the second one is the same as the first.
      ...['', url, ''],
      // Key and secret.
      ...['c', 'sandbox', ''],
      // Only the secret.
      ...['what', 'c', PLATFORM_SECRET],
    ]);
    expect(result.code).toBe(0);
    expect(log.filter((line) => line.startsWith('POST'))).toEqual([
      'POST /open/v1/trade/bill 1003',
      'POST /open/v1/trade/bill 1002',
      'POST /open/v1/trade/bill 0',
    ]);
    expect(result.stderr.match(/\[c\]orrect .*/g)).toEqual([
      '[c]orrect base_url and open_base_url',
      '[c]orrect api_key and api_secret',
      '[c]orrect api_secret',
    ]);
    expect(result.stderr.match(/next step \(c\):/g)).toHaveLength(4);
    expect(result.stderr.match(/answer with one of the letters in brackets\n/g)).toHaveLength(1);
    expect(result.stderr).toContain(`(type - if it has only /api/open) (${dead}):`);
    expect(result.stderr).toContain('api_key (typo):');
    expect(result.stderr).not.toContain(JOINED_SECRET);
    expect(result.stderr).not.toContain('stored all the same');
    expect(await config.profile()).toEqual({
      timezone: 'UTC',
      environment: 'production',
      base_url: url,
      open_base_url: url,
      api_key: 'sandbox',
      api_secret: PLATFORM_SECRET,
    });
  });

  it('offers to correct only the values that a failure may come from', async () => {
    const { url } = await platform();
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const page = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(404).end('<html>');
    });
    const { result } = await init(
      [
        ...['', dead, '', 'typo', JOINED_SECRET],
        ...['c', page.url, '-'],
        ...['c', url],
        ...['c', 'sandbox', ''],
        'q',
      ],
      {},
      ['-p', 'new'],
    );
    expect(result.code).toBe(4);
    expect(result.stderr.match(/(?<=fix: ).*/g)).toHaveLength(4);
    expect(result.stderr.match(/\[c\]orrect .*/g)).toEqual([
      '[c]orrect base_url and open_base_url',
      '[c]orrect base_url',
      '[c]orrect api_key and api_secret',
      '[c]orrect api_secret',
    ]);
  });

  it('asks for everything again, with the answers so far', async () => {
    const { url } = await platform();
    const first = ['', url, '', 'typo', PLATFORM_SECRET];
    const { result, config } = await init([...first, 'e', 'test', url, '', 'sandbox', '']);
    expect(result.code).toBe(0);
    expect(await config.profile()).toEqual({
      timezone: 'UTC',
      environment: 'test',
      test_base_url: url,
      open_test_base_url: url,
      api_key: 'sandbox',
      api_secret: PLATFORM_SECRET,
    });
  });

  it.each([
    [['q'], 4],
    [[], 130],
    [['c'], 130],
  ] as const)(
    'stores nothing when the user quits after a failed test with %j',
    async (answers, code) => {
      const { url } = await platform();
      const { result, config, before } = await init(
        ['', url, '', 'sandbox', JOINED_SECRET, ...answers],
        {},
        ['--quiet'],
      );
      expect(result.code).toBe(code);
      expect(result.stderr).toMatch(/^mop: credentials: .*1002/m);
      expect(result.stderr).toMatch(/hint: nothing was (?:stored; .*mop config init|changed)/);
      expect(await config.text()).toBe(before);
    },
  );

  it('corrects addresses with a note', async () => {
    const { url } = await platform();
    const { host } = new URL(url);
    const typed = [` ${host}/open/v1/trade/bill `, `${url}/api/open/`];
    const { result, config } = await init(['', ...typed, 'sandbox', PLATFORM_SECRET]);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain(`base_url is stored as ${url}\n`);
    expect(result.stderr).toContain(`open_base_url is stored as ${url}\n`);
    expect(await config.profile()).toMatchObject({ base_url: url, open_base_url: url });
  });

  it.each([
    { title: 'only the second address', answers: ['', 'URL'], only: 'open_base_url' },
    {
      title: '- twice, then the second address',
      answers: ['-', '-', 'URL'],
      only: 'open_base_url',
    },
    { title: 'a pasted /api/open', answers: ['URL/api/open/'], only: 'open_base_url' },
    { title: 'only the first address', answers: ['URL', '-'], only: 'base_url' },
    { title: 'Enter, as before', answers: ['URL', ''], only: 'base_url', before: { mode: 'body' } },
    {
      title: 'the other, for one that is stored',
      answers: ['-', 'URL'],
      only: 'open_base_url',
      before: { base_url: 'https://h.example' },
    },
  ])('takes one address and stores its mode: $title', async ({ answers, only, before }) => {
    const { url } = await platform();
    const typed = answers.map((answer) => answer.replace('URL', url));
    const { result, config } = await init(['', ...typed, 'sandbox', PLATFORM_SECRET], before);
    expect(result.code, result.stderr).toBe(0);
    const mode = only === 'base_url' ? 'body' : 'header';
    expect(result.stderr).toContain(`\nmode is ${mode}: all operations use the same address`);
    expect(result.stderr).toMatch(/\nIt works\. /);
    expect(await config.profile()).toEqual({
      timezone: 'UTC',
      environment: 'production',
      [only]: url,
      mode,
      api_key: 'sandbox',
      api_secret: PLATFORM_SECRET,
    });
  });

  it('prints less with --quiet and --json', async () => {
    const { url } = await platform();
    const answers = ['', url, '', 'sandbox', PLATFORM_SECRET];
    for (const option of ['--quiet', '--json']) {
      const { result } = await init(answers, {}, [option]);
      expect(result.code).toBe(0);
      expect(result.stderr).not.toMatch(/Profile|stored|credentials|It works/);
    }
    const { result } = await init([...answers.slice(0, -1), JOINED_SECRET, 's'], {}, ['--json']);
    // A terminal would have echoed the Enter after the last question.
    const [, error = ''] = /(\{"error".*)\n$/.exec(result.stderr) ?? [];
    expect(JSON.parse(error).error).toMatchObject({
      code: 'auth',
      exit_code: 4,
      platform_code: 1002,
    });
  });

  it.each([0, 1, 2, 3, 4])('stores nothing when the input ends at question %i', async (given) => {
    const answers = ['', 'https://h.example', '', 'key', SECRET].slice(0, given);
    for (const leave of [[], ...(given === 4 ? [['typed\u0003']] : [])]) {
      const { result, config, before } = await init([...answers, ...leave]);
      expect(result.code).toBe(130);
      expect(result.stderr).toMatch(/\nmop: interrupted\nhint: nothing was changed\n$/);
      expect(await config.text()).toBe(before);
    }
  });

  it('stores nothing after a signal', async () => {
    const config = await configuration();
    const controller = new AbortController();
    const stdin = terminal('production');
    const ended = mop(['config', 'init'], { env: config.env, stdin, signal: controller.signal });
    stdin.once('pause', () => {
      controller.abort(new MopError('interrupted', 'interrupted', { hint: 'stopped' }));
    });
    expect((await ended).code).toBe(130);
    await expect(config.text()).rejects.toThrow('ENOENT');
  });

  it('leaves no listener after a question', async () => {
    const { signal } = new AbortController();
    const stdin = terminal(...Array.from({ length: 12 }, () => 'moon'), 'sandbox');
    const { env } = await configuration();
    const listeners: number[] = [];
    stdin.on('resume', () => listeners.push(getEventListeners(signal, 'abort').length));
    expect((await mop(['config', 'init'], { env, stdin, signal })).code).toBe(0);
    expect(Math.max(...listeners)).toBe(1);
    expect(stdin.listenerCount('pause')).toBe(0);
  });

  it('fails without a terminal', async () => {
    const config = await configuration();
    const result = await mop(['config', 'init'], { env: config.env, stdin: 'sandbox\n' });
    expectFailure(result, 2, 'needs a terminal', 'mop config set SETTING VALUE');
    await expect(config.text()).rejects.toThrow('ENOENT');
  });

  it.each([
    { argv: ['-p', 'a/b'], env: {} },
    { argv: [], env: { MOP_PROFILE: 'a/b' } },
  ])('asks no questions for an invalid profile name: $argv $env', async ({ argv, env }) => {
    const { result, config, before } = await init(['sandbox'], {}, argv, env);
    expectFailure(result, 2, '"a/b" is not a valid profile name', 'letters, digits');
    expect(await config.text()).toBe(before);
  });

  it('prints its examples in its help', async () => {
    const { code, stdout } = await mop(['config', 'init', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('mop config init -p staging --env test');
  });

  it('asks no questions when the configuration is damaged', async () => {
    const config = await configuration('{');
    const result = await mop(['config', 'init'], { env: config.env, stdin: terminal('sandbox') });
    expectFailure(result, 3, 'is damaged');
    expect(await config.text()).toBe('{');
  });
});
