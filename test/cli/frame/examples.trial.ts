/**
 * Runs every example of the help: in this process if it is one `mop` command, and otherwise in a real
 * shell. The files in the example exist. The platform, the detection service and the GraphQL endpoint are
 * a sandbox in this process.
 */
import {
  type ChildProcessWithoutNullStreams,
  execFileSync,
  spawn,
  spawnSync,
} from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TOPICS } from '../../../src/cli/commands/help/help.run.ts';
import { MOP } from '../../../src/cli/commands.ts';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import { readTree } from '../../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../../src/cli/frame/program.ts';
import { MopError } from '../../../src/errors.ts';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { workbookBytes } from '../../../src/reconciliation/write-workbook.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { type CliResult, type CliWorld, mop } from '../../support/cli.ts';
import { noBillEntry } from '../../support/platform.ts';
import { installed } from '../../support/programs.ts';

// A script starts one or two processes, and other test files run at the same time.
vi.setConfig({ maxConcurrency: 2 });

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const tree = readTree(buildProgram(MOP));

/** Each example once: some are in the help of several commands. */
const examples = [
  ...new Set([
    ...tree.commands.flatMap((command) => command.examples),
    ...[
      ...TOPICS.flatMap(({ name, text }) => (name === 'signing' ? text : []))
        .join('\n')
        .matchAll(/^ {2}(mop .*)$/gm),
    ].map(([, line = '']) => line),
  ]),
];

/** Examples that ask questions: they run on a terminal, and Enter answers each question. */
const ASKING = examples.filter((example) => /^mop config init\b/.test(example));

/** The page in an example. No request is sent to it. */
const PAGE = 'http://localhost:5173';

/** Examples that serve until a signal ends them. */
const SERVING = examples.filter((example) => /^mop (?:sandbox|proxy)(?: -|$)/.test(example));

const ORDINARY = examples.filter((each) => !ASKING.includes(each) && !SERVING.includes(each));

/** The redirection at the end of an example. */
const REDIRECTION = / (<|>>?) (\S+)$/;

/** Examples with several commands: with pipes and substitutions. */
const SCRIPTS = ORDINARY.filter((each) =>
  /[|<>;]|\$\(/.test(each.replace(REDIRECTION, '').replaceAll(/'[^']*'/g, '')),
);

/** Examples with one `mop` command, which runs in this process. */
const COMMANDS = ORDINARY.filter((each) => !SCRIPTS.includes(each));

/** Examples that exit with another code than 0 for the data of this test. */
const CODES: Readonly<Record<string, number>> = {
  // Few bills are stored.
  'mop bill status bills/ --exit-code --quiet': 15,
  // The reply contains a risk.
  'mop detect @reply.txt --fail-on high': 10,
  'mop detect @reply.json --field choices.0.message.content --fail-on high': 10,
  "mop detect @reply.txt --levels 'safe<low<high' --fail-on low": 10,
  // The timestamp of the call was refused.
  'mop sign verify --last': 4,
  // A field was removed.
  'mop gql diff before.graphql after.graphql --json': 14,
};

/** The values for placeholders in the examples, and the addresses. */
interface Facts {
  readonly url: string;
  /** The encrypted parameters of a mini-program. */
  readonly pair: { readonly encrypt_data: string; readonly encrypt_id: string };
}

const NOW = Date.now();

/** A date in the platform's time zone. The sandbox has the bills of three months up to yesterday. */
function daysAgo(days: number): string {
  const platform = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' });
  return platform.format(NOW - days * 86_400_000);
}

let directory: string;
let server: Sandbox;
let facts: Facts;
/** The words of each example that runs in this process. */
let words: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mop-examples-'));
  server = await startSandbox({ rows: 20 });
  await mkdir(join(directory, 'bin'));
  const wrapper = join(directory, 'bin', 'mop');
  await writeFile(wrapper, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/mop.js' "$@"\n`);
  await chmod(wrapper, 0o755);
  facts = await fillWorkspace(join(directory, 'workspace'), server.url);
  words = wordsOf([...COMMANDS, ...SERVING]);
});

afterAll(async () => {
  for (const kill of running) kill();
  await server?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Creates the files of the examples in their working directory. */
async function fillWorkspace(workspace: string, url: string): Promise<Facts> {
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const config = join(workspace, 'config');
  await mkdir(config, { recursive: true, mode: 0o700 });
  const put = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(join(workspace, name), content, { mode: 0o600 });
  const credentials = { api_key: apiKey, api_secret: secret };
  const addresses = { base_url: url, open_base_url: url };
  const profiles = {
    default: {
      ...credentials,
      ...addresses,
      detect_url: url,
      gql_url: `${url}/graphql`,
      // Yesterday's bill is available at any hour.
      bill_ready_time: '00:00',
    },
    staging: {
      ...credentials,
      ...addresses,
      environment: 'test',
      test_base_url: url,
      open_test_base_url: url,
    },
    old: { environment: 'sandbox' },
  };
  await put('config/config.json', JSON.stringify({ profiles }));
  const run = async (...argv: string[]): Promise<string> => {
    const env = { MOP_CONFIG_DIR: config };
    const { code, stdout, stderr } = await mop(argv, { env, now: () => NOW });
    expect({ code, argv, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, argv, stderr: '' });
    return stdout;
  };

  await run('bill', 'fetch', '--last', '3', '-o', `${join(workspace, 'bills')}/`);
  // Otherwise `--missing` fetches three months.
  const recorded = Array.from({ length: 95 }, (_, at) => noBillEntry(daysAgo(at + 7), 'all'));
  const lines = recorded.map((entry) => `${JSON.stringify(entry)}\n`);
  await appendFile(join(workspace, 'bills', 'bills.jsonl'), lines.join(''));
  cpSync(join(workspace, 'bills'), join(workspace, 'var/lib/bills'), { recursive: true });
  await run('account', 'link', '--user', '17', '--openid', 'o-1', '--mobile', '13800000000');
  const parameters = '{"openId":"o-1","mobile":"13800000000"}';
  const pair = await run('sandbox', 'encrypt', parameters, '--json');
  // A refused call with a correct signature.
  const refused = ['call', '/user/sync', '{"timestamp":1}', '--mode', 'body'];
  const { code } = await mop(refused, { env: { MOP_CONFIG_DIR: config }, now: () => NOW });
  expect(code).toBe(4);
  const business = `{"bill_date":"${daysAgo(1)}","bill_type":0,"tar_type":1}`;
  const address = ['--url', `${url}/open/v1/trade/bill`];
  const signed = JSON.parse(await run('sign', business, '--json', ...address));
  const inHeaders = JSON.parse(await run('sign', business, '--json', '--mode', 'header'));
  const headers = Object.entries(inHeaders.headers).map(([name, value]) => `${name}: ${value}`);

  await put('request.json', `${signed.body}\n`);
  await put('body.json', inHeaders.body);
  await put('program.log', `INFO src1 ${signed.canonical}\nINFO body ${signed.body}\n`);
  await put('curl.txt', await run('sign', business, '--as', 'curl', ...address));
  await put(
    'request.http',
    ['POST /api/open/x HTTP/1.1', ...headers, '', inHeaders.body].join('\r\n'),
  );
  await put('captured.har', harOf(url, signed.body));
  await put('secret.txt', `${secret}\n`);
  await put('parameters.json', parameters);
  await put('pairs.jsonl', pair.repeat(2));
  await put('users.jsonl', '{"openId":"o-1"}\n{"openId":"o-2"}\n');
  await put('bodies.jsonl', '{"openId":"o-1"}\n');
  // The digest in the example is the MD5 of this text.
  await put('bill.csv', 'The quick brown fox jumps over the lazy dog');
  await putOrders(workspace);
  await put('photo.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'));
  await put('reply.txt', 'You only need me. Leave your friends, nobody else loves you.\n');
  await put('reply.json', '{"choices":[{"message":{"content":"You only need me."}}]}\n');
  await put('replies.txt', 'The bus leaves at nine.\nBring an umbrella.\n');
  await put('replies.jsonl', '{"answer":"The bus leaves at nine."}\n{"answer":"It rains."}\n');

  const schema = await readFile(join(ROOT, 'src/sandbox/graphql/schema.graphql'), 'utf8');
  await put('schema.graphql', schema);
  await put('extensions.graphql', 'extend type Query { later: Int }\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe' });
  // The template would be copied for each example.
  git('init', '--quiet', '--initial-branch=main', '--template=');
  git('add', 'schema.graphql');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '--message=schema');
  await put('before.graphql', 'type Query { bill: String bills: [String] }\n');
  await put('after.graphql', 'type Query { bills: [String] }\n');
  const query = `query LastBills($last: Int! = 3, $date: Date) {
    bills(last: $last) { date total }
    bill(date: $date) { date total }
  }`;
  await put('query.graphql', query);
  await mkdir(join(workspace, 'queries'));
  await put('queries/bills.graphql', query);
  await put('queries/ride.graphql', 'query Ride($id: ID!) { ride(id: $id) { id city } }');
  const bills = [1, 2].map((days) => ({ date: daysAgo(days), total: '57.70' }));
  await put('data.json', JSON.stringify({ bill: bills, bills }));
  return { url, pair: JSON.parse(pair) };
}

/** Creates records that match yesterday's bill. */
async function putOrders(workspace: string): Promise<void> {
  const bill = await readFile(join(workspace, 'bills', `bill_${daysAgo(1)}_all.csv`), 'utf8');
  const [header = [], ...rows] = bill
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const orders = rows.map((row) => ({ id: row[0], paid: row[header.indexOf('paid_amount')] }));
  // The columns of `mop sandbox records`, and those of another system.
  const csv = [
    'order_id,paid_amount,id,paid',
    ...orders.map(({ id, paid }) => [id, paid, id, paid].join(',')),
  ];
  await writeFile(join(workspace, 'orders.csv'), csv.join('\n'));
  const cells = orders.map(({ id = '', paid = '' }) => [id, paid, 'PAID']);
  const sheet = { name: 'orders', rows: [['id', 'paid', 'status'], ...cells] };
  await writeFile(join(workspace, 'orders.xlsx'), await workbookBytes([sheet]));
  const lines = orders.map((order) => JSON.stringify(order)).join('\n');
  await writeFile(join(workspace, 'orders.jsonl.gz'), gzipSync(lines));
}

/** A browser's HAR file. Its third request is signed. */
function harOf(url: string, body: string): string {
  const get = { request: { method: 'GET', url: `${url}/`, headers: [] } };
  const postData = { mimeType: 'application/json', text: body };
  const post = { method: 'POST', url: `${url}/open/v1/trade/bill`, headers: [], postData };
  return JSON.stringify({ log: { version: '1.2', entries: [get, get, { request: post }] } });
}

/** An example with its placeholders replaced. */
function typed(example: string): string {
  const { url } = facts;
  let command = example
    .replaceAll('https://api.example/graphql', `${url}/graphql`)
    .replaceAll(/https:\/\/(?:platform\.example|HOST)(?![\w.])/g, url)
    // The sandbox has the bills of three months before today.
    .replaceAll('2026-11-19', daysAgo(1))
    .replaceAll('2026-11-18', daysAgo(2))
    // Write below the working directory.
    .replaceAll(' /var/lib/', ' var/lib/');
  // Use a free port: another program may use the default port.
  if (SERVING.includes(example) && !command.includes('--port')) command += ' --port 0';
  // No external address and no other date may remain.
  expect(command.replaceAll(url, '').replace(PAGE, '')).not.toMatch(/https?:|…/);
  for (const [date] of command.matchAll(/\b20\d\d-\d\d-\d\d\b/g)) {
    expect([daysAgo(1), daysAgo(2)]).toContain(date);
  }
  return command;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

let count = 0;
/** Kills each command that is still running. */
const running = new Set<() => void>();

/** Copies the working directory, so that examples do not share changes. Returns the path. */
function copyWorkspace(): string {
  const place = join(directory, `${++count}`);
  cpSync(join(directory, 'workspace'), place, { recursive: true, preserveTimestamps: true });
  return place;
}

/** The words of commands, expanded by a shell in the working directory. */
function wordsOf(commands: readonly string[]): Map<string, readonly string[]> {
  const { pair } = facts;
  const env = { PATH: process.env.PATH, DATA: pair.encrypt_data, ID: pair.encrypt_id };
  const script = commands.map((command) => {
    const words = typed(command).replace(REDIRECTION, '');
    return `printf '%s\\0' ${words}; echo\n`;
  });
  // With a socket as standard input, bash would read the start-up files of the user.
  const printed = execFileSync('bash', ['-c', script.join('')], {
    cwd: join(directory, 'workspace'),
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = printed.split('\0\n');
  return new Map(commands.map((command, at) => [command, lines[at]?.split('\0') ?? []]));
}

/** Runs a command in this process, in a copy of the working directory. */
async function runHere(example: string, world: CliWorld): Promise<CliResult> {
  const place = copyWorkspace();
  const [program, ...argv] = words.get(example) ?? [];
  expect(program).toBe('mop');
  const before = process.cwd();
  process.chdir(place);
  try {
    const [, sign, file = ''] = REDIRECTION.exec(example) ?? [];
    const stdin = sign === '<' ? await readFile(file) : '';
    const env = { MOP_CONFIG_DIR: join(place, 'config'), HOME: place, BROWSER: 'true' };
    const sleep = (ms: number): Promise<void> => delay(ms);
    return await mop(argv, { env, stdin, now: Date.now, sleep, ...world });
  } finally {
    process.chdir(before);
  }
}

/** Runs a command in a copy of the working directory. */
function type(command: string): Running {
  const place = copyWorkspace();
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
    cwd: place,
    env: {
      PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
      HOME: place,
      MOP_CONFIG_DIR: join(place, 'config'),
      NODE_DISABLE_COMPILE_CACHE: '1',
      DATA: facts.pair.encrypt_data,
      ID: facts.pair.encrypt_id,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, so that no process outlives the test.
    detached: true,
  });
  // A command that does not read its input may end before the input is written.
  child.stdin.on('error', () => {});
  const { pid } = child;
  const kill = (): void => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  running.add(kill);
  // Kill it before the test times out, to report its output.
  const timer = setTimeout(kill, 45_000);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
    .then(([[code], stdout, stderr]) => ({ code, stdout, stderr }))
    .finally(() => {
      clearTimeout(timer);
      running.delete(kill);
      kill();
    });
  // The failure is reported where the promise is awaited; a test that does not await it must not fail.
  ended.catch(() => {});
  return { child, ended };
}

/** Runs a command on a pseudo-terminal. */
const TERMINAL = 'script';

/** Other programs of an example that are not installed on every machine. */
function missing(example: string): string | undefined {
  return ['jq'].find((program) => example.includes(`| ${program} `) && !installed(program));
}

/** Expects the code of the example, and no failure on standard error. */
function expectSuccess(
  example: string,
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
): void {
  const expected = CODES[example] ?? 0;
  expect({ code, stderr: code === expected ? '' : stderr }).toEqual({ code: expected, stderr: '' });
  // The shell ignores the exit codes of some commands: check standard error for their failures.
  if (expected === 0) expect(stderr).not.toMatch(/^mop: (?!warning: )/m);
  if (/ --json$/.test(example)) expect(JSON.parse(stdout)).toBeTypeOf('object');
}

describe('an example', () => {
  it.for(COMMANDS)('%s', async (example) => {
    expectSuccess(example, await runHere(example, {}));
  });

  it.for(SERVING)('%s', async (example) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    let requested: Promise<Response> | undefined;
    const { code, stderr } = await runHere(example, {
      signal: stop.signal,
      onStdout: (line) => {
        const [url = line] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        const headers = { 'Content-Type': 'application/json' };
        requested ??= fetch(`${url}/open/v1/trade/bill`, { method: 'POST', headers, body: '{}' });
        const end = (): void => stop.abort(new MopError('terminated', 'the test ends it'));
        requested.then(end, end);
      },
    });
    expect((await requested)?.status, stderr).toBe(200);
    expect(code).toBe(EXIT_CODES.terminated);
  });
});

describe.concurrent('an example', () => {
  it.for(SCRIPTS)('%s', async (example, { skip }) => {
    const without = missing(example);
    if (without) skip(`${without} is not installed`);
    const { child, ended } = type(typed(example));
    child.stdin.end();
    expectSuccess(example, await ended);
  });

  it.for(ASKING)('%s', async (example, { skip }) => {
    // The BSD version of script takes other arguments.
    const { stdout: version } = spawnSync(TERMINAL, ['--version'], { encoding: 'utf8' });
    if (!version?.includes('util-linux')) skip(`there is no ${TERMINAL} of util-linux`);
    const { child, ended } = type(
      `${TERMINAL} --quiet --return --command 'stty columns 80; ${typed(example)}' /dev/null`,
    );
    let reported = '';
    let answers = 0;
    child.stdout.on('data', (chunk) => {
      reported += stripVTControlCharacters(String(chunk));
      // The default of each question is the value of the profile.
      if (!/\):\s*$/.test(reported)) return;
      reported = '';
      answers++;
      child.stdin.write('\r');
    });
    const { code, stdout: shown } = await ended;
    const stdout = stripVTControlCharacters(shown);
    expect({ code, answers, stdout: code === 0 ? '' : stdout }).toEqual({
      code: 0,
      answers: 5,
      stdout: '',
    });
    expect(stdout).toMatch(/^credentials +ok/m);
  });
});

it('runs every example and no other', () => {
  const run = [...ORDINARY, ...ASKING, ...SERVING];
  expect(run.sort()).toEqual([...examples].sort());
  expect([ASKING.length, SERVING.length]).toEqual([2, 7]);
  for (const example of Object.keys(CODES)) expect(examples).toContain(example);
});
