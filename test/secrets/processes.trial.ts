/** The traces of a process that other processes can read: the process list, and remaining files. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../src/signing/body-mode.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { type Running, startMop } from '../support/process.ts';
import { envelope, serve } from '../support/server.ts';
import { echoes } from './services.ts';
import { traces } from './traces.ts';
import { CANARIES, createWorkspace, signsIn, type Workspace } from './workspace.ts';

const DATE = '2026-11-19';
/** Only Linux shows the arguments and the environment of processes as files. */
const hasProc = existsSync('/proc/self/cmdline');

/** Starts mop, with home, temporary and cache directories in the workspace. */
async function start(
  { directory, at }: Workspace,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const places = { HOME: at('home'), TMPDIR: at('tmp'), XDG_CACHE_HOME: at('cache') };
  for (const path of Object.values(places)) await mkdir(path, { recursive: true });
  return startMop(argv, { ...places, ...env }, { cwd: directory });
}

/** A process and its descendants. */
function processTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** The entry of a process in the process list: its arguments, and its name (`process.title`). */
function listEntry(pid: number): string {
  return ['cmdline', 'comm', 'stat', 'status']
    .map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
    .join('\n');
}

/** The names of the secrets in a text. */
function secretsIn(text: string, signs: readonly string[] = []): string[] {
  const secrets = [...Object.entries(CANARIES), ...signs.map((sign) => ['sign', sign] as const)];
  return secrets.filter(([, secret]) => traces(text, secret).length > 0).map(([name]) => name);
}

/** The arguments and the environment for each source of the secret. */
const SOURCES: readonly (readonly [
  string,
  (workspace: Workspace) => readonly [string[], object],
])[] = [
  ['the environment', () => [[], { MOP_API_SECRET: CANARIES.variable }]],
  ['the configuration', () => [[], {}]],
  ['a file', ({ at }) => [['--secret-file', at('secret.txt')], {}]],
  ['a command', () => [['-p', 'commanded'], {}]],
];

const fetching = (workspace: Workspace): string[] => [
  'bill',
  'fetch',
  DATE,
  '--force',
  '-o',
  workspace.at('bills/'),
];

describe('a process', () => {
  it.skipIf(!hasProc).each(SOURCES)(
    'with a secret from %s shows no secret in the process list',
    async (_, given) => {
      let hold = (_: ServerResponse): void => {};
      const held = new Promise<ServerResponse>((resolve) => {
        hold = resolve;
      });
      const { url, requests } = await scriptedPlatform({
        download: (response) => hold(response),
      });
      const workspace = await createWorkspace(url);
      const [flags, env] = given(workspace);
      const argv = [...fetching(workspace), ...flags, '--verbose', '--debug'];
      const { child, ended } = await start(workspace, argv, {
        MOP_CONFIG_DIR: workspace.at('config'),
        ...env,
      });
      const response = await Promise.race([held, ended.then(({ stderr }) => expect.fail(stderr))]);
      const pids = processTree(child.pid ?? 0);
      expect(pids.flatMap((pid) => secretsIn(listEntry(pid), signsIn(requests)))).toEqual([]);
      expect(listEntry(child.pid ?? 0)).toContain('bill\0fetch');
      response.destroy();
      child.kill('SIGTERM');
      await ended;
      expect(workspace.leaks(await ended, signsIn(requests))).toEqual([]);
    },
  );

  it.skipIf(!hasProc)('passes no secret to the command that prints its secret', async () => {
    const { url } = await serve((_, response) => envelope(response, 0));
    const workspace = await createWorkspace(url);
    // The command writes its process id, and waits at a pipe while the test examines it.
    execFileSync('mkfifo', [workspace.at('pipe')]);
    const script = `echo $$ > pid; read line < pipe; cat command.txt`;
    await writeFile(workspace.at('ask.sh'), script);
    const command = { api_secret_command: 'sh ask.sh', api_key: 'key-4', base_url: url };
    const config = {
      profiles: { default: command, other: { api_secret: CANARIES.otherProfile } },
    };
    await writeFile(workspace.at('config/config.json'), JSON.stringify(config));
    const env = { MOP_CONFIG_DIR: workspace.at('config'), MOP_AI_KEY: CANARIES.model };
    const { child, ended } = await start(workspace, ['call', '/x', '--verbose'], env);
    // The FIFO opens when it has a reader.
    const failed = ended.then(({ stderr }) => expect.fail(stderr));
    const pipe = await Promise.race([open(workspace.at('pipe'), 'w'), failed]);
    const pid = Number(readFileSync(workspace.at('pid'), 'utf8'));
    const pids = processTree(child.pid ?? 0);
    expect(pids).toContain(pid);
    for (const each of pids) expect(secretsIn(listEntry(each))).toEqual([]);
    // The command gets the variables of the user, but no secret that mop read.
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(secretsIn(environment)).toEqual(['model']);
    await pipe.write('go on\n');
    await pipe.close();
    const result = await ended;
    expect(result.code).toBe(0);
    expect(workspace.leaks({ stdout: result.stdout, stderr: result.stderr })).toEqual([]);
  });

  it('leaves no secret in temporary files or compiled code', async () => {
    const { url, requests } = await serve(echoes(CANARIES.variable)['a page'] ?? expect.fail());
    const workspace = await createWorkspace(url);
    // An empty value keeps the compile cache enabled.
    const env = { ...workspace.env, NODE_DISABLE_COMPILE_CACHE: '' };
    for (const argv of [
      fetching(workspace),
      ['detect', 'x', '-H', `Cookie: a=${CANARIES.cookie}`],
    ]) {
      const { ended } = await start(
        workspace,
        [...argv, '--retries', '0', '--verbose', '--debug'],
        env,
      );
      const result = await ended;
      expect(result.code).not.toBe(0);
      expect(workspace.leaks(result, signsIn(requests))).toEqual([]);
    }
    expect(requests).toHaveLength(2);
  });

  it('that serves the sandbox prints only published credentials, and logs no secret', async () => {
    const workspace = await createWorkspace('http://127.0.0.1:9');
    const argv = ['sandbox', '--port', '0', '--json', '--log', '--verbose', '--debug'];
    const { child, ended } = await start(workspace, argv, workspace.env);
    const [line] = await once(child.stdout ?? child, 'data');
    const { base_url: base, api_key: apiKey, api_secret: published } = JSON.parse(String(line));
    const JSON_TYPE = { 'Content-Type': 'application/json' };
    const post = (body: string, path = '/open/v1/trade/bill') =>
      fetch(base + path, { method: 'POST', headers: JSON_TYPE, body });
    const signs: string[] = [];
    for (const secret of [CANARIES.variable, `&key=${published}`, published]) {
      const body = `{"bill_date":"${DATE}","bill_type":0,"tar_type":1}`;
      const signed = signBody(body, { apiKey, secret });
      signs.push(signed.sign);
      const answer = await (await post(signed.body)).text();
      // The diagnosis for the client contains no secret either.
      expect(traces(answer, published)).toEqual([]);
      expect(traces(answer, signed.sign)).toEqual([]);
    }
    await fetch(`${base}/download/bill?${CANARIES.query}`, {
      headers: { Authorization: CANARIES.authorization },
    });
    child.kill('SIGTERM');
    const result = await ended;
    expect(result.stderr).toContain('secret-joined');
    expect(workspace.leaks(result, signs)).toEqual(['stdout: published (verbatim)']);
  });
});
