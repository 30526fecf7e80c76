import { createReadStream } from 'node:fs';
import { MopError } from '../errors.ts';
import { inflating, isGzip, withHead } from '../files/chunks.ts';
import { fileError, withoutAtHint } from '../files/file-error.ts';
import { isZip } from '../files/file-format.ts';
import { gunzip } from '../files/gunzip.ts';
import { decodingFault } from '../http/content-coding.ts';
import { assertKnownFormat, type Content, HEAD_BYTES } from './file-format.ts';
import type { RowsFile } from './rows-file.ts';

const CHUNK_BYTES = 256 * 1024;

/** Opens a file by its first bytes: plain, gzip, a ZIP archive with one file, or a workbook. */
export async function openContent(file: RowsFile, signal?: AbortSignal): Promise<Content> {
  const { path } = file;
  const source = file.content ?? createReadStream(path, { highWaterMark: CHUNK_BYTES, signal });
  const { head, all } = await withHead(readable(source, path), HEAD_BYTES);
  if (isGzip(head)) {
    const inflated = await withHead(readable(gunzip(all, inflating()), path), HEAD_BYTES);
    assertKnownFormat(inflated.head, path, 'contains');
    return { chunks: inflated.all, isSheet: false };
  }
  if (isZip(head)) {
    const { openArchive } = await import('./archive.ts');
    return openArchive(file, all);
  }
  assertKnownFormat(head, path);
  return { chunks: all, isSheet: false };
}

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
