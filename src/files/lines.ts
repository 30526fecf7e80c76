const BLOCK_BYTES = 256 * 1024;
const LINE_BREAK = 0x0a;

interface ReadableFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

/** The offsets in a file where lines start and end, line breaks included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Receives a line without its line break; undefined for a line of 256 KiB or more. */
type OnLine = (text: string | undefined, range: LineRange) => void;

/**
 * Reads the lines of a file one after the other, in constant memory.
 *
 * @param from The offset of the first line.
 * @param signal Stops reading and throws its reason.
 * @returns The offset after the last line break. A last line without a line break is also passed to
 *   `onLine`.
 */
export async function eachLine(
  file: ReadableFile,
  from: number,
  onLine: OnLine,
  signal?: AbortSignal,
): Promise<number> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let lineStart = from;
  /**
   * The file offset of the first byte in the block. It is after `lineStart` if the line is too long.
   */
  let offset = from;
  let filled = 0;
  const emit = (start: number, end: number, next: number): void => {
    const isWhole = lineStart === offset + start;
    const range = { start: lineStart, end: offset + next };
    onLine(isWhole ? block.toString('utf8', start, end) : undefined, range);
    lineStart = range.end;
  };
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(block, filled, BLOCK_BYTES - filled, offset + filled);
    if (bytesRead === 0) break;
    const seen = filled;
    filled += bytesRead;
    const bytes = block.subarray(0, filled);
    let start = 0;
    let end = bytes.indexOf(LINE_BREAK, seen);
    for (; end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      emit(start, end, end + 1);
      start = end + 1;
    }
    // A line that fills the block is too long: discard its bytes.
    if (start === 0 && filled === BLOCK_BYTES) start = filled;
    block.copyWithin(0, start, filled);
    offset += start;
    filled -= start;
  }
  const whole = lineStart;
  if (offset + filled > lineStart) emit(0, filled, filled);
  return whole;
}
