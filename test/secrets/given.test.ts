/** Secrets on their way into mop: each way to give one, and each way to give it wrongly. */
import { chmod, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { terminal } from '../cli/support.ts';
import { mop } from '../support/cli.ts';
import { envelope, type Received, serve } from '../support/server.ts';
import { type Bench, bench, CANARIES, filesIn, leaksOf, VOICES } from './bench.ts';
import { echoes } from './services.ts';
import { traces } from './traces.ts';

const NOBODY = 'http://127.0.0.1:9';

/** Whether the signature of a request was made with this secret. */
function isSignedWith({ body }: Received, secret: string): boolean {
  const { sign, api_key, seq_id, timestamp, nonce, ...rest } = JSON.parse(body);
  const fields = { timestamp: String(timestamp), nonce, seqId: seq_id };
  const credentials = { apiKey: api_key, secret };
  return signBody(JSON.stringify(rest), credentials, fields).sign === sign;
}

describe('a secret that is used shows nowhere, although the platform repeats it', () => {
  const none = { MOP_API_SECRET: '' };

  it.each<[string, keyof typeof CANARIES, (place: Bench) => [string[], Record<string, string>]]>([
    ['a variable', 'variable', () => [[], {}]],
    ['the configuration', 'config', () => [[], none]],
    ['another profile', 'otherProfile', () => [['-p', 'other'], none]],
    ['the profile of a variable', 'otherProfile', () => [[], { ...none, MOP_PROFILE: 'other' }]],
    ['a file of a profile', 'file', () => [['-p', 'filed'], none]],
    ['a file of an option', 'file', ({ at }) => [['--secret-file', at('secret.txt')], {}]],
    [
      'a file of a variable',
      'file',
      ({ at }) => [[], { ...none, MOP_API_SECRET_FILE: at('secret.txt') }],
    ],
    ['a command', 'command', () => [['-p', 'commanded'], none]],
  ])('from %s', async (_, name, given) => {
    const secret = CANARIES[name];
    const { url, requests } = await serve(echoes(secret)['a refused signature'] ?? expect.fail());
    const place = await bench(url);
    const [flags, env] = given(place);
    const argv = ['call', '/x', ...flags, '--retries', '0'];
    expect(await leaksOf(argv, place, { requests, world: { env } })).toEqual([]);
    expect(requests.map((request) => isSignedWith(request, secret))).toEqual([true, true, true]);
  });

  it.each(['7xQ4', ' a "quoted" 100%+/\\ one ', '密钥☂é', "it's $HOME `id` \\n", 'x'.repeat(200)])(
    'from a pipe: %j',
    async (secret) => {
      const { url, requests } = await serve(echoes(secret)['an error'] ?? expect.fail());
      const { env, directory } = await bench(url);
      const world = { env: { ...env, MOP_API_SECRET: '' } };
      const reported: string[] = [];
      for (const { flags } of Object.values(VOICES)) {
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
      const keeping = filesIn(directory).filter(([, text]) => traces(text, secret).length > 0);
      expect(keeping.map(([name]) => name)).toEqual(['config/config.json']);
    },
  );

  it('from a person', async () => {
    const { url } = await serve((_, response) => envelope(response, 1002, {}, CANARIES.typed));
    const place = await bench(url);
    const stdin = terminal('production', url, '', 'key-9', CANARIES.typed, 'store');
    const argv = ['config', 'init', '-p', 'asked', '--verbose', '--debug'];
    const world = { env: { ...place.env, MOP_API_SECRET: '' }, stdin, stderrIsTerminal: true };
    const { code, stdout, stderr } = await mop(argv, world);
    expect(code).toBe(4);
    expect(traces(stdout + stderr, CANARIES.typed)).toEqual([]);
    expect(place.leaks({})).toEqual(['config/config.json: typed (JSON-escaped)']);
  });
});

it.each([
  ['api_secret_file', ['config', 'set', 'api_secret_file', 'elsewhere.txt']],
  ['api_secret_command', ['config', 'set', 'api_secret_command', 'cat elsewhere.txt']],
  ['nothing', ['config', 'unset', 'api_secret']],
  ['no profile', ['config', 'delete-profile', 'other']],
])('a secret that %s replaces is in no file any more', async (_, argv) => {
  const { env, directory } = await bench(NOBODY);
  const kept = (): string => JSON.stringify(filesIn(directory));
  expect(traces(kept(), CANARIES.otherProfile)).not.toEqual([]);
  expect((await mop([...argv, '-p', 'other'], { env, stdin: '' })).code).toBe(0);
  expect(traces(kept(), CANARIES.otherProfile)).toEqual([]);
});

describe('a secret in the wrong place is not repeated', () => {
  const secret = CANARIES.typed;
  const sign = ['sign', '{}'];
  const gql = ['gql', '{ a }', '--endpoint', NOBODY];

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
    const place = await bench(NOBODY);
    expect(await leaksOf([...argv, '--retries', '0'], place, { world: { stdin: '' } })).toEqual([]);
  });

  it.each([
    [[...sign, '--secret-file', secret], {}],
    [sign, { MOP_API_SECRET_FILE: secret }],
  ])('%j %j', async (argv, env) => {
    const world = { env: { MOP_API_SECRET: '', ...env } };
    expect(await leaksOf(argv, await bench(NOBODY), { world })).toEqual([]);
  });

  it.each([['list'], ['get', 'base_url']])('config %s', async (...argv) => {
    const env = { MOP_BASE_URL: `https://user:${encodeURIComponent(secret)}@host` };
    const place = await bench(NOBODY);
    expect(await leaksOf(['config', ...argv], place, { world: { env } })).toEqual([]);
  });
});

describe('a secret that cannot be used is not shown', () => {
  const json = JSON.stringify(CANARIES.config);

  it.each([
    ['no JSON', `{"profiles":{"default":{"api_secret":${json}`],
    ['no object', `[${json}]`],
    ['a profile that is text', `{"profiles":{"default":${json}}}`],
    ['profiles that are a list', `{"profiles":[${json}]}`],
    ['a secret that is a list', `{"profiles":{"default":{"api_secret":[${json}]}}}`],
    ['a profile in force that is none', `{"current":[${json}],"profiles":{}}`],
  ])('in a configuration that has %s', async (_, text) => {
    const place = await bench(NOBODY);
    await writeFile(place.at('config/config.json'), text);
    for (const argv of [
      ['sign', '{}'],
      ['config', 'list'],
      ['config', 'set', 'timezone', 'UTC'],
      ['doctor'],
    ]) {
      expect(await leaksOf(argv, place)).toEqual([]);
    }
  });

  it.each([0o644, 0o666, 0o640])('in files of mode %o', async (mode) => {
    const place = await bench(NOBODY);
    for (const name of ['config/config.json', 'secret.txt']) await chmod(place.at(name), mode);
    for (const profile of ['default', 'filed']) {
      for (const argv of [
        ['sign', '{}'],
        ['config', 'list'],
        ['config', 'get', 'api_secret'],
        ['doctor'],
      ]) {
        const world = { env: { MOP_API_SECRET: '' } };
        const leaks = await leaksOf([...argv, '-p', profile], place, { world });
        expect(leaks).toEqual([]);
      }
    }
  });

  it.each([
    ['that is not UTF-8', Buffer.concat([Buffer.from(CANARIES.file), Buffer.from([0xff])])],
    ['that is too small for one', '\n'],
  ])('in a file %s', async (_, content) => {
    const place = await bench(NOBODY);
    await writeFile(place.at('secret.txt'), content);
    const world = { env: { MOP_API_SECRET: '' } };
    expect(await leaksOf(['sign', '{}', '-p', 'filed'], place, { world })).toEqual([]);
  });

  it.each([
    ['that fails', 'exit 3'],
    ['that is killed', 'kill -9 $$'],
    ['that says too much', 'yes "$(cat command.txt)" | head -c 2000000'],
    ['that complains with it', 'cat command.txt >&2; exit 1'],
  ])('in the output of a command %s', async (_, end) => {
    const place = await bench(NOBODY);
    const command = `cd '${place.directory}'; cat command.txt; ${end}`;
    const set = ['config', 'set', 'api_secret_command', command, '-p', 'commanded'];
    expect((await mop(set, { env: place.env })).code).toBe(0);
    const world = { env: { MOP_API_SECRET: '' } };
    for (const argv of [['sign', '{}'], ['doctor']]) {
      expect(await leaksOf([...argv, '-p', 'commanded'], place, { world })).toEqual([]);
    }
  });
});
