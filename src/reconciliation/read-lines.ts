import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { MopError } from '../errors.ts';
import { fileError, withoutAtHint } from '../files/file-error.ts';
import { inflating, isGzip, withHead } from '../http/chunks.ts';
import { decodingFault, through } from '../http/content-coding.ts';
import type { RowsFile } from './rows-file.ts';
import { hasUtf8Mark, toUtf8 } from './to-utf8.ts';

/** Consecutive whole lines of a text. */
export interface LineBlock {
  /** UTF-8, without a byte order mark. */
  readonly bytes: Buffer;
  /** The number of the first line, from 1. */
  readonly firstLine: number;
}

const NEWLINE = 0x0a;
/** All rows of a block are in memory at the same time. */
const BLOCK_BYTES = 64 * 1024;
/** A file with a longer line is not a text file. */
const MAX_LINE_BYTES = 16 * 1024 ** 2;

/**
 * The lines of a file, plain or gzip, in blocks.
 *
 * @param signal Closes the file.
 * @throws {MopError} `usage` for a file that does not exist, is truncated, or has bytes that are
 *   invalid in its encoding, with their line and column; `io`.
 */
export async function* readLines(file: RowsFile, signal?: AbortSignal): AsyncGenerator<LineBlock> {
  const { path, encoding = 'utf-8' } = file;
  let chosen = encoding === 'utf-8-or-gb18030' ? undefined : encoding;
  let firstLine = 1;
  for await (const lines of wholeLines(contentOf(file, signal), path)) {
    if (firstLine === 1 && hasUtf8Mark(lines)) chosen = 'utf-8';
    if (!isAscii(lines)) chosen ??= isUtf8(lines) ? 'utf-8' : 'gb18030';
    yield { bytes: toUtf8(lines, chosen ?? 'utf-8', { path, firstLine }), firstLine };
    firstLine += countNewlines(lines);
  }
}

/** The bytes of a file, inflated. */
async function* contentOf(
  { path, content }: RowsFile,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    const bytes = content ?? createReadStream(path, { highWaterMark: BLOCK_BYTES, signal });
    const { head, all } = await withHead(bytes);
    yield* isGzip(head) ? through(all, createGunzip(inflating())) : all;
  } catch (error) {
    throw readFault(error, path);
  }
}

function readFault(error: unknown, path: string): unknown {
  const fault = decodingFault(error);
  if (fault !== undefined) {
    const subject = fault === 'truncated' ? 'is truncated: it ends too early' : 'is not valid';
    return new MopError('usage', `${path}: the gzip data ${subject}`, {
      hint: 'fetch or export the file again',
      cause: error,
    });
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EISDIR') {
    const subject = code === 'ENOENT' ? `there is no file ${path}` : `${path} is a directory`;
    const hint = withoutAtHint(path) ?? 'give a CSV or JSON lines file';
    return new MopError('usage', subject, { hint, cause: error });
  }
  return fileError(error, `cannot read ${path}`);
}

/**
 * Splits a stream after newlines, into blocks of {@link BLOCK_BYTES} or more, however small the
 * chunks of a pipe are. The last block may be smaller, and may lack a newline.
 */
async function* wholeLines(
  source: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < BLOCK_BYTES) continue;
    const block = Buffer.concat(chunks);
    const end = block.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield block.subarray(0, end);
    chunks = [block.subarray(end)];
    length -= end;
    if (length > MAX_LINE_BYTES) throw lineTooLong(path);
  }
  if (length > 0) yield Buffer.concat(chunks);
}

function lineTooLong(path: string): MopError {
  return new MopError('usage', `${path} has a line of more than ${MAX_LINE_BYTES} bytes`, {
    hint: 'give a CSV or JSON lines file',
  });
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
