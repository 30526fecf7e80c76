import { MopError } from '../errors.ts';
import { emptyFile } from './dialect.ts';
import { InvalidBytes } from './encoding.ts';
import { CR, LF } from './row-scanner.ts';

/** A longer row probably has an unclosed quotation mark. */
export const MAX_ROW_BYTES = 16 * 1024 ** 2;
/** The end of a file in which closing lines are looked for. */
const TAIL_BYTES = 64 * 1024;

export interface Block {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Blocks of which the last has at least {@link TAIL_BYTES}, if there are as many. */
export async function* blocksOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let held: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of chunks) {
      if (held.length >= TAIL_BYTES && chunk.length >= TAIL_BYTES) {
        yield { bytes: held, isLast: false };
        held = chunk;
        continue;
      }
      const both = Buffer.concat([held, chunk]);
      const isLong = both.length > 4 * TAIL_BYTES;
      if (isLong) yield { bytes: both.subarray(0, -TAIL_BYTES), isLast: false };
      held = isLong ? both.subarray(-TAIL_BYTES) : both;
    }
  } catch (error) {
    // The rows before invalid bytes lead to their line.
    yield { bytes: held, isLast: false };
    throw error;
  }
  yield { bytes: held, isLast: true };
}

/** The beginning of a text. */
export interface TextStart {
  readonly start: Buffer;
  readonly isWhole: boolean;
  readonly rest: AsyncIterator<Buffer>;
}

/** The beginning of a text, with at least one line, and its other chunks. */
export async function withStart(chunks: AsyncGenerator<Buffer>, path: string): Promise<TextStart> {
  const held: Buffer[] = [];
  const beginning = (isWhole: boolean, rest: AsyncIterator<Buffer> = chunks): TextStart => {
    const start = Buffer.concat(held);
    if (isWhole && /^[\s\0]*$/.test(start.toString('latin1'))) throw emptyFile(path);
    return { start, isWhole, rest };
  };
  let [length, hasLine] = [0, false];
  try {
    while (length < TAIL_BYTES || (!hasLine && length < MAX_ROW_BYTES)) {
      const { value, done } = await chunks.next();
      if (done) return beginning(true);
      held.push(value);
      length += value.length;
      hasLine ||= value.includes(LF) || value.includes(CR);
    }
    return beginning(false);
  } catch (error) {
    if (!(error instanceof InvalidBytes)) throw error;
    if (!hasLine) throw invalidBytes(path, error, 1, Buffer.concat(held));
    return beginning(false, { next: () => Promise.reject(error) });
  }
}

/** The error for invalid bytes after `before`, which begins at `line`. */
export function invalidBytes(
  path: string,
  { message, encoding }: InvalidBytes,
  line: number,
  before: Uint8Array | undefined,
): MopError {
  const lines = Buffer.from(before ?? [])
    .toString()
    .split('\n');
  const column = before ? `, column ${[...(lines.at(-1) ?? '')].length + 1}` : '';
  return new MopError('usage', `${path}, line ${line + lines.length - 1}${column}: ${message}`, {
    hint:
      encoding === 'utf-8'
        ? 'if the file is in GBK or GB18030, add --encoding gb18030'
        : 'name the encoding of the file with --encoding, or save it as UTF-8',
  });
}
