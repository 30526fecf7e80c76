import { isUtf8 } from 'node:buffer';
import { MopError } from '../errors.ts';
import type { Encoding } from './rows-file.ts';

export interface Place {
  readonly path: string;
  /** The number of the first line, from 1. */
  readonly firstLine: number;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Whole lines in UTF-8, without the byte order mark of the first one.
 *
 * @throws {MopError} `usage` for bytes that are invalid in `encoding`, with their line and column.
 */
export function toUtf8(lines: Buffer, encoding: Encoding, place: Place): Buffer {
  const text = converted(lines, encoding);
  if (text === undefined) throw invalidBytes(withoutMark(lines), encoding, place);
  return place.firstLine === 1 ? withoutMark(text) : text;
}

function converted(bytes: Buffer, encoding: Encoding): Buffer | undefined {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes : undefined;
  const text = decode(bytes, encoding);
  return text === undefined ? undefined : Buffer.from(text);
}

function withoutMark(bytes: Buffer): Buffer {
  return hasUtf8Mark(bytes) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** Whether a text begins with the byte order mark of UTF-8. */
export function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
}

function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function invalidBytes(lines: Buffer, encoding: Encoding, { path, firstLine }: Place): MopError {
  let line = firstLine;
  let start = 0;
  let end = lineEnd(lines, start);
  while (end < lines.length && decode(lines.subarray(start, end), encoding) !== undefined) {
    line++;
    start = end;
    end = lineEnd(lines, start);
  }
  const column = validCharacters(lines.subarray(start, end), encoding) + 1;
  const name = encoding.toUpperCase();
  const message = `${path}, line ${line}, column ${column}: the bytes are not valid ${name}`;
  return new MopError('usage', message, { hint: hintFor(lines, encoding) });
}

function lineEnd(bytes: Uint8Array, start: number): number {
  const newline = bytes.indexOf(0x0a, start);
  return newline === -1 ? bytes.length : newline + 1;
}

/** The number of characters before the first invalid byte of a line. */
function validCharacters(line: Uint8Array, encoding: Encoding): number {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let characters = 0;
  try {
    for (const byte of line) {
      characters += [...decoder.decode(Uint8Array.of(byte), { stream: true })].length;
    }
    decoder.decode();
  } catch {
    // The next byte is invalid.
  }
  return characters;
}

/** UTF-16 begins with a byte order mark, an Excel workbook with the signature of a ZIP archive. */
function hintFor([first, second]: Uint8Array, encoding: Encoding): string {
  if (first === 0xff && second === 0xfe) return 'the file is UTF-16: save it as CSV in UTF-8';
  if (first === 0x50 && second === 0x4b) return 'the file looks like a workbook: export it as CSV';
  return encoding === 'utf-8'
    ? 'if the file is in GBK or GB18030, add --encoding gb18030'
    : 'if the file is in UTF-8, leave out --encoding';
}
