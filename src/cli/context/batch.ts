import { pMapIterable } from 'p-map';
import { MopError } from '../../errors.ts';
import { counted } from '../../files/counts.ts';
import { printJson } from '../../json/print.ts';
import { JsonSyntaxError } from '../../json/reader.ts';
import type { JsonMember } from '../../json/value.ts';
import { StopRule } from '../../platform/stop-rule.ts';
import { BatchProgress } from './batch-progress.ts';
import type { Context } from './context.ts';
import { errorObject, toMopError } from './error-json.ts';
import { sharedFailure, withExample } from './failures.ts';
import { decodeUtf8 } from './input.ts';
import { BrokenPipe } from './output.ts';

export interface LineResult {
  /** The JSON to print. If undefined, the failure is printed instead. */
  readonly json?: string | undefined;
  /** The failure of the line; printed if `json` is undefined. */
  readonly failure?: MopError | undefined;
}

export interface BatchOptions<Result extends LineResult> {
  /** @param number The number of the line, from 1. */
  readonly work: (line: string, number: number) => Promise<Result>;
  /** The maximum number of lines in flight. */
  readonly concurrency: number;
  /** Whether to try all lines, even when the rest must fail too. Default: they are skipped. */
  readonly keepGoing?: boolean | undefined;
  /** Called for each line in input order, before it is printed; `number` counts from 1. */
  readonly onLine?: (number: number, outcome: Result | MopError) => void;
  /** A line for a person, printed instead of the JSON. */
  readonly row?: ((number: number, outcome: Result | MopError) => string | undefined) | undefined;
  /** The members before the error of a line in its JSON. Called once for each line. */
  readonly placeOf?: (number: number) => readonly JsonMember[];
  /** Continue after the output is closed: a report or an exit code needs all lines. */
  readonly ignoresClosedOutput?: boolean;
  /** Whether a line may change data: the error after a signal then lists those in flight. */
  readonly changesData?: boolean | undefined;
}

/**
 * Processes lines concurrently, and prints a JSON document or an error for each, in input order.
 * Skips blank lines, and the lines after a failure that they must share ({@link StopRule}). After a
 * signal, starts no further line, prints the finished lines, and fails the lines in flight.
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
    throw isStopped ? progress.interruption(error, options.changesData) : error;
  }
}

async function printBatch<Result extends LineResult>(
  chunks: AsyncIterable<Uint8Array>,
  options: BatchOptions<Result>,
  progress: BatchProgress,
  { output, io: { signal } }: Context,
): Promise<Tally> {
  const { work, concurrency, keepGoing, onLine, row, placeOf } = options;
  const tally = new Tally();
  const rule = new StopRule(keepGoing);
  let hasReader = true;
  const outcomes = pMapIterable(
    linesOf(chunks, signal),
    async ({ number, bytes }) => {
      try {
        const outcome = await rule.run(() => {
          progress.begin(number);
          return work(lineText(bytes), number);
        });
        progress.end(number, false);
        return { number, outcome };
      } catch (thrown) {
        const reason = signal.aborted ? toMopError(signal.reason) : undefined;
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
    const members = placeOf?.(number) ?? [];
    const isError = outcome instanceof MopError;
    const failure = isError ? outcome : outcome.failure && atLine(number, outcome.failure);
    tally.add(failure);
    if (!hasReader) continue;
    try {
      const json = isError ? undefined : outcome.json;
      if (row) {
        const shown = row(number, outcome);
        if (shown !== undefined) await output.data(shown);
      } else if (json !== undefined) await output.jsonText(json);
      else if (failure) {
        const json = output.redactedJson({ error: errorObject(failure) });
        const place = printJson({ kind: 'object', members });
        await output.jsonText(place === '{}' ? json : `${place.slice(0, -1)},${json.slice(1)}`);
      }
    } catch (error) {
      if (!options.ignoresClosedOutput || !(error instanceof BrokenPipe)) throw error;
      hasReader = false;
    }
  }
  return tally;
}

/**
 * {@link runBatch} for synchronous work. It is many times faster, because it writes the results of
 * an input chunk at once. A signal ends it with the error of `chunks`.
 */
export async function runSyncBatch(
  chunks: AsyncIterable<Uint8Array>,
  work: (line: string, number: number) => string,
  { output }: Context,
): Promise<MopError | undefined> {
  const tally = new Tally();
  for await (const lines of linesByChunk(chunks)) {
    let pending: string[] = [];
    const flush = async (): Promise<void> => {
      if (pending.length > 0) await output.jsonText(pending.join('\n'));
      pending = [];
    };
    for (const { number, bytes } of lines) {
      try {
        pending.push(work(lineText(bytes), number));
        tally.add();
      } catch (error) {
        if (!(error instanceof MopError)) throw error;
        const failure = atLine(number, error);
        tally.add(failure);
        await flush();
        await output.redactedDocument({ error: errorObject(failure) });
      }
    }
    await flush();
  }
  return tally.failure();
}

/** Counts the outcomes of lines. To bound memory, keeps only the first failure of each code. */
class Tally {
  readonly #errors: MopError[] = [];
  #count = 0;
  #failed = 0;
  #skipped = 0;
  /** The failure after which lines were skipped. It decides, not an earlier one. */
  #stop: MopError | undefined;

  add(failure?: MopError): void {
    this.#count++;
    if (!failure) return;
    const { code, details } = failure;
    if (code === 'skipped') {
      this.#skipped++;
      if (details.cause instanceof MopError) this.#stop = details.cause;
      return;
    }
    this.#failed++;
    if (this.#errors.every((each) => each.code !== code)) this.#errors.push(failure);
  }

  /** The common failure of the failed lines, or `mixed`; undefined when none failed. */
  failure(): MopError | undefined {
    return sharedFailure(this.#stop ? [this.#stop] : this.#errors, ({ message }) => {
      const failed = `${this.#failed} of ${counted(this.#count, 'line')} failed`;
      const skipped =
        this.#skipped > 0 ? `, ${this.#skipped} skipped (--keep-going tries all)` : '';
      return withExample(failed + skipped, this.#failed, message);
    });
  }
}

function lineText(bytes: Uint8Array): string {
  if (bytes.length <= MAX_LINE_BYTES) return decodeUtf8(bytes, 'it');
  throw new MopError('usage', 'it has more than 16 MiB', { hint: 'put one record on each line' });
}

function atLine(number: number, { code, message, details }: MopError): MopError {
  // The JSON parser counts lines within the line of the batch.
  const isJsonFault = details.cause instanceof JsonSyntaxError;
  const fault = isJsonFault ? message.replace(/ at line 1 column (\d+)/, ' at column $1') : message;
  return new MopError(code, `line ${number}: ${fault}`, details);
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

/** The lines that are not blank, grouped by the chunk in which they end. */
async function* linesByChunk(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let number = 0;
  for await (const lines of splitLines(chunks)) {
    yield lines
      .map((bytes): Line => ({ number: ++number, bytes }))
      .filter(({ bytes }) => bytes.some((byte) => !WHITE_SPACE.includes(byte)));
  }
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;
const WHITE_SPACE = [0x20, 0x09, 0x0d];

/** Splits bytes at line feeds. Drops a part of a line that exceeds the limit, to bound memory. */
async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Uint8Array[]> {
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
