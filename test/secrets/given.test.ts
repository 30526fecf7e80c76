/** Each source of a secret, and each mistake in supplying one. */
import { chmod, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { terminal } from '../cli/support.ts';
import { mop } from '../support/cli.ts';
import { envelope, type Received, serve } from '../support/server.ts';
import { echoes } from './services.ts';
import { traces } from './traces.ts';
import {
  CANARIES,
  createWorkspace,
  filesIn,
  leaksOf,
  OUTPUT_MODES,
  type Workspace,
} from './workspace.ts';

const UNUSED_URL = 'http://127.0.0.1:9';

/** Whether the signature of a request was made with this secret. */
function isSignedWith({ body }: Received, secret: string): boolean {
  const { sign, api_key, seq_id, timestamp, nonce, ...rest } = JSON.parse(body);
  const fields = { timestamp: String(timestamp), nonce, seqId: seq_id };
  const credentials = { apiKey: api_key, secret };
  return signBody(JSON.stringify(rest), credentials, fields).sign === sign;
}

describe('a secret that the platform echoes is not printed', () => {
  const none = { MOP_API_SECRET: '' };

  it.each<
    [string, keyof typeof CANARIES, (workspace: Workspace) => [string[], Record<string, string>]]
  >([
    ['a variable', 'variable', () => [[], {}]],
    ['the configuration', 'config', () => [[], none]],
    ['another profile', 'otherProfile', () => [['-p', 'other'], none]],
    ['the profile in MOP_PROFILE', 'otherProfile', () => [[], { ...none, MOP_PROFILE: 'other' }]],
    ['a file of a profile', 'file', () => [['-p', 'filed'], none]],
    ['a file in --secret-file', 'file', ({ at }) => [['--secret-file', at('secret.txt')], {}]],
    [
      'a file in MOP_API_SECRET_FILE',
      'file',
      ({ at }) => [[], { ...none, MOP_API_SECRET_FILE: at('secret.txt') }],
    ],
    ['a command', 'command', () => [['-p', 'commanded'], none]],
  ])('from %s', async (_, name, given) => {
    const secret = CANARIES[name];
    const { url, requests } = await serve(echoes(secret)['a refused signature'] ?? expect.fail());
    const workspace = await createWorkspace(url);
    const [flags, env] = given(workspace);
    const argv = ['call', '/x', ...flags, '--retries', '0'];
    expect(await leaksOf(argv, workspace, { requests, world: { env } })).toEqual([]);
    expect(requests.map((request) => isSignedWith(request, secret))).toEqual([true, true, true]);
  });

  it.each(['7xQ4', ' a "quoted" 100%+/\\ one ', '密钥☂é', "it's $HOME `id` \\n", 'x'.repeat(200)])(
    'from a pipe: %j',
    async (secret) => {
      const { url, requests } = await serve(echoes(secret)['an error'] ?? expect.fail());
      const { env, directory } = await createWorkspace(url);
      const world = { env: { ...env, MOP_API_SECRET: '' } };
      const reported: string[] = [];
      for (const { flags } of Object.values(OUTPUT_MODES)) {
        for (const argv of [
          ['config', 'set', 'api_secret'],
          ['config', 'list'],
          ['call', '/x'],
        ]) {
          const { stdout, stderr } = await mop([...argv, ...flags, '--retries', '0'], {
            ...world,
            stdin: `${secret}\n`,
          });
          reported.push(stdout, stderr);
        }
      }
      expect(traces(reported.join('\n'), secret)).toEqual([]);
      expect(requests.map((request) => isSignedWith(request, secret))).toEqual([true, true, true]);
      const files = filesIn(directory).filter(([, text]) => traces(text, secret).length > 0);
      expect(files.map(([name]) => name)).toEqual(['config/config.json']);
    },
  );

  it('from the prompt of config init', async () => {
    const { url } = await serve((_, response) => envelope(response, 1002, {}, CANARIES.typed));
    const workspace = await createWorkspace(url);
    const stdin = terminal('production', url, '', 'key-9', CANARIES.typed, 'store');
    const argv = ['config', 'init', '-p', 'asked', '--verbose', '--debug'];
    const world = { env: { ...workspace.env, MOP_API_SECRET: '' }, stdin, stderrIsTerminal: true };
    const { code, stdout, stderr } = await mop(argv, world);
    expect(code).toBe(4);
    expect(traces(stdout + stderr, CANARIES.typed)).toEqual([]);
    expect(workspace.leaks({})).toEqual(['config/config.json: typed (JSON-escaped)']);
  });
});

it.each([
  ['config set api_secret_file', ['config', 'set', 'api_secret_file', 'elsewhere.txt']],
  ['config set api_secret_command', ['config', 'set', 'api_secret_command', 'cat elsewhere.txt']],
  ['config unset', ['config', 'unset', 'api_secret']],
  ['config delete-profile', ['config', 'delete-profile', 'other']],
])('%s removes the old secret from all files', async (_, argv) => {
  const { env, directory } = await createWorkspace(UNUSED_URL);
  const contents = (): string => JSON.stringify(filesIn(directory));
  expect(traces(contents(), CANARIES.otherProfile)).not.toEqual([]);
  expect((await mop([...argv, '-p', 'other'], { env, stdin: '' })).code).toBe(0);
  expect(traces(contents(), CANARIES.otherProfile)).toEqual([]);
});

describe('a secret in the wrong argument or variable is not printed', () => {
  const secret = CANARIES.typed;
  const sign = ['sign', '{}'];
  const gql = ['gql', '{ a }', '--endpoint', UNUSED_URL];

  it.each<readonly string[][]>([
    [['config', 'set', 'api_secret', secret]],
    [['config', 'set', 'api_secret', `--${secret}`]],
    [['config', 'set', 'api_secret', `-${secret}`]],
    [['config', 'set', 'api_secret', ...secret.split(' ')]],
    [['config', 'set', `api_secret=${secret}`]],
    [['config', 'set', `api-secret=${secret}`]],
    [['config', 'set', 'api-secret', secret]],
    [['config', 'set', 'secret', secret]],
    [['config', 'get', 'api_secret', secret]],
    [['config', 'unset', 'api_secret', secret]],
    [['config', 'init', secret]],
    [['config', 'set', 'base_url', `https://user:${secret}@host`]],
    [['config', 'set', 'gql_url', `https://user:${secret}@host/graphql`]],
    [['--secret', secret, ...sign]],
    [[`--secret=${secret}`, ...sign]],
    [[...sign, '--secret', secret]],
    [[...sign, `--secret=${secret}`]],
    [[...sign, `--secret:${secret}`]],
    [[...sign, `--secret ${secret}`]],
    [[...sign, `--api-secret=${secret}`]],
    [[...sign, '--api-secret', secret]],
    [[...sign, `-s${secret}`]],
    [[...sign, secret]],
    [['doctor', `--secret=${secret}`]],
    [['bill', 'fetch', `--secret=${secret}`]],
    [['sandbox', `--secret=${secret}`]],
    [[`api_secret=${secret}`, ...sign]],
    [[`MOP_API_SECRET=${secret}`, ...sign]],
    [[...gql, '-H', `Bearer ${secret}`]],
    [[...gql, '-H', `Authorization=Bearer ${secret}`]],
    [[...gql, '-H', `Authorization: Bearer ${secret}\n`]],
    [[...gql, '-H', `Authorization: Bearer ${secret}☂`]],
    [['gql', '{ a }', '--endpoint', 'http://host.example', '-H', `Authorization: ${secret}`]],
    [['gql', '{ a }', '--endpoint', `https://user:${secret}@host`]],
    [['gql', 'schema', `https://user:${secret}@host`]],
    [[...gql, '--proxy', `http://user:${secret}@[no host`]],
    [[...gql, '--proxy', `socks5://user:${secret}@host`]],
    [[...gql, '--proxy', `user:${secret}@127.0.0.1:1`]],
  ])('%j', async (argv) => {
    const workspace = await createWorkspace(UNUSED_URL);
    expect(await leaksOf([...argv, '--retries', '0'], workspace, { world: { stdin: '' } })).toEqual(
      [],
    );
  });

  it.each([
    [[...sign, '--secret-file', secret], {}],
    [sign, { MOP_API_SECRET_FILE: secret }],
  ])('%j %j', async (argv, env) => {
    const world = { env: { MOP_API_SECRET: '', ...env } };
    expect(await leaksOf(argv, await createWorkspace(UNUSED_URL), { world })).toEqual([]);
  });

  it.each([['list'], ['get', 'base_url']])('config %s', async (...argv) => {
    const env = { MOP_BASE_URL: `https://user:${encodeURIComponent(secret)}@host` };
    const workspace = await createWorkspace(UNUSED_URL);
    expect(await leaksOf(['config', ...argv], workspace, { world: { env } })).toEqual([]);
  });
});

describe('a secret that cannot be used is not printed', () => {
  const json = JSON.stringify(CANARIES.config);

  it.each([
    ['invalid JSON', `{"profiles":{"default":{"api_secret":${json}`],
    ['a list instead of an object', `[${json}]`],
    ['a profile that is text', `{"profiles":{"default":${json}}}`],
    ['profiles that are a list', `{"profiles":[${json}]}`],
    ['a secret that is a list', `{"profiles":{"default":{"api_secret":[${json}]}}}`],
    ['a current profile that is a list', `{"current":[${json}],"profiles":{}}`],
  ])('in a configuration that has %s', async (_, text) => {
    const workspace = await createWorkspace(UNUSED_URL);
    await writeFile(workspace.at('config/config.json'), text);
    for (const argv of [
      ['sign', '{}'],
      ['config', 'list'],
      ['config', 'set', 'timezone', 'UTC'],
      ['doctor'],
    ]) {
      expect(await leaksOf(argv, workspace)).toEqual([]);
    }
  });

  it.each([0o644, 0o666, 0o640])('in files of mode %o', async (mode) => {
    const workspace = await createWorkspace(UNUSED_URL);
    for (const name of ['config/config.json', 'secret.txt']) await chmod(workspace.at(name), mode);
    for (const profile of ['default', 'filed']) {
      for (const argv of [
        ['sign', '{}'],
        ['config', 'list'],
        ['config', 'get', 'api_secret'],
        ['doctor'],
      ]) {
        const world = { env: { MOP_API_SECRET: '' } };
        const leaks = await leaksOf([...argv, '-p', profile], workspace, { world });
        expect(leaks).toEqual([]);
      }
    }
  });

  it.each([
    ['that is not UTF-8', Buffer.concat([Buffer.from(CANARIES.file), Buffer.from([0xff])])],
    ['that is empty', '\n'],
  ])('in a file %s', async (_, content) => {
    const workspace = await createWorkspace(UNUSED_URL);
    await writeFile(workspace.at('secret.txt'), content);
    const world = { env: { MOP_API_SECRET: '' } };
    expect(await leaksOf(['sign', '{}', '-p', 'filed'], workspace, { world })).toEqual([]);
  });

  it.each([
    ['that fails', 'exit 3'],
    ['that is killed', 'kill -9 $$'],
    ['that prints too much', 'yes "$(cat command.txt)" | head -c 2000000'],
    ['that prints it to stderr', 'cat command.txt >&2; exit 1'],
  ])('in the output of a command %s', async (_, end) => {
    const workspace = await createWorkspace(UNUSED_URL);
    const command = `cd '${workspace.directory}'; cat command.txt; ${end}`;
    const set = ['config', 'set', 'api_secret_command', command, '-p', 'commanded'];
    expect((await mop(set, { env: workspace.env })).code).toBe(0);
    const world = { env: { MOP_API_SECRET: '' } };
    for (const argv of [['sign', '{}'], ['doctor']]) {
      expect(await leaksOf([...argv, '-p', 'commanded'], workspace, { world })).toEqual([]);
    }
  });
});
