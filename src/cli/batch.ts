import { pMapIterable } from 'p-map';
import { MopError } from '../errors.ts';
import type { Context } from './context.ts';
import { sharedFailure } from './failures.ts';
import { decodeUtf8, inputChunks } from './input.ts';
import type { Io } from './io.ts';
import { errorObject } from './output.ts';

/** A line of a batch. */
interface Line {
  /** From 1, empty lines included. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * Runs `work` over the lines of a file or of standard input (`-`), several at once, and prints a
 * JSON document for each in their order; where one fails, its error stands in its place. Empty
 * lines are passed over.
 *
 * @param work Gives the JSON text for a line.
 * @throws {MopError} When all have been printed: the failure that failed lines share, or `mixed`.
 */
export async function runBatch(
  source: string,
  concurrency: number,
  work: (line: string) => Promise<string>,
  context: Context,
): Promise<void> {
  const { output, io } = context;
  const errors: MopError[] = [];
  let count = 0;
  const results = pMapIterable(
    linesOf(source, io),
    async ({ number, bytes }) => {
      try {
        return await work(lineText(bytes));
      } catch (error) {
        io.signal.throwIfAborted();
        if (error instanceof MopError) return atLine(number, error);
        throw error;
      }
    },
    { concurrency },
  );
  for await (const result of results) {
    count++;
    if (typeof result === 'string') {
      await output.data(result);
    } else {
      errors.push(result);
      await output.redacted({ error: errorObject(result) });
    }
  }
  const failure = sharedFailure(
    errors,
    ({ message }) => `${errors.length} of ${count} lines failed, the first with: ${message}`,
  );
  if (failure) throw failure;
}

function lineText(bytes: Uint8Array): string {
  if (bytes.length <= MAX_LINE_BYTES) return decodeUtf8(bytes, 'it');
  throw new MopError('usage', 'it has more than 16 MiB', { hint: 'a line is one JSON document' });
}

function atLine(number: number, { code, message, details }: MopError): MopError {
  return new MopError(code, `line ${number}: ${message}`, details);
}

async function* linesOf(source: string, io: Io): AsyncGenerator<Line> {
  let number = 0;
  for await (const bytes of split(inputChunks(source, io))) {
    number++;
    if (bytes.some((byte) => !WHITE_SPACE.includes(byte))) yield { number, bytes };
  }
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;
const WHITE_SPACE = [0x20, 0x09, 0x0d];

/** Splits bytes at line feeds. Of a line that is too long no more is kept than shows it. */
async function* split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    length += piece.length;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield Buffer.concat(pieces);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  yield Buffer.concat(pieces);
}
