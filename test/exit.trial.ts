/** Tests that every command ends as a process after its result, and after a signal. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { EXIT_CODES, OK } from '../src/cli/exit-codes.ts';
import { readTree } from '../src/cli/frame/command-tree.ts';
import { buildProgram } from '../src/cli/frame/program.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { socketServer } from './http/support.ts';
import { COMMANDS } from './secrets/commands.ts';
import { createWorkspace, type Workspace } from './secrets/workspace.ts';
import { pointAt } from './support/platform.ts';
import { BIN } from './support/process.ts';
import { listen, serve } from './support/server.ts';

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
const READERS: Readonly<Record<string, readonly string[]>> = {
  'mop sign': ['-'],
  'mop sign explain': ['-'],
  'mop sign verify': ['-'],
  'mop account link': ['--user', '1', '--encrypt-data', '-', '--encrypt-id', '1'],
  'mop decode': ['-', '1'],
  'mop call': ['/x', '-'],
  'mop detect': ['-'],
  'mop gql': ['-'],
  'mop gql run': ['-', '--schema', 'schema.graphql', '--data', 'data.json'],
  'mop sandbox encrypt': ['-'],
  'mop config set': ['api_secret'],
};

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

/** The exit code of a process, or the signal that ended it, and its standard error. */
async function endOf(
  child: ChildProcessWithoutNullStreams,
): Promise<{ readonly by: number | string; readonly stderr: string }> {
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_WAIT_MS);
  const [[code, signal], stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stderr),
    text(child.stdout),
  ]);
  clearTimeout(timer);
  return { by: code ?? signal, stderr };
}

/** Writes more than a pipe holds; resolves once the process has read some. The pipe stays open. */
function hasRead(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  return new Promise((resolve) => child.stdin.write(' '.repeat(300_000), resolve));
}

/** Checks each command line, a few concurrently. */
async function checkAll(
  lines: readonly (readonly string[])[],
  check: (argv: readonly string[]) => Promise<void>,
): Promise<void> {
  expect(lines).not.toHaveLength(0);
  await pMap(lines, check, { concurrency: CONCURRENCY, stopOnError: false });
}

/** Ends a waiting process with SIGINT. */
async function interrupt(
  argv: readonly string[],
  child: ChildProcessWithoutNullStreams,
  waits: Promise<unknown>,
): Promise<void> {
  const ending = endOf(child);
  await Promise.race([waits, ending]);
  child.kill('SIGINT');
  const { by, stderr } = await ending;
  expect([argv, by, stderr]).toEqual([argv, 130, expect.stringContaining('mop: interrupted')]);
}

/** The command lines of a command. */
function linesOf(
  path: string,
  workspace: Workspace,
  { onlineOnly = false } = {},
): (readonly string[])[] {
  const cases = COMMANDS[path]?.(workspace) ?? expect.fail(`COMMANDS does not contain ${path}`);
  return cases.filter(({ sendsRequest }) => sendsRequest || !onlineOnly).map(({ argv }) => argv);
}

const SANDBOX = ['--env', 'sandbox'];

const SUBSCRIPTION = ['gql', 'subscription { rideProgress { step } }', '--count', '1'];

it('every command ends after its result although the server keeps the connection', async () => {
  const url = await startKeepAliveServices();
  const workspace = await createWorkspace(url);
  const lines = [
    ...PATHS.filter((path) => !SERVING.includes(path)).flatMap((path) =>
      linesOf(path, workspace).slice(0, 1),
    ),
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
  const lines = PATHS.flatMap((path) => linesOf(path, workspace, { onlineOnly: true }));
  await checkAll(lines, async (argv) => {
    let onConnection = (): void => {};
    const connected = new Promise<void>((resolve) => {
      onConnection = resolve;
    });
    const url = `http://${await socketServer(onConnection)}`;
    const words = argv.map((word) => word.replace(workspace.url, url));
    await interrupt(words, start(words, workspace, servicesAt(url)), connected);
  });
});

it('every command that reads standard input ends with SIGINT while it waits for more', async () => {
  const workspace = await createWorkspace(NOWHERE);
  const reading = TREE.commands.filter((command) =>
    command.arguments.some(({ kind }) => kind === '@file'),
  );
  expect(Object.keys(READERS)).toEqual(expect.arrayContaining(reading.map(({ path }) => path)));
  const lines = Object.entries(READERS).map(([path, words]) => [
    ...path.split(' ').slice(1),
    ...words,
  ]);
  await checkAll(lines, async (argv) => {
    const child = start(argv, workspace);
    await interrupt(argv, child, hasRead(child));
  });
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
  await interrupt(argv, child, Promise.resolve());
});

it('a command that computes without a turn of the event loop ends soon with SIGTERM', async () => {
  const workspace = await createWorkspace(NOWHERE);
  const line = '2026-01-01 INFO {"level":1,"msg":"x sign y"}\n';
  await writeFile(workspace.at('log.txt'), line.repeat(1_500_000));
  const child = start(['sign', 'verify', `@${workspace.at('log.txt')}`, ...SANDBOX], workspace);
  const ending = endOf(child);
  await sleep(3000);
  const from = performance.now();
  child.kill('SIGTERM');
  // By the default action while it computes, and by the listener between two of its steps.
  const { by, stderr } = await ending;
  expect(['SIGTERM', 143], stderr).toContain(by);
  // It would compute for half a minute; a machine with other work needs seconds to end it.
  expect(performance.now() - from).toBeLessThan(6000);
});

it('two simultaneous signals, as from npm and a terminal, count as one', async () => {
  const child = start(['detect', '-'], await createWorkspace(NOWHERE));
  const ending = endOf(child);
  await hasRead(child);
  child.kill('SIGINT');
  child.kill('SIGTERM');
  // Either signal may arrive first.
  const { by, stderr } = await ending;
  expect([130, 143], stderr).toContain(by);
});

it('a second signal ends a command that waits for standard error, with the exit code', async () => {
  const workspace = await createWorkspace(NOWHERE);
  await writeFile(
    workspace.at('mute.cjs'),
    `require('node:fs').writeSync = () => { throw new Error(); };
     process.stderr.write = () => setInterval(() => {}, 1000);`,
  );
  const child = start(['detect', '-'], workspace, {
    NODE_OPTIONS: `--require=${workspace.at('mute.cjs')}`,
  });
  const ending = endOf(child);
  await hasRead(child);
  child.kill('SIGINT');
  await sleep(100);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  child.kill('SIGTERM');
  expect(await ending).toMatchObject({ by: 143 });
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
    await hasRead(child);
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
