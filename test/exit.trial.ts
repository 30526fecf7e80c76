/** Tests that every command ends as a process after its result, and after a signal. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { EXIT_CODES, OK } from '../src/cli/exit-codes.ts';
import { readTree } from '../src/cli/frame/command-tree.ts';
import { buildProgram } from '../src/cli/frame/program.ts';
import { MopError } from '../src/errors.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { socketServer } from './http/support.ts';
import { allCases, COMMANDS, type CommandCase } from './secrets/commands.ts';
import { createWorkspace, type Workspace } from './secrets/workspace.ts';
import { type CliWorld, mop } from './support/cli.ts';
import { pointAt } from './support/platform.ts';
import { BIN } from './support/process.ts';
import { listen, serve } from './support/server.ts';
import { isLong } from './trials/scale.ts';

const TREE = readTree(buildProgram(MOP));
const PATHS = TREE.commands.map(({ path }) => path);

/** These commands end only with a signal. */
const SERVING = ['mop sandbox', 'mop proxy'];

/** Most of each run is waiting. */
const CONCURRENCY = 6;

/** An unused address, for commands that send no request. */
const NOWHERE = 'http://127.0.0.1:9';

/** A process that still runs after this time is stuck. In milliseconds. */
const MAX_WAIT_MS = 45_000;

/** Arguments that make commands read standard input. */
const READERS: Readonly<Record<string, (workspace: Workspace) => readonly string[]>> = {
  'mop sign': () => ['-'],
  'mop sign explain': () => ['-'],
  'mop sign verify': () => ['-'],
  'mop account link': () => ['--user', '1', '--encrypt-data', '-', '--encrypt-id', '1'],
  'mop decode': () => ['-', '1'],
  'mop call': () => ['/x', '-'],
  'mop detect': () => ['-'],
  'mop gql': () => ['-'],
  'mop gql run': ({ at }) => ['-', '--schema', at('schema.graphql'), '--data', at('data.json')],
  'mop sandbox encrypt': () => ['-'],
  'mop config set': () => ['api_secret'],
};

/** The readers that also run as processes: of a whole text, and of a secret. */
const READING_PROCESSES = ['mop sign', 'mop config set'];

/** Starts services that never close a connection. Returns their address. */
async function startKeepAliveServices(): Promise<string> {
  const { url, close } = await startSandbox({ rows: 20 });
  onTestFinished(close);
  const { port } = new URL(url);
  const relay = createServer({ allowHalfOpen: true }, (client) => {
    const service = connect(Number(port));
    service.on('error', () => {}).pipe(client, { end: false });
    client.pipe(service);
  });
  return `http://127.0.0.1:${await listen(relay)}`;
}

function servicesAt(url: string): Record<string, string> {
  return { ...pointAt(url), MOP_DETECT_URL: url, MOP_GQL_URL: `${url}/graphql` };
}

/** Starts mop. Standard input is a pipe that stays open. */
function start(
  argv: readonly string[],
  { directory, env }: Workspace,
  more: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: directory,
    env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...env, ...more },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  // A process that ends without reading closes the pipe.
  child.stdin.on('error', () => {});
  return child;
}

/** The exit code of a command, or the signal that ended its process, and its standard error. */
interface End {
  readonly by: number | string;
  readonly stderr: string;
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<End> {
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_WAIT_MS);
  const [[code, signal], stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stderr),
    text(child.stdout),
  ]);
  clearTimeout(timer);
  return { by: code ?? signal, stderr };
}

/** Writes more than a pipe holds; resolves once the command has read some. The pipe stays open. */
function hasRead(stdin: Writable): Promise<unknown> {
  return new Promise((resolve) => stdin.write(' '.repeat(300_000), resolve));
}

/** Checks each command line, a few concurrently. */
async function checkAll(
  lines: readonly (readonly string[])[],
  check: (argv: readonly string[]) => Promise<void>,
): Promise<void> {
  expect(lines).not.toHaveLength(0);
  await pMap(lines, check, { concurrency: CONCURRENCY, stopOnError: false });
}

interface Running {
  readonly ending: Promise<End>;
  /** Sends SIGINT. */
  interrupt(): void;
}

function runningIn(child: ChildProcessWithoutNullStreams): Running {
  return { ending: endOf(child), interrupt: () => child.kill('SIGINT') };
}

/** Starts mop without a process. */
function startHere(argv: readonly string[], world: CliWorld): Running {
  const controller = new AbortController();
  const result = mop(argv, { ...world, signal: controller.signal });
  return {
    ending: result.then(({ code, stderr }) => ({ by: code, stderr })),
    interrupt: () => controller.abort(new MopError('interrupted', 'interrupted')),
  };
}

/** Ends a waiting command with SIGINT. */
async function interrupt(
  argv: readonly string[],
  { ending, interrupt }: Running,
  waits: Promise<unknown>,
): Promise<void> {
  await Promise.race([waits, ending]);
  interrupt();
  const { by, stderr } = await ending;
  expect([argv, by, stderr]).toEqual([argv, 130, expect.stringContaining('mop: interrupted')]);
}

const linesOf = (cases: readonly CommandCase[]) => cases.map(({ argv }) => argv);

/**
 * The command lines for processes: all of them in a long run; otherwise one for each group of
 * commands, which sends a request if possible.
 */
function sampled(cases: readonly CommandCase[]): (readonly string[])[] {
  if (isLong) return linesOf(cases);
  const groups = new Map<string | undefined, CommandCase>();
  for (const each of cases) {
    const [group] = each.argv;
    if (!groups.has(group) || (each.sendsRequest && !groups.get(group)?.sendsRequest)) {
      groups.set(group, each);
    }
  }
  return linesOf([...groups.values()]);
}

const SANDBOX = ['--env', 'sandbox'];

const SUBSCRIPTION = ['gql', 'subscription { rideProgress { step } }', '--count', '1'];

// The tests of secrets show that every command returns; here its process ends.
it('every group of commands ends after its result although the server keeps the connection', async () => {
  const url = await startKeepAliveServices();
  const workspace = await createWorkspace(url);
  const cases = PATHS.filter((path) => !SERVING.includes(path)).flatMap(
    (path) => COMMANDS[path]?.(workspace).slice(0, 1) ?? [],
  );
  const lines = [
    ...sampled(cases),
    ['bill', 'fetch', '--env', 'sandbox', '-o', 'sandbox/'],
    SUBSCRIPTION,
    [...SUBSCRIPTION, '--transport', 'ws'],
    [...SUBSCRIPTION, '--transport', 'ws', '--endpoint', `${url}/none`],
  ];
  const codes: readonly (number | string)[] = Object.values(EXIT_CODES);
  await checkAll(lines, async (argv) => {
    const { by, stderr } = await endOf(start(argv, workspace, servicesAt(url)));
    expect([OK, ...codes], `${argv.join(' ')}: ${stderr}`).toContain(by);
    // A process without a message would have ended because its event loop became empty.
    if (by !== OK) expect(stderr, argv.join(' ')).toMatch(/^(?:mop: |\{"error")/m);
  });
});

it('every command that calls a service ends with SIGINT while the service does not answer', async () => {
  const workspace = await createWorkspace(NOWHERE);
  const cases = allCases(workspace).filter(({ sendsRequest }) => sendsRequest);
  /** Interrupts a command that waits for a service of its own. */
  const check = async (
    argv: readonly string[],
    begin: (words: readonly string[], env: Record<string, string>) => Running,
  ): Promise<void> => {
    let onConnection = (): void => {};
    const connected = new Promise<void>((resolve) => {
      onConnection = resolve;
    });
    const url = `http://${await socketServer(onConnection)}`;
    const words = argv.map((word) => word.replace(workspace.url, url));
    await interrupt(words, begin(words, servicesAt(url)), connected);
  };
  await checkAll(linesOf(cases), (argv) =>
    check(argv, (words, env) => startHere(words, { env: { ...workspace.env, ...env } })),
  );
  await checkAll(sampled(cases), (argv) =>
    check(argv, (words, env) => runningIn(start(words, workspace, env))),
  );
});

it('every command that reads standard input ends with SIGINT while it waits for more', async () => {
  const workspace = await createWorkspace(NOWHERE);
  const reading = TREE.commands.filter((command) =>
    command.arguments.some(({ kind }) => kind === '@file'),
  );
  expect(Object.keys(READERS)).toEqual(expect.arrayContaining(reading.map(({ path }) => path)));
  for (const [path, words] of Object.entries(READERS)) {
    const argv = [...path.split(' ').slice(1), ...words(workspace)];
    const stdin = new PassThrough();
    await interrupt(argv, startHere(argv, { env: workspace.env, stdin }), hasRead(stdin));
    if (!isLong && !READING_PROCESSES.includes(path)) continue;
    const child = start(argv, workspace);
    await interrupt(argv, runningIn(child), hasRead(child.stdin));
  }
});

it.each([
  ['sandbox', '/api/detect', []],
  ['proxy', '/open/v1/x', ['--env', 'sandbox']],
])('a %s ends with SIGINT while a client keeps its connection', async (name, path, options) => {
  const argv = [name, '--port', '0', ...options];
  const child = start(argv, await createWorkspace(NOWHERE));
  const [announced] = await once(child.stdout, 'data');
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(String(announced)) ?? [];
  const client = connect(Number(port)).on('error', () => {});
  onTestFinished(() => void client.destroy());
  client.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n`);
  await once(client, 'connect');
  await interrupt(argv, runningIn(child), Promise.resolve());
});

it('a command that computes without a turn of the event loop ends soon with SIGTERM', async () => {
  const workspace = await createWorkspace(NOWHERE);
  const line = '2026-01-01 INFO {"level":1,"msg":"x sign y"}\n';
  await writeFile(workspace.at('log.txt'), line.repeat(750_000));
  await writeFile(
    workspace.at('hook.cjs'),
    `const { decode } = TextDecoder.prototype;
     TextDecoder.prototype.decode = function (...given) {
       const text = decode.apply(this, given);
       if (text.length > 1e6) require('node:fs').writeSync(2, 'the search begins');
       return text;
     };`,
  );
  const child = start(['sign', 'verify', `@${workspace.at('log.txt')}`, ...SANDBOX], workspace, {
    NODE_OPTIONS: `--require=${workspace.at('hook.cjs')}`,
  });
  const ending = endOf(child);
  await once(child.stderr, 'data');
  await sleep(200);
  const from = performance.now();
  child.kill('SIGTERM');
  // By the default action while it computes, and by the listener between two of its steps.
  const { by, stderr } = await ending;
  expect(['SIGTERM', 143], stderr).toContain(by);
  // It would compute for a quarter of a minute; a machine with other work needs seconds to end it.
  expect(performance.now() - from).toBeLessThan(6000);
});

it('two simultaneous signals, as from npm and a terminal, count as one', async () => {
  const child = start(['detect', '-'], await createWorkspace(NOWHERE));
  const ending = endOf(child);
  await hasRead(child.stdin);
  child.kill('SIGINT');
  child.kill('SIGTERM');
  // Either signal may arrive first.
  const { by, stderr } = await ending;
  expect([130, 143], stderr).toContain(by);
});

/** A pipe without a reader, filled completely. Returns its descriptor for a child process. */
function fullPipe({ at }: Workspace): number {
  execFileSync('mkfifo', [at('full')]);
  const { O_RDWR, O_WRONLY, O_NONBLOCK } = constants;
  const writer = openSync(at('full'), O_RDWR | O_NONBLOCK);
  const inherited = openSync(at('full'), O_WRONLY);
  onTestFinished(() => [writer, inherited].forEach(closeSync));
  expect(() => {
    for (;;) writeSync(writer, Buffer.alloc(512));
  }).toThrow('EAGAIN');
  return inherited;
}

it.each([[['--version']], [['sign', '{"a":1}']]])(
  'a signal ends %j, which writes to a full pipe',
  async (argv) => {
    const workspace = await createWorkspace(NOWHERE);
    await writeFile(
      workspace.at('hook.cjs'),
      `const timer = setInterval(() => {
         if (process.listenerCount('SIGTERM') === 0) return;
         clearInterval(timer);
         require('node:fs').writeSync(2, 'the event loop runs');
       });`,
    );
    const child = spawn(process.execPath, ['--require', workspace.at('hook.cjs'), BIN, ...argv], {
      env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...workspace.env },
      stdio: ['ignore', fullPipe(workspace), 'pipe'],
      timeout: MAX_WAIT_MS,
      killSignal: 'SIGKILL',
    });
    await once(child.stderr as Readable, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  },
);

/** Creates a pipe without a writer: reading it blocks a thread. */
function silentPipe({ at }: Workspace): string {
  execFileSync('mkfifo', [at('pipe')]);
  return at('pipe');
}

/** Resolves once a process has opened the pipe for reading. */
async function isRead(pipe: string): Promise<void> {
  const { O_WRONLY, O_NONBLOCK } = constants;
  const open = () => openSync(pipe, O_WRONLY | O_NONBLOCK);
  const fd = await vi.waitFor(open, { timeout: MAX_WAIT_MS });
  onTestFinished(() => closeSync(fd));
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a command that cannot handle SIGINT ends with a following %s',
  async (second) => {
    const workspace = await createWorkspace(NOWHERE);
    const pipe = silentPipe(workspace);
    const child = start(['call', '/x', '{}', '--ca-file', pipe], workspace);
    const ending = endOf(child);
    await isRead(pipe);
    child.kill('SIGINT');
    await sleep(100);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    child.kill(second);
    expect(await ending).toMatchObject({ by: second });
  },
);

it('a signal that arrives while a capture is decoded ends sign verify', async () => {
  const workspace = await createWorkspace(NOWHERE);
  await writeFile(workspace.at('capture.txt'), 'not a request\n');
  await writeFile(
    workspace.at('hook.cjs'),
    `const { decode } = TextDecoder.prototype;
     TextDecoder.prototype.decode = function (...given) {
       const text = decode.apply(this, given);
       if (text === 'not a request\\n') process.kill(process.pid, 'SIGTERM');
       return text;
     };`,
  );
  const child = start(['sign', 'verify', '@capture.txt'], workspace, {
    NODE_OPTIONS: `--require=${workspace.at('hook.cjs')}`,
  });
  expect(await endOf(child)).toMatchObject({ by: 'SIGTERM' });
});

/** Node ends a process only after its threads. */
describe('a command with a blocked thread', () => {
  async function blocked(more: string) {
    const workspace = await createWorkspace(NOWHERE);
    const pipe = silentPipe(workspace);
    await writeFile(
      workspace.at('block.cjs'),
      `require('node:fs').readFile(${JSON.stringify(pipe)}, () => {}); ${more}`,
    );
    const child = start(['detect', '-'], workspace, {
      NODE_OPTIONS: `--require=${workspace.at('block.cjs')}`,
    });
    const ending = endOf(child);
    await hasRead(child.stdin);
    child.kill('SIGINT');
    return { child, ending };
  }

  it('ends with a second signal', async () => {
    const { child, ending } = await blocked('');
    await once(child.stderr, 'data');
    await sleep(100);
    expect(child.signalCode).toBe(null);
    child.kill('SIGINT');
    expect(await ending).toMatchObject({ by: 'SIGINT' });
  });

  it('ends with the first signal when the thread looks up a name', async () => {
    // No name is reliably slow to look up.
    const lookup = `process.getActiveResourcesInfo = () => ['GetAddrInfoReqWrap']`;
    const { by, stderr } = await (await blocked(lookup)).ending;
    expect([by, stderr]).toEqual(['SIGINT', expect.stringContaining('mop: interrupted')]);
  });
});

it('writes standard error completely to a late reader', async () => {
  const { url } = await serve((_, response) => response.end(`${'x'.repeat(50_000)}\n`.repeat(4)));
  const script = '"$0" "$1" health --verbose 2>&1 >/dev/null | (sleep 0.5; wc -c)';
  const env = { ...process.env, MOP_DETECT_URL: url };
  const shell = spawn('sh', ['-c', script, process.execPath, BIN], { env });
  expect(Number(await text(shell.stdout))).toBeGreaterThan(200_000);
});
