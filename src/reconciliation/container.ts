import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { MopError } from '../errors.ts';
import { fileError, withoutAtHint } from '../files/file-error.ts';
import { inflating, isGzip, withHead } from '../http/chunks.ts';
import { decodingFault, through } from '../http/content-coding.ts';
import { type RowsFile, sourceName } from './rows-file.ts';

/** The bytes of a table, out of its container. */
export interface Content {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether the bytes are a sheet of a workbook, as CSV. */
  readonly isSheet: boolean;
  /** The name of the unpacked file, for a note. */
  readonly note?: string | undefined;
}

const CHUNK_BYTES = 256 * 1024;
const HEAD_BYTES = 8;
/** The directory of an archive is at its end, so an archive is held in memory, compressed. */
const MAX_ARCHIVE_BYTES = 512 * 1024 ** 2;

/** Formats that are refused by name, by their first bytes in hexadecimal. */
const REFUSED: readonly (readonly [magic: string, name: string, hint: string])[] = [
  [
    'd0cf11e0',
    'an Excel workbook of the old format (.xls), or one with a password',
    'save it as .xlsx without a password, or as CSV',
  ],
  ['25504446', 'a PDF document', 'export it as CSV'],
  ['377abcaf271c', 'a 7z archive', 'unpack it first'],
  ['526172211a', 'a RAR archive', 'unpack it first'],
  ['28b52ffd', 'compressed with zstd', 'decompress it first: zstd -d'],
  ['fd377a585a', 'compressed with xz', 'decompress it first: xz -d'],
  ['425a68', 'compressed with bzip2', 'decompress it first: bzip2 -d'],
  ['89504e47', 'a PNG image', 'export the table as CSV'],
  ['ffd8ff', 'a JPEG image', 'export the table as CSV'],
];

/**
 * Opens a file: plain, gzip, a ZIP archive with one file, or a workbook, by its first bytes.
 *
 * @param signal Closes the file.
 * @throws {MopError} `usage` for a file that does not exist or has another format, and while reading
 *   for truncated data; `io`.
 */
export async function openContent(file: RowsFile, signal?: AbortSignal): Promise<Content> {
  const { path } = file;
  const source = file.content ?? createReadStream(path, { highWaterMark: CHUNK_BYTES, signal });
  const { head, all } = await withHead(readable(source, path), HEAD_BYTES);
  if (isGzip(head)) {
    const inflated = await withHead(
      readable(through(all, createGunzip(inflating())), path),
      HEAD_BYTES,
    );
    assertKnownFormat(inflated.head, path);
    return { chunks: inflated.all, isSheet: false };
  }
  if (isZip(head)) return openArchive(file, all);
  assertKnownFormat(head, path);
  return { chunks: all, isSheet: false };
}

function isZip(head: Uint8Array): boolean {
  const magic = Buffer.from(head).subarray(0, 4).toString('hex');
  return magic === '504b0304' || magic === '504b0506';
}

function assertKnownFormat(head: Uint8Array, path: string): void {
  const magic = Buffer.from(head).toString('hex');
  const refused = REFUSED.find(([start]) => magic.startsWith(start));
  if (refused)
    throw new MopError('usage', `${sourceName(path)} is ${refused[1]}`, { hint: refused[2] });
}

async function openArchive(
  { path, sheet }: RowsFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Content> {
  const { openZip } = await import('./zip-file.ts');
  const bytes = await allBytes(chunks, path);
  const { names, read } = await openZip(bytes, path);
  const { isWorkbook, sheetCsv } = await import('./workbook.ts');
  if (isWorkbook(names, path)) {
    // The reader of workbooks does not verify checksums.
    for (const name of names) for await (const _ of read(name));
    return { chunks: sheetCsv(bytes, path, sheet), isSheet: true };
  }
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new MopError('usage', `${sourceName(path)} is a ZIP archive of ${names.length} files`, {
      hint:
        name === undefined
          ? 'download or export it again'
          : `unpack it, and choose one: ${names.join(', ')}`,
    });
  }
  const { head, all } = await withHead(read(name), HEAD_BYTES);
  assertKnownFormat(head, `${path} (${name})`);
  return { chunks: all, isSheet: false, note: `unpacked ${name}` };
}

/** @throws {MopError} `usage` for an archive that is too large. */
async function allBytes(chunks: AsyncIterable<Uint8Array>, path: string): Promise<Buffer> {
  const held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length > MAX_ARCHIVE_BYTES) {
      throw new MopError('usage', `${sourceName(path)} is an archive of more than 512 MiB`, {
        hint: 'unpack it first',
      });
    }
  }
  return Buffer.concat(held);
}

/** Turns faults of reading into errors for people. */
async function* readable(
  source: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
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
    const hint = withoutAtHint(path) ?? 'give a CSV or JSON lines file, or a workbook';
    return new MopError('usage', subject, { hint, cause: error });
  }
  return fileError(error, `cannot read ${path}`);
}
