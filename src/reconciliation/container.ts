import { createReadStream } from 'node:fs';
import { MopError } from '../errors.ts';
import { inflating, isGzip, withHead } from '../files/chunks.ts';
import { fileError, withoutAtHint } from '../files/file-error.ts';
import { fileFormat, isZip } from '../files/file-format.ts';
import { gunzip } from '../files/gunzip.ts';
import { decodingFault } from '../http/content-coding.ts';
import { type RowsFile, sourceName } from './rows-file.ts';

const CHUNK_BYTES = 256 * 1024;
/** Enough to recognise a format. */
const HEAD_BYTES = 8;

type Bytes = AsyncIterable<Uint8Array>;

/** The bytes of a table. */
export interface Content {
  readonly chunks: Bytes;
  /** Whether the bytes are a sheet of a workbook, as CSV. */
  readonly isSheet: boolean;
  /** The name of the unpacked file, for a note. */
  readonly note?: string | undefined;
}

/** Opens a file by its first bytes: plain, gzip, a ZIP archive with one file, or a workbook. */
export async function openContent(file: RowsFile, signal?: AbortSignal): Promise<Content> {
  const { path } = file;
  const source = file.content ?? createReadStream(path, { highWaterMark: CHUNK_BYTES, signal });
  const { head, all } = await withHead(readable(source, path), HEAD_BYTES);
  if (isGzip(head)) {
    const inflated = await withHead(readable(gunzip(all, inflating()), path), HEAD_BYTES);
    assertKnownFormat(inflated.head, `${sourceName(path)} contains`);
    return { chunks: inflated.all, isSheet: false };
  }
  if (!isZip(head)) {
    assertKnownFormat(head, `${sourceName(path)} is`);
    return { chunks: all, isSheet: false };
  }
  const { openArchive } = await import('./archive.ts');
  const { chunks, name } = await openArchive(file, all);
  if (name === undefined) return { chunks, isSheet: true };
  const unpacked = await withHead(chunks, HEAD_BYTES);
  assertKnownFormat(unpacked.head, `${path} (${name}) is`);
  return { chunks: unpacked.all, isSheet: false, note: `unpacked ${name}` };
}

function assertKnownFormat(head: Uint8Array, subject: string): void {
  const format = fileFormat(head);
  if (format) throw new MopError('usage', `${subject} ${format.name}`, { hint: format.hint });
}

async function* readable(source: Bytes, path: string): AsyncGenerator<Uint8Array> {
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
