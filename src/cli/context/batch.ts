import { pMapIterable } from 'p-map';
import { MopError } from '../../errors.ts';
import { BatchProgress } from './batch-progress.ts';
import type { Context } from './context.ts';
import { asExpected, errorObject } from './error-json.ts';
import { sharedFailure } from './failures.ts';
import { decodeUtf8 } from './input.ts';
import { BrokenPipe } from './output.ts';

export interface LineResult {
  /** The JSON to print; without it the failure is printed in its place. */
  readonly json?: string | undefined;
  /** Why the line counts as failed although it is printed. */
  readonly failure?: MopError | undefined;
}

export interface BatchOptions<Result extends LineResult> {
  readonly work: (line: string) => Promise<Result>;
  /** How many lines are worked on at once. */
  readonly concurrency: number;
  /** Called for each line in input order, before it is printed; `number` counts from 1. */
  readonly onLine?: (number: number, outcome: Result | MopError) => void;
  /** Continues when the output is closed, because a report or an exit code needs all lines. */
  readonly toTheEnd?: boolean;
  /** The file of lines that may change something, or `-`: a signal then names those in flight. */
  readonly unrepeatable?: string | undefined;
}

/**
 * Processes lines concurrently, and prints a JSON document for each in input order; for a failed
 * line, its error. Empty lines are skipped. After a signal no line is started; finished lines are
 * printed, and the others fail with the signal.
 *
 * @returns The failure that failed lines share, or `mixed`; undefined when all lines succeeded.
 * @throws {MopError} The reason of the signal with the progress, once the lines are printed.
 */
export async function runBatch<Result extends LineResult>(
  chunks: AsyncIterable<Uint8Array>,
  options: BatchOptions<Result>,
  context: Context,
): Promise<MopError | undefined> {
  const { signal } = context.io;
  const progress = new BatchProgress();
  try {
    const tally = await printBatch(chunks, options, progress, context);
    signal.throwIfAborted();
    return tally.failure();
  } catch (error) {
    const isStopped = error instanceof MopError && error === signal.reason;
    throw isStopped ? progress.interruption(error, options.unrepeatable) : error;
  }
}

async function printBatch<Result extends LineResult>(
  chunks: AsyncIterable<Uint8Array>,
  { work, concurrency, onLine, toTheEnd = false }: BatchOptions<Result>,
  progress: BatchProgress,
  { output, io: { signal } }: Context,
): Promise<Tally> {
  const tally = new Tally();
  let isRead = true;
  const outcomes = pMapIterable(
    linesOf(chunks, signal),
    async ({ number, bytes }) => {
      progress.begin(number);
      try {
        const outcome = await work(lineText(bytes));
        progress.end(number, false);
        return { number, outcome };
      } catch (thrown) {
        const reason = signal.aborted ? asExpected(signal.reason) : undefined;
        const error = thrown instanceof MopError ? thrown : (reason ?? thrown);
        if (!(error instanceof MopError)) throw error;
        if (error.code !== reason?.code) progress.end(number, true);
        return { number, outcome: atLine(number, error) };
      }
    },
    { concurrency },
  );
  for await (const { number, outcome } of outcomes) {
    onLine?.(number, outcome);
    const isError = outcome instanceof MopError;
    const failure = isError ? outcome : outcome.failure && atLine(number, outcome.failure);
    tally.add(failure);
    if (!isRead) continue;
    try {
      const json = isError ? undefined : outcome.json;
      if (json !== undefined) await output.jsonText(json);
      else if (failure) await output.redacted({ error: errorObject(failure) });
    } catch (error) {
      if (!toTheEnd || !(error instanceof BrokenPipe)) throw error;
      isRead = false;
    }
  }
  return tally;
}

/**
 * {@link runBatch} for work that waits for nothing, many times faster: the results of a piece of
 * the input are written at once.
 *
 * @param work Returns the line to print. It must not wait.
 */
export async function runSyncBatch(
  chunks: AsyncIterable<Uint8Array>,
  work: (line: string, number: number) => string,
  { output }: Context,
): Promise<MopError | undefined> {
  const tally = new Tally();
  for await (const lines of linesByChunk(chunks)) {
    let printed: string[] = [];
    const flush = async (): Promise<void> => {
      if (printed.length > 0) await output.jsonText(printed.join('\n'));
      printed = [];
    };
    for (const { number, bytes } of lines) {
      try {
        printed.push(work(lineText(bytes), number));
        tally.add();
      } catch (error) {
        if (!(error instanceof MopError)) throw error;
        const failure = atLine(number, error);
        tally.add(failure);
        await flush();
        await output.redacted({ error: errorObject(failure) });
      }
    }
    await flush();
  }
  return tally.failure();
}

/** The outcomes of lines. Of the failures it keeps the first of each kind: the end needs no more. */
class Tally {
  readonly #errors: MopError[] = [];
  #count = 0;
  #failed = 0;

  add(failure?: MopError): void {
    this.#count++;
    if (!failure) return;
    this.#failed++;
    if (this.#errors.every(({ code }) => code !== failure.code)) this.#errors.push(failure);
  }

  /** The failure that failed lines share, or `mixed`; undefined when none failed. */
  failure(): MopError | undefined {
    return sharedFailure(
      this.#errors,
      ({ message }) => `${this.#failed} of ${this.#count} lines failed, such as ${message}`,
    );
  }
}

function lineText(bytes: Uint8Array): string {
  if (bytes.length <= MAX_LINE_BYTES) return decodeUtf8(bytes, 'it');
  throw new MopError('usage', 'it has more than 16 MiB', { hint: 'a line is one record' });
}

function atLine(number: number, { code, message, details }: MopError): MopError {
  return new MopError(code, `line ${number}: ${message}`, details);
}

interface Line {
  /** Counts from 1, empty lines included. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  for await (const lines of linesByChunk(chunks)) {
    for (const line of lines) {
      if (signal.aborted) return;
      yield line;
    }
  }
}

/** The lines that are not empty, those that end in one chunk together. */
async function* linesByChunk(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let number = 0;
  for await (const lines of split(chunks)) {
    yield lines
      .map((bytes): Line => ({ number: ++number, bytes }))
      .filter(({ bytes }) => bytes.some((byte) => !WHITE_SPACE.includes(byte)));
  }
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;
const WHITE_SPACE = [0x20, 0x09, 0x0d];

/** Splits bytes at line feeds. Of a line that is too long no more is kept than shows it. */
async function* split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[]> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    length += piece.length;
  };
  for await (const chunk of chunks) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      lines.push(Buffer.concat(pieces));
      pieces = [];
      length = 0;
      start = end + 1;
    }
    add(chunk.subarray(start));
    yield lines;
  }
  yield [Buffer.concat(pieces)];
}
