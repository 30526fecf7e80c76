import { isAscii, isUtf8 } from 'node:buffer';
import { MopError, quoted } from '../errors.ts';
import { type Encoding, sourceName } from './rows-file.ts';

/** Invalid bytes; the bytes before them have been read. */
export class InvalidBytes extends Error {
  readonly encoding: Encoding;

  constructor(encoding: Encoding) {
    super(`the bytes are not valid ${encoding.toUpperCase()}`);
    this.encoding = encoding;
  }
}

export interface DetectedEncoding {
  /** Undefined while all bytes are ASCII. */
  encoding: Encoding | undefined;
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK);
}

const MARKS: readonly (readonly [mark: Buffer, encoding: Encoding])[] = [
  [UTF8_MARK, 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/**
 * Bytes as UTF-8, without a byte order mark. By default, the mark or the first bytes that are not
 * ASCII show the encoding. Throws {@link InvalidBytes} after all bytes before them.
 */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  given: Encoding | undefined,
  path: string,
  detected: DetectedEncoding,
): AsyncGenerator<Buffer> {
  let convert: ((bytes: Buffer, isLast: boolean) => Converted) | undefined;
  let isFirst = true;
  for await (const chunk of wholeStart(chunks)) {
    let bytes = chunk;
    if (isFirst) {
      isFirst = false;
      const mark = MARKS.find(([start]) => bytes.subarray(0, start.length).equals(start));
      assertNotUtf32(bytes, path);
      detected.encoding = mark?.[1] ?? given;
      if (mark) bytes = bytes.subarray(mark[0].length);
      else if (!given) assertOneBytePerCharacter(bytes, path);
      // Some programs write the mark twice.
      while (hasUtf8Mark(bytes)) bytes = bytes.subarray(UTF8_MARK.length);
    }
    if (!convert) {
      if (!detected.encoding) {
        if (isAscii(bytes)) {
          yield bytes;
          continue;
        }
        detected.encoding = detectEncoding(bytes, path);
      }
      convert = converter(detected.encoding);
    }
    yield* converted(convert(bytes, false), detected.encoding as Encoding);
  }
  if (convert) yield* converted(convert(Buffer.alloc(0), true), detected.encoding as Encoding);
}

interface Converted {
  readonly bytes: Buffer;
  readonly isValid: boolean;
}

function* converted({ bytes, isValid }: Converted, encoding: Encoding): Generator<Buffer> {
  if (bytes.length > 0) yield bytes;
  if (!isValid) throw new InvalidBytes(encoding);
}

/** Chunks of which the first is long enough for the detection, if the file is. */
async function* wholeStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (!start) {
      yield bytes;
      continue;
    }
    start = start.length > 0 ? Buffer.concat([start, bytes]) : bytes;
    if (start.length < DETECTION_BYTES) continue;
    yield start;
    start = undefined;
  }
  if (start && start.length > 0) yield start;
}

const DETECTION_BYTES = 4096;

function converter(encoding: Encoding): (bytes: Buffer, isLast: boolean) => Converted {
  if (encoding === 'utf-8') return utf8Checker();
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes, isLast) => {
    try {
      return { bytes: Buffer.from(decoder.decode(bytes, { stream: !isLast })), isValid: true };
    } catch {
      return { bytes: Buffer.from(validStart(bytes, encoding)), isValid: false };
    }
  };
}

function utf8Checker(): (bytes: Buffer, isLast: boolean) => Converted {
  let held: Buffer = Buffer.alloc(0);
  return (chunk, isLast) => {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    const end = isLast ? bytes.length : bytes.length - incompleteBytes(bytes);
    held = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (isUtf8(whole)) return { bytes: whole, isValid: true };
    return { bytes: Buffer.from(validStart(whole, 'utf-8')), isValid: false };
  };
}

/** The length of the character at the end of which bytes are missing (RFC 3629 section 3). */
function incompleteBytes(bytes: Uint8Array): number {
  for (let length = 1; length <= 3 && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const wanted = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return wanted > length ? length : 0;
  }
  return 0;
}

function validStart(bytes: Buffer, encoding: Encoding): string {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let text = '';
  try {
    for (const byte of bytes) text += decoder.decode(Uint8Array.of(byte), { stream: true });
  } catch {
    // The next byte is invalid.
  }
  return text;
}

function assertNotUtf32(bytes: Buffer, path: string): void {
  if (!/^(?:fffe0000|0000feff)/.test(bytes.subarray(0, 4).toString('hex'))) return;
  throw new MopError('usage', `${sourceName(path)} is UTF-32`, { hint: 'save the file as UTF-8' });
}

function assertOneBytePerCharacter(bytes: Uint8Array, path: string): void {
  const start = bytes.subarray(0, DETECTION_BYTES);
  const zeros = (parity: number): number =>
    start.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  // Zeros at the end of a file are padding: they are at even and odd positions.
  if (Math.max(even, odd) < start.length / 4 || Math.min(even, odd) > Math.max(even, odd) / 4)
    return;
  const encoding: Encoding = odd > even ? 'utf-16le' : 'utf-16be';
  throw new MopError('usage', `${sourceName(path)} is UTF-16 without a byte order mark`, {
    hint: quoted`add --encoding ${encoding}, or save the file as UTF-8`,
  });
}

/** The encoding of text that is not ASCII, and is not cut within its first characters. */
function detectEncoding(bytes: Buffer, path: string): Encoding {
  if (isUtf8(bytes.subarray(0, bytes.length - incompleteBytes(bytes)))) return 'utf-8';
  if (looksLikeChinese(bytes)) return 'gb18030';
  // A few invalid bytes in UTF-8: report their place.
  if (validStart(bytes, 'utf-8').match(/[^\0-\x7f]/)) return 'utf-8';
  throw new MopError('usage', `${sourceName(path)} is neither UTF-8 nor GB18030`, {
    hint: 'name its encoding, such as --encoding windows-1252, or save the file as UTF-8',
  });
}

/** Whether most characters are common Chinese ones of GB18030: two bytes, both from 0xA1. */
function looksLikeChinese(bytes: Buffer): boolean {
  try {
    new TextDecoder('gb18030', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return false;
  }
  let common = 0;
  let others = 0;
  for (let at = 0; at < bytes.length - 1; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x80) continue;
    const second = bytes[++at] as number;
    if (byte >= 0xa1 && byte <= 0xf7 && second >= 0xa1) common++;
    else others++;
  }
  return common >= others;
}
