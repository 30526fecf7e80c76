import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';

/** 13:00 on 20 November 2026 in Shanghai: yesterday's bill is ready, in Newfoundland it is night. */
export const NOW = Date.UTC(2026, 10, 20, 5, 0, 0);

export interface CliWorld {
  readonly env?: Record<string, string>;
  /** What a pipe delivers on standard input; a terminal when left out. */
  readonly stdin?: string;
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

/** Runs a command line in this process, with nothing of the machine's environment. */
export async function mop(argv: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const stdout = new Sink(false, world.columns);
  const stderr = new Sink(world.stderrIsTerminal ?? false, world.columns);
  const waits: number[] = [];
  const io: Io = {
    env: { MOP_CONFIG_DIR: join(tmpdir(), 'mop-test-has-no-config'), ...world.env },
    stdin:
      world.stdin === undefined
        ? Object.assign(new PassThrough(), { isTTY: true })
        : Readable.from([Buffer.from(world.stdin)]),
    stdout,
    stderr,
    now: world.now ?? (() => NOW),
    sleep: async (ms, signal) => {
      waits.push(ms);
      await world.sleep?.(ms, signal);
    },
    signal: world.signal ?? new AbortController().signal,
  };
  const code = await main(argv, io);
  return { code, stdout: stdout.text(), stderr: stderr.text(), waits };
}

/** The one JSON line that a failure writes with `--json`. */
export function errorOf({ stderr }: CliResult): Record<string, unknown> {
  const lines = stderr.trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '') as { error: Record<string, unknown> }).error;
}

/** A directory that goes when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mop-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

class Sink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly #chunks: Buffer[] = [];

  constructor(isTTY: boolean, columns = 80) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
