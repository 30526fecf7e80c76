import { chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import type { CheckState } from '../../../../src/platform/doctor/finding.ts';
import { CA, certificate, closedPort, proxyServer, silentServer } from '../../../http/support.ts';
import { type CliResult, type CliWorld, errorOf, mop } from '../../../support/cli.ts';
import { JOINED_SECRET, pointAt, sandbox } from '../../../support/platform.ts';
import { envelope, serve } from '../../../support/server.ts';
import { configuration, disown, file, KEY, SECRET } from '../../support.ts';

const NAMES = [
  'configuration',
  'file-modes',
  'api-key',
  'api-secret',
  'address',
  'open-address',
  'dns',
  'proxy',
  'tls',
  'reachable',
  'clock',
  'signing',
  'credentials',
];

interface Check {
  readonly name: string;
  readonly state: CheckState;
  readonly detail: string;
}

interface Report {
  readonly result: CliResult;
  readonly states: Record<string, CheckState>;
  readonly details: Record<string, string>;
}

/** The report of `mop doctor --json`, after its format is checked. */
async function doctor(
  env: Record<string, string>,
  argv: readonly string[] = [],
  world: CliWorld = {},
): Promise<Report> {
  const result = await mop(['doctor', '--json', ...argv], { ...world, env });
  const document = JSON.parse(result.stdout) as { checks: readonly Check[] };
  expect(Object.keys(document)).toEqual(['checks']);
  expect(document.checks.map(({ name }) => name)).toEqual(NAMES);
  for (const check of document.checks) {
    expect(Object.keys(check)).toEqual(['name', 'state', 'detail']);
    expect(check.state).toMatch(/^(?:ok|warning|failed|skipped)$/);
    expect(check.detail).toMatch(/./);
  }
  const failed = document.checks.some(({ state }) => state === 'failed');
  expect(result.code === 0).toBe(!failed);
  return {
    result,
    states: Object.fromEntries(document.checks.map(({ name, state }) => [name, state])),
    details: Object.fromEntries(document.checks.map(({ name, detail }) => [name, detail])),
  };
}

/** `states`, and `state` for all other checks. */
const allBut = (states: Record<string, CheckState>, state: CheckState) =>
  Object.fromEntries(NAMES.map((name) => [name, states[name] ?? state]));

/** A configuration for the sandbox at `env`. */
const stored = (env: Record<string, string>, more: Record<string, string> = {}) => ({
  base_url: env.MOP_BASE_URL ?? '',
  open_base_url: env.MOP_OPEN_BASE_URL ?? '',
  api_key: env.MOP_API_KEY ?? '',
  ...more,
});

describe('a healthy platform', () => {
  it('passes every applicable check', async () => {
    const { env, log } = await sandbox();
    const profile = stored(env, { api_secret: env.MOP_API_SECRET ?? '' });
    const config = await configuration({ profiles: { default: profile } });
    const { result, states, details } = await doctor(config.env);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(states).toEqual(allBut({ dns: 'skipped', proxy: 'skipped', tls: 'skipped' }, 'ok'));
    expect(details).toMatchObject({
      configuration: `profile default, environment production, ${config.path}`,
      'file-modes': `${config.path} has mode 600`,
      'api-key': 'sandbox, from api_key of profile default',
      'api-secret': '14 characters, from api_secret of profile default',
      address: `base_url ${env.MOP_BASE_URL}`,
      'open-address': `open_base_url ${env.MOP_BASE_URL}`,
      credentials: 'the platform accepted key and signature',
    });
    expect(log).toEqual(['GET /open/v1/ 2000', 'POST /open/v1/trade/bill 0']);
  });

  it('is reached over TLS with a private authority', async () => {
    const platform = await serve((_, response) => envelope(response, 0), certificate('good'));
    const ca = await file(CA);
    const { states, details } = await doctor(pointAt(platform.url), ['--ca-file', ca], {
      now: Date.now,
    });
    expect(states).toMatchObject({ tls: 'ok', reachable: 'ok', clock: 'ok', credentials: 'ok' });
    expect(details.tls).toContain('issued by ca');
    const without = await doctor(pointAt(platform.url));
    expect(without.states).toMatchObject({ tls: 'failed', credentials: 'skipped' });
    expect(errorOf(without.result)).toMatchObject({
      message: expect.stringMatching(/^tls: TLS to .* authority is not trusted/),
      hint: expect.stringContaining('ca-file'),
      exit_code: 6,
    });
  });

  it('is reached at both addresses', async () => {
    const [one, two] = [await sandbox(), await sandbox()];
    const open = two.env.MOP_OPEN_BASE_URL ?? '';
    const { states, details } = await doctor({ ...one.env, MOP_OPEN_BASE_URL: open });
    expect(states.reachable).toBe('ok');
    expect(details.reachable?.split('; ')).toHaveLength(2);
    expect(two.log).toEqual(['GET /api/open/ 2000']);

    const dead = `http://127.0.0.1:${await closedPort()}`;
    const half = await doctor({ ...one.env, MOP_OPEN_BASE_URL: dead });
    expect(half.states).toMatchObject({ reachable: 'failed', clock: 'ok', credentials: 'ok' });
    expect(half.details.reachable).toMatch(/answered in .*; .* refused the connection/);
    expect(half.result.code).toBe(6);
  });
});

describe('the sandbox', () => {
  it('skips the checks of the settings, and passes the others', async () => {
    const secretFile = await file(SECRET, { mode: 0o644 });
    const { result, states } = await doctor(
      { MOP_BASE_URL: 'nonsense', MOP_API_SECRET_FILE: secretFile },
      ['--env', 'sandbox', '--proxy', 'http://proxy.invalid:1'],
    );
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const ok = { configuration: 'ok', reachable: 'ok', clock: 'ok', signing: 'ok' } as const;
    expect(states).toEqual(allBut({ ...ok, credentials: 'ok' }, 'skipped'));
  });
});

describe('configuration', () => {
  const without = allBut({ configuration: 'failed', signing: 'ok' }, 'skipped');

  it.each([
    { content: '{"profiles":{"default":{"api_secret":canary', subject: 'is damaged' },
    { content: { profiles: { default: { environment: 'moon' } } }, subject: '"moon"' },
    { content: { profiles: { default: { timezone: 'Moon/Base' } } }, subject: '"Moon/Base"' },
    { content: { current: 'gone', profiles: {} }, subject: 'there is no profile "gone"' },
  ])('fails: $subject', async ({ content, subject }) => {
    const config = await configuration(content);
    const { log, env } = await sandbox();
    const { result, states, details } = await doctor({ ...env, ...config.env });
    expect(states).toEqual(without);
    expect(details.configuration).toContain(subject);
    expect(result.stdout + result.stderr).not.toContain('canary');
    expect(errorOf(result)).toMatchObject({ code: 'config', exit_code: 3 });
    expect(log).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('warns about an ignored HOME', async () => {
    const { result, states, details } = await doctor({ HOME: 'here', MOP_CONFIG_DIR: '' });
    expect(states.configuration).toBe('warning');
    expect(details.configuration).toContain('HOME="here" is not an absolute path and is ignored');
    expect(result.stderr).not.toContain('warning');
  });

  it('reports the profile, the environment and a missing file', async () => {
    const config = await configuration();
    const { details } = await doctor({ ...config.env, MOP_ENV: 'test' });
    expect(details.configuration).toBe(
      `profile default, environment test, no file ${config.path} yet`,
    );
  });
});

describe('file-modes', () => {
  const profiles = { default: { api_key: KEY, api_secret: SECRET } };

  it.each([0o644, 0o604])('fails for a configuration of mode %o', async (mode) => {
    const config = await configuration({ profiles }, mode);
    const { result, states, details } = await doctor(config.env);
    expect(states).toEqual(allBut({ 'file-modes': 'failed', signing: 'ok' }, 'skipped'));
    expect(details['file-modes']).toContain(`other users can read the secret in ${config.path}`);
    expect(errorOf(result)).toMatchObject({
      code: 'config',
      exit_code: 3,
      hint: expect.stringContaining(`chmod 600 ${config.path}`),
    });
  });

  it('is checked before the content, because a damaged file may contain a secret', async () => {
    const open = await doctor((await configuration('{', 0o644)).env);
    expect(open.states).toMatchObject({ configuration: 'skipped', 'file-modes': 'failed' });
    const closed = await doctor((await configuration('{', 0o640)).env);
    expect(closed.states).toMatchObject({ configuration: 'failed', 'file-modes': 'skipped' });
  });

  it('does not fail for invalid settings', async () => {
    const profiles = { default: { environment: 'moon' } };
    const { states } = await doctor((await configuration({ profiles }, 0o644)).env);
    expect(states).toMatchObject({ configuration: 'failed', 'file-modes': 'skipped' });
  });

  it('accepts any mode for a configuration without a secret', async () => {
    const config = await configuration({ profiles: { default: { api_key: KEY } } }, 0o644);
    const { states, details } = await doctor(config.env);
    expect(states['file-modes']).toBe('ok');
    expect(details['file-modes']).toBe(`${config.path} has mode 644`);
  });

  it('checks the current secret file', async () => {
    const secretFile = await file(SECRET);
    const profile = { api_key: KEY, api_secret_file: secretFile };
    const { env } = await configuration({ profiles: { default: profile } });
    const judge = async (mode: number, more: Record<string, string> = {}) => {
      await chmod(secretFile, mode);
      return doctor({ ...env, ...more });
    };
    const closed = await judge(0o600);
    expect(closed.states).toMatchObject({ 'file-modes': 'ok', 'api-secret': 'ok' });
    expect(closed.details['file-modes']).toContain(`${secretFile} has mode 600`);
    expect(closed.details['api-secret']).toContain('api_secret_file of profile default');

    const group = await judge(0o640);
    expect(group.states).toMatchObject({ 'file-modes': 'warning', 'api-secret': 'ok' });
    expect(group.details['file-modes']).toBe(`the group can read ${secretFile}`);

    const open = await judge(0o644);
    expect(open.states).toMatchObject({ 'file-modes': 'failed', 'api-secret': 'skipped' });
    expect(open.details['api-secret']).toBe('see file-modes');
    expect(open.result.code).toBe(3);

    // A secret file that is not used is not checked.
    const unused = await judge(0o644, { MOP_API_SECRET: SECRET });
    expect(unused.states).toMatchObject({ 'file-modes': 'ok', 'api-secret': 'ok' });
  });

  it('warns about a configuration that the group can read', async () => {
    const config = await configuration({ profiles }, 0o640);
    const { result, states, details } = await doctor(config.env);
    expect(states['file-modes']).toBe('warning');
    expect(details['file-modes']).toBe(`the group can read ${config.path}`);
    expect(result.stderr.match(/warning/g)).toBeNull();
  });

  it.each([
    { title: 'a directory that others can change', spoil: (path: string) => chmod(path, 0o777) },
    { title: 'a directory of another user', spoil: disown },
  ])('fails for $title', async ({ spoil }) => {
    for (const content of [{ profiles }, '{']) {
      const { env, directory } = await configuration(content);
      await spoil(directory);
      const { result, states, details } = await doctor(env);
      expect(result.code).toBe(3);
      expect(states).toEqual(allBut({ 'file-modes': 'failed', signing: 'ok' }, 'skipped'));
      expect(details['file-modes']).toContain(directory);
    }
  });

  it('warns about a directory that the group can change', async () => {
    const { env, directory, path } = await configuration({ profiles }, 0o640);
    await chmod(directory, 0o770);
    const { states, details } = await doctor(env);
    expect(states['file-modes']).toBe('warning');
    expect(details['file-modes']).toBe(
      `the group can read ${path}; the group can change ${directory}`,
    );
    const { stdout } = await mop(['doctor'], { env });
    expect(stdout).toContain(`fix: run: chmod 600 ${path} && chmod g-w ${directory}\n`);
  });

  it('is skipped without a file', async () => {
    const { states } = await doctor({ MOP_API_KEY: KEY, MOP_API_SECRET: SECRET });
    expect(states['file-modes']).toBe('skipped');
  });
});

describe('api-key', () => {
  it.each([
    { key: KEY, state: 'ok', detail: `${KEY}, from MOP_API_KEY` },
    { key: 'k'.repeat(33), state: 'failed', detail: 'over 32 characters' },
    { key: 'a b', state: 'failed', detail: 'white space' },
    { key: '', state: 'failed', detail: 'no api_key is set' },
  ])('$key is $state', async ({ key, state, detail }) => {
    const { states, details } = await doctor({ MOP_API_KEY: key, MOP_API_SECRET: SECRET });
    expect(states['api-key']).toBe(state);
    expect(details['api-key']).toContain(detail);
  });

  it('prefers the option', async () => {
    const { details } = await doctor({ MOP_API_KEY: 'other' }, ['--api-key', KEY]);
    expect(details['api-key']).toBe(`${KEY}, from --api-key`);
  });
});

describe('api-secret', () => {
  it.each([
    { secret: SECRET, state: 'ok', detail: '32 characters, from MOP_API_SECRET' },
    { secret: ` ${SECRET}`, state: 'warning', detail: 'white space around it' },
    { secret: `"${SECRET}"`, state: 'warning', detail: 'in quotation marks' },
    { secret: '0123456789é', state: 'warning', detail: 'not printable ASCII' },
    { secret: '1234567', state: 'warning', detail: 'unusually short (7 characters' },
    { secret: 'x'.repeat(129), state: 'warning', detail: 'unusually long' },
    { secret: 'YOUR_API_SECRET', state: 'warning', detail: 'looks like a placeholder' },
    { secret: '$MOP_API_SECRET', state: 'warning', detail: 'looks like a placeholder' },
    { secret: '<the issued one>', state: 'warning', detail: 'looks like a placeholder' },
    { secret: '', state: 'failed', detail: 'no api secret for profile default' },
  ])('$secret is $state', async ({ secret, state, detail }) => {
    const { result, states, details } = await doctor({ MOP_API_KEY: KEY, MOP_API_SECRET: secret });
    expect(states['api-secret']).toBe(state);
    expect(details['api-secret']).toContain(detail);
    if (secret) expect(result.stdout + result.stderr).not.toContain(secret);
    // The warning is part of the report.
    expect(result.stderr).not.toContain('warning');
  });

  it('reports its option', async () => {
    const path = await file(`${SECRET}\n`);
    const { details } = await doctor({ MOP_API_SECRET: 'other' }, ['--secret-file', path]);
    expect(details['api-secret']).toBe('32 characters, from --secret-file');
  });

  it('fails when its command fails', async () => {
    const profile = { api_key: KEY, api_secret_command: 'exit 7' };
    const { env } = await configuration({ profiles: { default: profile } });
    const { states, details } = await doctor(env);
    expect(states['api-secret']).toBe('failed');
    expect(details['api-secret']).toContain('failed with status 7');
  });
});

describe('the addresses', () => {
  it('may be set for one mode only; the other check reports the operations that need it', async () => {
    const { env, log } = await sandbox();
    const { MOP_OPEN_BASE_URL, ...body } = env;
    const bodyOnly = await doctor(body);
    expect(bodyOnly.result.code).toBe(0);
    expect(bodyOnly.states).toMatchObject({
      address: 'ok',
      'open-address': 'warning',
      credentials: 'ok',
    });
    const missing = 'open_base_url is not set: the price estimate and --mode header need it';
    expect(bodyOnly.details['open-address']).toBe(missing);
    expect((await mop(['doctor'], { env: body })).stdout).toContain(
      `${missing}\n${' '.repeat(24)}fix: run: mop config set open_base_url https://HOST -p default`,
    );

    const { MOP_BASE_URL, ...header } = env;
    log.length = 0;
    const headerOnly = await doctor(header);
    expect(headerOnly.result.code).toBe(0);
    expect(headerOnly.states).toMatchObject({
      address: 'warning',
      'open-address': 'ok',
      reachable: 'ok',
      clock: 'ok',
      credentials: 'skipped',
    });
    expect(headerOnly.details.address).toBe(
      'base_url is not set: bill, decode, call and --mode body need it',
    );
    expect(headerOnly.details.credentials).toContain('--mode');
    expect(log).toEqual(['GET /api/open/ 2000']);
  });

  it('depend on --mode and on the setting', async () => {
    const { env, log } = await sandbox();
    const { MOP_BASE_URL, ...header } = env;
    const headerMode = await doctor(header, ['--mode', 'header']);
    expect(headerMode.states).toMatchObject({ address: 'skipped', credentials: 'ok' });
    expect(headerMode.details.address).toBe('base_url is not set: only --mode body needs it');
    expect(log).toEqual(['GET /api/open/ 2000', 'POST /api/open/trade/bill 0']);

    const config = await configuration({
      profiles: { default: { ...stored(env), mode: 'header' }, b: { mode: 'header' } },
    });
    const secret = { ...config.env, MOP_API_SECRET: env.MOP_API_SECRET ?? '' };
    expect((await doctor(secret)).states.credentials).toBe('ok');
    expect(log.at(-1)).toBe('POST /api/open/trade/bill 0');
    const body = { ...secret, MOP_BASE_URL: env.MOP_BASE_URL ?? '' };
    const without = await doctor(body, ['-p', 'b']);
    expect(without.states).toMatchObject({ 'open-address': 'failed', credentials: 'skipped' });
    expect(without.details['open-address']).toContain('every operation needs it');
    const byFlag = await doctor(header, ['--mode', 'body']);
    expect(byFlag.states).toMatchObject({ address: 'failed', 'open-address': 'ok' });
    expect(byFlag.result.code).toBe(3);
  });

  it('fail when none is set, or one is invalid', async () => {
    const none = await doctor({ MOP_API_KEY: KEY, MOP_API_SECRET: SECRET }, ['--env', 'test']);
    expect(none.states).toMatchObject({
      address: 'failed',
      'open-address': 'skipped',
      dns: 'skipped',
      credentials: 'skipped',
    });
    expect(none.details.address).toBe('neither test_base_url nor open_test_base_url is set');
    expect(none.result.code).toBe(3);
    expect(errorOf(none.result).hint).toContain('mop config set ');

    const { env, log } = await sandbox();
    const bad = await doctor({ ...env, MOP_OPEN_BASE_URL: 'http://platform.example' });
    expect(bad.states).toMatchObject({
      address: 'ok',
      'open-address': 'failed',
      reachable: 'ok',
      credentials: 'ok',
    });
    expect(bad.details['open-address']).toContain('plain http is accepted for this machine only');
    expect(log).toHaveLength(2);
  });
});

describe('--all-profiles', () => {
  it('prints a block for each profile, and its name in each check', async () => {
    const { env } = await sandbox();
    const good = stored(env, { api_secret: env.MOP_API_SECRET ?? '' });
    const profiles = { shop: good, 'shop-b': { ...good, api_key: 'k' }, broken: { timezone: 'x' } };
    const config = await configuration({ profiles });
    const text = await mop(['doctor', '--all-profiles'], { env: config.env });
    const names = text.stdout.split('\n\n').map((block) => block.split('\n')[0]);
    expect(names).toEqual(['shop', 'shop-b', 'broken']);
    expect(text.stdout.match(/^credentials .*/gm)).toEqual([
      expect.stringContaining('accepted'),
      expect.stringContaining('1003'),
      expect.stringContaining('skipped'),
    ]);
    expect(text.code).toBe(12);

    const json = await mop(['doctor', '--all-profiles', '--json'], { env: config.env });
    const { checks } = JSON.parse(json.stdout);
    expect(checks).toHaveLength(3 * NAMES.length);
    expect(checks[0]).toMatchObject({ profile: 'shop', name: 'configuration', state: 'ok' });
    expect(errorOf(json).message).toMatch(
      /^2 of 39 checks failed, for example: shop-b: credentials: /,
    );
  });

  it('exits with 0 if no profile failed, and rejects --profile and a missing profile', async () => {
    const { env } = await sandbox();
    const profile = stored(env, { api_secret: env.MOP_API_SECRET ?? '' });
    const config = await configuration({ profiles: { a: profile, b: profile } });
    const quiet = await mop(['doctor', '--all-profiles', '-q'], { env: config.env });
    expect(quiet).toMatchObject({ code: 0, stdout: '' });
    const both = await mop(['doctor', '--all-profiles', '-p', 'a'], { env: config.env });
    expect(both.code).toBe(2);
    expect((await mop(['doctor', '--all-profiles'], { env })).code).toBe(3);
  });
});

describe('the network', () => {
  it('fails for an unknown host name', async () => {
    const { result, states } = await doctor(pointAt('https://nowhere.invalid'));
    expect(states).toMatchObject({ dns: 'failed', tls: 'skipped', credentials: 'skipped' });
    expect(errorOf(result)).toMatchObject({ code: 'network', exit_code: 6, retryable: true });
  });

  it('fails for a closed port, with a hint in the test environment', async () => {
    const env = pointAt(`http://127.0.0.1:${await closedPort()}`);
    const { result, states } = await doctor(env, ['--env', 'test']);
    expect(states).toMatchObject({ reachable: 'failed', clock: 'skipped', credentials: 'skipped' });
    expect(errorOf(result)).toMatchObject({
      exit_code: 6,
      hint: expect.stringContaining('listed IP addresses'),
    });
  });

  it('fails after --timeout, and after --max-time with the whole report', async () => {
    const env = pointAt(`https://${await silentServer()}`);
    const timeout = await doctor(env, ['--timeout', '0.05']);
    expect(timeout.details.tls).toContain('within 0.05 s (time-out)');
    const maxTime = await doctor(env, ['--max-time', '0.2']);
    expect(maxTime.details.tls).toContain('not done within 0.2 s (--max-time)');
    expect(maxTime.result.code).toBe(6);
  });

  it('uses the current proxy', async () => {
    const platform = await serve((_, response) => envelope(response, 0), certificate('good'));
    const argv = ['--ca-file', await file(CA)];
    const proxy = await proxyServer();
    const env = { ...pointAt(platform.url), HTTPS_PROXY: `http://canary:canary@${proxy.host}` };
    const { result, states } = await doctor(env, argv, { now: Date.now });
    expect(states).toMatchObject({ dns: 'skipped', proxy: 'ok', tls: 'ok', credentials: 'ok' });
    expect(result.stdout + result.stderr).not.toContain('canary');
    const { length } = proxy.received;
    expect(length).toBeGreaterThan(0);
    const exempt = await doctor({ ...env, NO_PROXY: '127.0.0.1' }, argv, { now: Date.now });
    expect(exempt.details.proxy).toBe('NO_PROXY exempts 127.0.0.1');
    expect(exempt.states).toMatchObject({ tls: 'ok', credentials: 'ok' });
    expect(proxy.received).toHaveLength(length);
  });

  it('fails for a proxy that does not answer, and for an invalid proxy', async () => {
    const dead = `http://127.0.0.1:${await closedPort()}`;
    const env = pointAt('https://platform.invalid');
    const { result, states } = await doctor(env, ['--proxy', dead]);
    expect(states).toMatchObject({ proxy: 'failed', tls: 'skipped', credentials: 'skipped' });
    expect(result.code).toBe(6);
    const none = await doctor({ ...env, HTTPS_PROXY: 'socks5://proxy.invalid' });
    expect(none.states).toMatchObject({ dns: 'skipped', proxy: 'failed', reachable: 'skipped' });
    expect(none.details.proxy).toContain('not an http or https URL');
  });

  it('is not used with --dry-run', async () => {
    const { env, log } = await sandbox();
    const { result, states, details } = await doctor(env, ['--dry-run']);
    expect(result.code).toBe(0);
    expect(states).toMatchObject({ address: 'ok', reachable: 'skipped', credentials: 'skipped' });
    expect(details.reachable).toBe('--dry-run sends nothing');
    expect(log).toEqual([]);
  });

  it('prints its exchanges with --verbose, without the signature', async () => {
    const { env } = await sandbox();
    const { stderr } = await mop(['doctor', '-v'], { env });
    expect(stderr).toContain(`> GET ${env.MOP_BASE_URL}/open/v1/`);
    expect(stderr).toContain('"sign":"<redacted>"');
  });
});

describe('clock', () => {
  it.each([
    { skew: 0, state: 'ok', code: 0 },
    { skew: 30, state: 'warning', code: 0 },
    { skew: -30, state: 'warning', code: 0 },
    { skew: 90, state: 'failed', code: 4 },
    { skew: -3600, state: 'failed', code: 4 },
  ])('a skew of $skew s is $state', async ({ skew, state, code }) => {
    const { env } = await sandbox([`skew=${skew}`]);
    const { result, states, details } = await doctor(env);
    expect(states).toMatchObject({ clock: state, credentials: 'ok' });
    expect(result.code).toBe(code);
    if (skew) {
      const relation = skew > 0 ? 'behind' : 'ahead of';
      expect(details.clock).toContain(`${Math.abs(skew)} s ${relation} the platform`);
    }
    expect(result.stderr).not.toContain('warning');
  });
});

describe('credentials', () => {
  it.each([
    { wrong: { MOP_API_KEY: 'other' }, code: 1003 },
    { wrong: { MOP_API_SECRET: JOINED_SECRET }, code: 1002 },
  ])('are refused with $code', async ({ wrong, code }) => {
    const { env } = await sandbox();
    const { result, states } = await doctor({ ...env, ...wrong });
    expect(states).toEqual({
      ...allBut({}, 'ok'),
      'file-modes': 'skipped',
      dns: 'skipped',
      proxy: 'skipped',
      tls: 'skipped',
      credentials: 'failed',
    });
    expect(errorOf(result)).toMatchObject({ code: 'auth', exit_code: 4, platform_code: code });
  });

  it('are refused with 1055 when every call is', async () => {
    const { env } = await sandbox(['code=1055']);
    const { result, states } = await doctor(env);
    expect(states.credentials).toBe('failed');
    expect(errorOf(result)).toMatchObject({ exit_code: 4, platform_code: 1055 });
  });

  it.each([1052, 2000, 9999])('are accepted if the answer is %i', async (code) => {
    const { env } = await sandbox([`code=${code}`]);
    const { result, states, details } = await doctor(env);
    expect(result.code).toBe(0);
    expect(states.credentials).toBe('ok');
    expect(details.credentials).toContain(`${code}`);
  });

  it('are not decided if the platform fails', async () => {
    const { env } = await sandbox(['code=-1']);
    const { result, states, details } = await doctor(env);
    expect(result.code).toBe(0);
    expect(states.credentials).toBe('warning');
    expect(details.credentials).toMatch(/^the platform answered -1/);
    expect((await mop(['doctor'], { env })).stdout).toMatch(/\n {24}fix: .*try again later\n/);
  });

  it.each([
    ['a page', 200, '<h1>hello</h1>'],
    ['an object without code', 200, '{}'],
    ['a page for too many requests', 429, 'slow down'],
    ['a page for a refusal', 403, 'forbidden'],
  ])('fail if the answer is %s', async (_, status, body) => {
    const { url } = await serve((__, response) => response.writeHead(status).end(body));
    const { result, states } = await doctor(pointAt(url), [], { now: Date.now });
    expect(states).toMatchObject({ reachable: 'ok', credentials: 'failed' });
    expect([5, 6]).toContain(result.code);
  });

  it('fail if only the signed call gets no answer', async () => {
    const { url } = await serve(({ method }, response) =>
      method === 'GET' ? response.end() : response.destroy(),
    );
    const { result, states } = await doctor(pointAt(url), [], { now: Date.now });
    expect(states).toMatchObject({ reachable: 'ok', credentials: 'failed' });
    expect(result.code).toBe(6);
  });

  it('are not tested when one of them is missing', async () => {
    const { env, log } = await sandbox();
    const { result, states } = await doctor({ ...env, MOP_API_KEY: '' });
    expect(states).toMatchObject({ 'api-key': 'failed', reachable: 'ok', credentials: 'skipped' });
    expect(result.code).toBe(3);
    expect(log).toEqual(['GET /open/v1/ 2000']);
  });
});

describe('the report', () => {
  it('exits with the common code of the failures, or 12', async () => {
    const refused = { MOP_BASE_URL: `http://127.0.0.1:${await closedPort()}` };
    const shared = await doctor({});
    expect(errorOf(shared.result)).toMatchObject({
      message: '3 of 13 checks failed, for example: api-key: no api_key is set',
      hint: expect.stringContaining('mop config init'),
      exit_code: 3,
    });
    expect((await doctor({ ...refused, MOP_API_SECRET: SECRET })).result.code).toBe(12);
  });

  it('prints one line per check to standard output, and the failure to standard error', async () => {
    const { env } = await sandbox();
    const { code, stdout, stderr } = await mop(['doctor'], { env: { ...env, MOP_API_KEY: 'k' } });
    expect(code).toBe(4);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 13).map((line) => line.split(/ +/)[0])).toEqual(NAMES);
    expect(lines[12]).toMatch(/^credentials {4}failed {3}the platform answered 1003: /);
    expect(lines[13]).toMatch(/^ {24}fix: likely cause: the platform does not know api_key/);
    expect(lines).toHaveLength(14);
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toMatch(
      /^mop: credentials: the platform answered 1003.*\nhint: likely cause: .*; check api_key.*\n$/,
    );
  });

  it('fits a terminal, and is coloured on request', async () => {
    const { env } = await sandbox();
    const world = {
      env: { ...env, MOP_API_SECRET: JOINED_SECRET },
      stdoutIsTerminal: true,
      columns: 60,
    };
    const coloured = (await mop(['doctor'], world)).stdout;
    expect(coloured).toContain('\u001b[31mfailed\u001b[39m');
    expect(coloured).toContain('\u001b[32mfix:\u001b[39m');
    const { stdout } = await mop(['doctor', '--no-color'], world);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    const form = /^(?:[a-z-]+ +(?:ok|warning|failed|skipped) +| {24})\S/;
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
    const narrow = await mop(['doctor', '--no-color'], { ...world, columns: 40 });
    expect(narrow.stdout.split('\n').filter((line) => line.length > 40)).toEqual([]);
    expect(narrow.stdout).toContain('\ncredentials    failed\n  the platform answered 1002');
  });

  it('is not printed with --quiet', async () => {
    const { env } = await sandbox();
    const quiet = (more = {}) => mop(['doctor', '-q'], { env: { ...env, ...more } });
    expect(await quiet()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const failed = await quiet({ MOP_API_KEY: 'k' });
    expect(failed).toMatchObject({ code: 4, stdout: '' });
    expect(failed.stderr).toContain('mop: credentials: ');
  });

  it('escapes control characters of a server', async () => {
    const { url } = await serve((_, response) => envelope(response, 1003, {}, '\u001b[2Jgone\nok'));
    const { stdout, stderr } = await mop(['doctor'], { env: pointAt(url), now: Date.now });
    expect(stdout).toContain('gone');
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => line.startsWith('ok'))).toEqual([]);
  });

  it.each([1002, -1])('does not print a secret that a server echoes with %i', async (code) => {
    const { url } = await serve((_, response) => envelope(response, code, {}, `got ${SECRET}`));
    const world = { env: { ...pointAt(url), MOP_API_SECRET: SECRET }, now: Date.now };
    for (const argv of [['doctor'], ['doctor', '--json'], ['doctor', '--debug']]) {
      const { stdout, stderr } = await mop(argv, world);
      expect(stdout + stderr).not.toContain(SECRET);
      expect(stdout).toContain('got <redacted>');
    }
  });

  it('keeps its exit code when its output is closed', async () => {
    const { env } = await sandbox();
    const world = { env: { ...env, MOP_API_KEY: 'k' }, stdoutError: 'EPIPE' };
    expect((await mop(['doctor'], world)).code).toBe(4);
    expect((await mop(['doctor'], { env, stdoutError: 'EPIPE' })).code).toBe(0);
  });

  it('is not printed after invalid arguments or a signal', async () => {
    const { env, log } = await sandbox();
    const noCa = await mop(['doctor', '--ca-file', await file('no PEM')], { env });
    expect(noCa).toMatchObject({ code: 2, stdout: '' });
    expect((await mop(['doctor', 'extra'], { env })).code).toBe(2);
    expect(log).toEqual([]);

    const controller = new AbortController();
    const error = new MopError('interrupted', 'interrupted');
    const { url } = await serve(() => controller.abort(error));
    const interrupted = await mop(['doctor'], { env: pointAt(url), signal: controller.signal });
    expect(interrupted).toMatchObject({ code: 130, stdout: '' });
  });
});
