import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/cli/context/config-file.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../support/cli.ts';
import { CREDENTIALS, configuration, expectFailure, FIXED, file, KEY, SECRET } from '../support.ts';

/** Signs, and returns the name of the secret that was used. */
async function secretUsed(
  candidates: readonly string[],
  argv: readonly string[] = [],
  world: CliWorld = {},
): Promise<{ used: string | undefined; stderr: string }> {
  const { code, stdout, stderr } = await mop(['sign', '{}', '--json', ...argv], world);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const { canonical, sign } = JSON.parse(stdout) as { canonical: string; sign: string };
  const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase();
  return { used: candidates.find((secret) => md5(canonical + secret) === sign), stderr };
}

const key = { MOP_API_KEY: KEY };

describe('precedence', () => {
  const kept: Profile = { api_key: KEY };
  const all = ['flag', 'variable', 'variable-file', 'profile', 'profile-file', 'profile-command'];

  it.each<{ flag?: true; variable?: true; variableFile?: true; profile: string; used: string }>([
    { flag: true, variable: true, variableFile: true, profile: 'text', used: 'flag' },
    { variable: true, variableFile: true, profile: 'text', used: 'variable' },
    { variableFile: true, profile: 'text', used: 'variable-file' },
    { variableFile: true, profile: 'command', used: 'variable-file' },
    { profile: 'text', used: 'profile' },
    { profile: 'file', used: 'profile-file' },
    { profile: 'command', used: 'profile-command' },
    { variable: true, profile: 'command', used: 'variable' },
    { flag: true, profile: 'file', used: 'flag' },
  ])('$used', async ({ flag, variable, variableFile, profile, used }) => {
    const profiles: Record<string, Profile> = {
      text: { ...kept, api_secret: 'profile' },
      file: { ...kept, api_secret_file: await file('profile-file\n') },
      command: { ...kept, api_secret_command: 'echo profile-command' },
    };
    const config = await configuration({ profiles });
    const env = {
      ...config.env,
      ...(variable && { MOP_API_SECRET: 'variable' }),
      ...(variableFile && { MOP_API_SECRET_FILE: await file('variable-file\n') }),
    };
    const argv = ['-p', profile, ...(flag ? ['--secret-file', await file('flag\n')] : [])];
    expect(await secretUsed(all, argv, { env })).toEqual({ used, stderr: '' });
  });

  it('ignores an empty variable', async () => {
    const env = { ...key, MOP_API_SECRET: '', MOP_API_SECRET_FILE: await file('from-file') };
    expect(await secretUsed(['', 'from-file'], [], { env })).toMatchObject({ used: 'from-file' });
  });
});

describe('missing credentials', () => {
  it.each<{ env: Record<string, string>; message: string; hint: string }>([
    {
      env: {},
      message: 'no api_key for profile default',
      hint: 'set MOP_API_KEY, add --env sandbox, or run: mop config init',
    },
    { env: { MOP_API_KEY: '' }, message: 'no api_key', hint: 'MOP_API_KEY' },
    {
      env: key,
      message: 'no api secret for profile default',
      hint: 'set MOP_API_SECRET, give --secret-file FILE, or run: mop config set api_secret',
    },
    { env: { ...key, MOP_API_SECRET: '' }, message: 'no api secret', hint: 'MOP_API_SECRET' },
  ])('print the command that sets them: $env', async ({ env, message, hint }) => {
    const result = await mop(['sign', '{}'], { env });
    expectFailure(result, 3, message, hint);
  });

  it('print a command with the profile', async () => {
    const { env } = await configuration({ profiles: { shop: {} } });
    const noKey = await mop(['sign', '{}', '-p', 'shop'], { env });
    expectFailure(noKey, 3, 'for profile shop', 'run: mop config init -p shop');
    const noSecret = await mop(['sign', '{}', '-p', 'shop'], { env: { ...env, ...key } });
    expectFailure(noSecret, 3, 'for profile shop', 'run: mop config set api_secret -p shop');
  });

  it('cause no fallback to the sandbox and no prompt', async () => {
    expectFailure(await mop(['sign', '{}'], { stdin: 'secret\n' }), 3, 'no api_key');
  });
});

describe('a secret file', () => {
  it.each([
    { content: 'secret', used: 'secret', warned: false },
    { content: 'secret\n', used: 'secret', warned: false },
    { content: 'secret\r\n', used: 'secret', warned: false },
    { content: 'secret\n\n', used: 'secret\n', warned: true },
    { content: 'secret \n', used: 'secret ', warned: true },
    { content: ' secret', used: ' secret', warned: true },
    { content: '\tsecret\r', used: '\tsecret\r', warned: true },
    { content: '密钥 🔑\n', used: '密钥 🔑', warned: false },
    { content: 'a b\n', used: 'a b', warned: false },
  ])('$content: only one line end is removed', async ({ content, used, warned }) => {
    const argv = ['--secret-file', await file(content)];
    const result = await secretUsed([content, content.trim(), used], argv, { env: key });
    expect(result.used).toBe(used);
    expect(result.stderr !== '').toBe(warned);
    if (warned) expect(result.stderr).toContain('begins or ends with white space');
  });

  it.each(['canary'.repeat(1000), '密'.repeat(5000)])(
    'is rejected when it is too long',
    async (content) => {
      const path = await file(content);
      const result = await mop(['sign', '{}', '--secret-file', path], { env: key });
      const message = `${path} is too long for a secret: more than 4,096 characters`;
      expectFailure(result, 3, message, 'nothing else');
      expect(result.stderr).not.toContain('canary');
    },
  );

  it('may have the maximum length of a secret', async () => {
    const path = await file(`\ufeff${'密'.repeat(4094)}\r\n`);
    const { code } = await mop(['sign', '{}', '--secret-file', path], { env: key });
    expect(code).toBe(0);
  });

  it.each(['', '\n', '\r\n'])('is rejected as empty: %j', async (content) => {
    const path = await file(content);
    const result = await mop(['sign', '{}', '--secret-file', path], { env: key });
    expectFailure(
      result,
      3,
      `the api secret is empty (${path})`,
      'the api secret and nothing else',
    );
  });

  it.each([0o604, 0o602, 0o601, 0o644, 0o666, 0o777])(
    'is rejected when other users can access it, as with mode %o',
    async (mode) => {
      const path = await file(SECRET, { mode });
      const result = await mop(['sign', '{}', '--secret-file', path], { env: key });
      expectFailure(result, 3, `other users can read the secret in ${path}`, `chmod 600 ${path}`);
      expect(result.stderr).not.toContain(SECRET);
    },
  );

  it.each([0o640, 0o660, 0o440, 0o620])(
    'is used with a warning when the group can access it, as with mode %o',
    async (mode) => {
      const path = await file(SECRET, { mode });
      const argv = ['sign', '{}', '--as', 'sign', '--secret-file', path];
      const { code, stdout, stderr } = await mop(argv, { env: key });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^[0-9A-F]{32}\n$/);
      expect(stderr).toMatch(/^mop: warning: the group can read .*chmod 600.*\n$/);
    },
  );

  it.each([0o600, 0o400, 0o700])('is used without a warning with mode %o', async (mode) => {
    const argv = ['--secret-file', await file(SECRET, { mode })];
    expect(await secretUsed([SECRET], argv, { env: key })).toEqual({ used: SECRET, stderr: '' });
  });

  it('must exist and be a file', async () => {
    const directory = await temporaryDirectory();
    await chmod(directory, 0o755);
    const none = join(directory, 'none');
    const sign = (path: string) => mop(['sign', '{}', '--secret-file', path], { env: key });
    expectFailure(
      await sign(none),
      3,
      `cannot read the secret file ${none}: there is no such file`,
    );
    expectFailure(
      await sign(directory),
      3,
      `cannot read the secret file ${directory}: it is a directory`,
    );
  });
});

describe('api_secret_command', () => {
  const keptAs = async (command: string) => {
    const config = await configuration({
      profiles: { default: { api_key: KEY, api_secret_command: command } },
    });
    return { env: config.env };
  };

  it('prints the secret, with or without a line end', async () => {
    const world = await keptAs(`printf '%s\\n' ${SECRET}`);
    expect(await secretUsed([SECRET], [], world)).toEqual({ used: SECRET, stderr: '' });
    const bare = await keptAs(`printf '%s' ${SECRET}`);
    expect(await secretUsed([SECRET], [], bare)).toEqual({ used: SECRET, stderr: '' });
  });

  it('runs in the shell', async () => {
    const path = await file('xyz:left:right');
    const world = await keptAs(`cut -d: -f2 < ${path} | tr a-z A-Z`);
    expect(await secretUsed(['LEFT'], [], world)).toMatchObject({ used: 'LEFT' });
  });

  it('never reveals its output when it fails', async () => {
    const path = await file(`echo ${SECRET}; echo ${SECRET} >&2; exit 3`);
    for (const flags of [[], ['--debug'], ['--json']]) {
      const result = await mop(['sign', '{}', ...flags], await keptAs(`sh ${path}`));
      expect(result).toMatchObject({ code: 3, stdout: '' });
      expect(result.stderr).toContain(`api_secret_command failed with status 3: sh ${path}`);
      expect(result.stderr).not.toContain(SECRET);
    }
  });

  it('must print a secret', async () => {
    const result = await mop(['sign', '{}'], await keptAs('true'));
    expectFailure(result, 3, 'the api secret is empty (the output of true)');
  });

  it('does not wait for input', async () => {
    const result = await mop(['sign', '{}'], await keptAs('cat'));
    expectFailure(result, 3, 'the api secret is empty (the output of cat)');
  });
});

describe('the sandbox', () => {
  it('signs with its own credentials, for any configuration', async () => {
    const config = await configuration({
      profiles: { default: { api_key: 'profile-key', api_secret_command: 'exit 1' } },
    });
    const env = { ...config.env, ...CREDENTIALS, MOP_API_SECRET_FILE: '/does/not/exist' };
    const argv = ['--env', 'sandbox'];
    expect(await secretUsed(['sandbox-secret'], argv, { env })).toEqual({
      used: 'sandbox-secret',
      stderr: '',
    });
    const { stdout } = await mop(['sign', '{}', '--as', 'body', ...argv], { env });
    expect(JSON.parse(stdout)).toMatchObject({ api_key: 'sandbox' });
  });
});

it('reads a piped secret to its end', async () => {
  const pipe = join(await temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const writing = promisify(execFile)('sh', [
    '-c',
    `(printf 01234567; sleep 0.1; printf 89) > ${pipe}`,
  ]);
  const argv = ['sign', '{}', ...FIXED, '--as', 'sign'];
  const env = { MOP_API_KEY: KEY };
  const piped = await mop([...argv, '--secret-file', pipe], { env });
  await writing;
  const direct = await mop(argv, { env: { ...env, MOP_API_SECRET: '0123456789' } });
  expect(piped).toEqual(direct);
});

describe('the output of mop sign', () => {
  it.each(['body', 'headers', 'curl', 'sign', 'json'])(
    'contains no secret with --as %s',
    async (form) => {
      for (const mode of ['body', 'header']) {
        const argv = ['sign', '{"a":"b"}', '--mode', mode, '--as', form];
        const { code, stdout, stderr } = await mop(argv, { env: CREDENTIALS });
        expect(code).toBe(0);
        expect(stdout + stderr).not.toContain(SECRET);
      }
    },
  );
});
