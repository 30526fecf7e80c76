import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { MOP } from '../../src/cli/commands.ts';
import type { Io } from '../../src/cli/context/io.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import {
  type CommandTree,
  readTree,
  type TreeCommand,
  valuedNames,
} from '../../src/cli/frame/command-tree.ts';
import { buildProgram } from '../../src/cli/frame/program.ts';
import { main } from '../../src/cli/main.ts';
import { WITHOUT_CONFIG } from './without-config.ts';

/** 13:00 on 20 November 2026 in Shanghai: yesterday's bill is ready, in Newfoundland it is night. */
export const NOW = Date.UTC(2026, 10, 20, 5, 0, 0);

export interface CliWorld {
  readonly env?: Record<string, string>;
  /** The content of standard input, or the stream itself. Default: a terminal. */
  readonly stdin?: string | Uint8Array | Io['stdin'];
  readonly stdoutIsTerminal?: boolean;
  /** Receives each write to standard output, such as the address of a server. */
  readonly onStdout?: (text: string) => void;
  /** Receives each write to standard error. */
  readonly onStderr?: (text: string) => void;
  /** The error code of every write to standard output, such as `EPIPE`. */
  readonly stdoutError?: string;
  readonly stderrIsTerminal?: boolean;
  readonly columns?: number;
  readonly now?: () => number;
  readonly sleep?: Io['sleep'];
  readonly signal?: AbortSignal;
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds of each wait, in order. */
  readonly waits: readonly number[];
}

/**
 * Runs a command line in this process, without the machine's environment. Asserts that the help of
 * the command lists the exit code.
 */
export async function mop(argv: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const { io, stdout, stderr, waits } = ioOf(world);
  const code = await main(argv, io);
  expectDocumented(argv, code);
  return { code, stdout: stdout.text(), stderr: stderr.text(), waits };
}

/** The streams, the environment and the clock of a command in this process. */
export function ioOf(world: CliWorld) {
  const stdout = new Sink(world.stdoutIsTerminal ?? false, world.columns, world.stdoutError);
  stdout.on('written', (text: string) => world.onStdout?.(text));
  const stderr = new Sink(world.stderrIsTerminal ?? false, world.columns);
  stderr.on('written', (text: string) => world.onStderr?.(text));
  const waits: number[] = [];
  const io: Io = {
    env: { MOP_CONFIG_DIR: WITHOUT_CONFIG, ...world.env },
    stdin: stdinOf(world.stdin),
    stdout,
    stderr,
    now: world.now ?? (() => NOW),
    sleep: async (ms, signal) => {
      waits.push(ms);
      await world.sleep?.(ms, signal);
    },
    signal: world.signal ?? new AbortController().signal,
  };
  return { io, stdout, stderr, waits };
}

let tree: CommandTree | undefined;

/** Asserts that the help of the command lists the exit code. */
function expectDocumented(argv: readonly string[], code: number): void {
  tree ??= readTree(buildProgram(MOP));
  const { path, exitCodes } = calledCommand(argv, tree);
  const documented = exitCodes.map((each) => each.code);
  // Only the help of --max-time lists this code, for every command.
  if (argv.includes('--max-time')) documented.push(EXIT_CODES.network);
  expect(documented, `the exit codes of ${path} --help`).toContain(code);
}

/** The command of a command line: its longest start that names a command, without options. */
export function calledCommand(
  argv: readonly string[],
  { name, globals, commands }: CommandTree,
): TreeCommand {
  const named = (path: string): TreeCommand | undefined =>
    commands.find((command) => command.path === path);
  let called = named(name) as TreeCommand;
  let options = [...globals, ...called.options];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (/^-./.test(word)) {
      // The value of an option is not a command. In a group of letters, the first one with a value
      // ends the group. The value is the rest of the word, or the next word.
      const names = word.startsWith('--') ? [word] : [...word.slice(1)].map((each) => `-${each}`);
      const valued = valuedNames(options);
      const first = names.findIndex((each) => valued.includes(each));
      if (first !== -1 && first === names.length - 1) at++;
      continue;
    }
    const child = named(`${called.path} ${word}`);
    if (!child) break;
    called = child;
    options = [...options, ...child.options];
  }
  return called;
}

function stdinOf(given: CliWorld['stdin']): Io['stdin'] {
  if (given === undefined) return Object.assign(new PassThrough(), { isTTY: true });
  if (given instanceof Readable) return given;
  return Readable.from([typeof given === 'string' ? Buffer.from(given) : given]);
}

/** The one JSON line that a failure writes with `--json`. */
export function errorOf({ stderr }: CliResult): Record<string, unknown> {
  const lines = stderr.trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '') as { error: Record<string, unknown> }).error;
}

/** A directory that is removed when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mop-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Adapts a stream to the output of a command. */
export function outputStream<Stream extends Writable>(stream: Stream): Stream & { stream: Stream } {
  return Object.assign(stream, { stream });
}

class Sink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly #chunks: Buffer[] = [];
  readonly #error: string | undefined;

  constructor(isTTY: boolean, columns = 80, error?: string) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
    this.#error = error;
    // As in the streams of the process, only the callback of the write receives the error.
    this.on('error', () => {});
  }

  get stream(): this {
    return this;
  }

  override _write(chunk: Buffer, _: string, done: (error?: Error) => void): void {
    if (this.#error === undefined) this.#chunks.push(Buffer.from(chunk));
    this.emit('written', chunk.toString());
    done(this.#error === undefined ? undefined : systemError(this.#error));
  }

  // Methods of a terminal. The position of the cursor does not matter here.
  cursorTo(): boolean {
    return true;
  }

  moveCursor(): boolean {
    return true;
  }

  clearLine(): boolean {
    return true;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
}
