import { captureError } from './capture-error.ts';
import type { CaptureEntry, CaptureReader } from './capture-reader.ts';
import type { CapturedRequest } from './captured-request.ts';
import { readHttpMessage } from './http-message.ts';

/** The line above each piece; `--trace-time` and `--trace-ids` print a prefix. */
const PIECE =
  /(?:=>|<=|==) (Send header|Send data|[A-Z][\w ()/.]{2,30})(?:, (\d+) bytes? \(0x[\da-f]+\)|:)/;
const PIECE_IN_TEXT = /=> Send (?:header|data), \d+ bytes? \(0x/;
const DUMP = /^[ \t]{0,8}([\da-f]{4,8}): ?(.*)$/;
/** Bytes in a line of `--trace`, printed as two digits and a space each. */
const HEX_COLUMNS = 16;
const HEX_LINE = /^(?:[\da-f]{2}(?: |$)){1,16}/;

interface Piece {
  readonly isHeader: boolean;
  /** In bytes. */
  readonly size: number;
  readonly lines: DumpLine[];
}

interface DumpLine {
  readonly offset: number;
  readonly text: string;
}

/**
 * Reads the requests of `curl --trace` or `--trace-ascii`. The first contains every byte; the second
 * has a dot for each byte that is not printable ASCII.
 */
export const CURL_TRACE: CaptureReader = {
  format: 'curl-trace',
  isFormat: ({ text }) => PIECE_IN_TEXT.test(text),
  read: (capture) => entriesOf(capture.textAs('curl-trace')),
};

function entriesOf(text: string): readonly CaptureEntry[] {
  const messages: Piece[][] = [];
  for (const piece of sentPieces(text)) {
    // A long header is sent in several pieces.
    const isNext = piece.isHeader && messages.at(-1)?.at(-1)?.isHeader !== true;
    if (isNext) messages.push([]);
    messages.at(-1)?.push(piece);
  }
  return messages.map((pieces) => ({
    looksSigned: true,
    read: () => readMessage(pieces),
  }));
}

function sentPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let current: Piece | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, kind, size] = PIECE.exec(line) ?? [];
    if (kind !== undefined) {
      const isSent = kind === 'Send header' || kind === 'Send data';
      current = isSent
        ? { isHeader: kind === 'Send header', size: Number(size ?? 0), lines: [] }
        : undefined;
      if (current) pieces.push(current);
    } else {
      const [, offset, content = ''] = DUMP.exec(line) ?? [];
      if (offset !== undefined) {
        current?.lines.push({ offset: Number.parseInt(offset, 16), text: content });
      }
    }
  }
  return pieces;
}

function readMessage(pieces: readonly Piece[]): CapturedRequest {
  if (!pieces.some(({ isHeader }) => !isHeader)) {
    throw captureError(
      'curl-trace',
      'it has no "=> Send data": the request has no body, or the trace is cut off',
      'copy the whole trace, up to the response',
    );
  }
  return readHttpMessage(
    new Uint8Array(Buffer.concat(pieces.map((piece) => pieceBytes(piece)))),
    'curl-trace',
  );
}

function pieceBytes(piece: Piece): Uint8Array {
  const bytes = isHex(piece) ? hexBytes(piece) : asciiBytes(piece);
  if (bytes.length === piece.size) return bytes;
  throw captureError(
    'curl-trace',
    `the trace has ${bytes.length} of the ${piece.size} bytes of a piece`,
    'copy the whole trace unchanged: an editor may have removed white space at line ends',
  );
}

function isHex({ lines, size }: Piece): boolean {
  return lines.every(({ offset, text }) => {
    const columns = HEX_LINE.exec(text)?.[0].trimEnd() ?? '';
    return Math.ceil(columns.length / 3) >= Math.min(HEX_COLUMNS, size - offset);
  });
}

function hexBytes({ lines, size }: Piece): Uint8Array {
  const digits = lines.map(({ offset, text }) =>
    text.slice(0, 3 * Math.max(0, Math.min(HEX_COLUMNS, size - offset))),
  );
  return new Uint8Array(Buffer.from(digits.join('').replace(/[^\da-f]/g, ''), 'hex'));
}

/** Lines end at CR LF or after 64 bytes; the offset of the next line distinguishes the two. */
function asciiBytes({ isHeader, lines, size }: Piece): Uint8Array {
  const text = lines.map(({ offset, text }, index) => {
    const length = (lines[index + 1]?.offset ?? size) - offset;
    // At most 66 bytes: a line of 64 and its end.
    if (length === text.length + 2) return `${text}\r\n`;
    return length <= 66 ? text.padEnd(length) : text;
  });
  const whole = text.join('');
  return Buffer.from(isHeader ? whole : withLineEnds(whole), 'latin1');
}

/**
 * Replaces the dots between the values of pretty-printed JSON, which can only be line feeds.
 *
 * @throws {MopError} `usage` for several dots in a row: a non-ASCII character has at least two
 *   bytes.
 */
function withLineEnds(body: string): string {
  let isString = false;
  const restored = body.replace(/\\.|"|\d\.(?=\d)|\./g, (token) => {
    if (token === '"') isString = !isString;
    return token === '.' && !isString ? '\n' : token;
  });
  const dots = /\.{2,}/.exec(restored)?.[0];
  if (dots === undefined) return restored;
  throw captureError(
    'curl-trace',
    `the body has ${dots.length} dots in a row, and --trace-ascii prints a dot for each byte that is not ASCII: characters may be lost`,
    'run the command again with --trace - instead of --trace-ascii -, which prints all bytes',
  );
}
