import { isUtf8 } from 'node:buffer';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { listed, MopError, quoted } from '../errors.ts';
import { inflating } from '../files/chunks.ts';
import { through } from '../http/content-coding.ts';
import { type RowsFile, sourceName } from './rows-file.ts';
import { isWorkbook, sheetCsv } from './workbook.ts';

/** The directory of an archive is at its end, so an archive is held in memory, compressed. */
const MAX_ARCHIVE_BYTES = 512 * 1024 ** 2;

/** Opens a ZIP archive: a workbook as CSV, or an archive with one file and its name. */
export async function openArchive(
  { path, sheet }: RowsFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly chunks: AsyncIterable<Uint8Array>; readonly name?: string }> {
  const bytes = await allBytes(chunks, path);
  const { names, read } = await openZip(bytes, path);
  if (isWorkbook(names, path)) {
    // The reader of workbooks does not verify checksums.
    for (const name of names) for await (const _ of read(name));
    return { chunks: sheetCsv(bytes, path, sheet) };
  }
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) {
    throw new MopError('usage', `${sourceName(path)} is a ZIP archive of ${names.length} files`, {
      hint: quoted`unpack it, and choose one of its files: ${listed(names)}`,
    });
  }
  return { chunks: read(name), name };
}

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

/** The files of an archive, without directories and without the files that macOS adds. */
interface Archive {
  readonly names: readonly string[];
  /** The content of a file. Its CRC-32 is verified at the end. */
  read(name: string): AsyncIterable<Uint8Array>;
}

const [STORED, DEFLATED] = [0, 8];

async function openZip(bytes: Buffer, path: string): Promise<Archive> {
  const entries = new Map<string, Entry>();
  try {
    // yauzl would read names in GBK as code page 437, and reject some.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false, autoClose: false });
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (!/\/$|(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/.test(name)) entries.set(name, entry);
    }
    return {
      names: [...entries.keys()],
      read: (name) => contentOf(zip, entries.get(name) as Entry, `${sourceName(path)}: ${name}`),
    };
  } catch (error) {
    throw damaged(error, `${sourceName(path)}: the ZIP archive`);
  }
}

/** Windows writes names in the code page of the system, and macOS UTF-8 without the flag for it. */
function nameOf({ fileNameRaw }: Entry): string {
  const decoder = new TextDecoder(isUtf8(fileNameRaw) ? 'utf-8' : 'gb18030');
  return decoder.decode(fileNameRaw).replaceAll('\\', '/');
}

async function* contentOf(zip: ZipFile, entry: Entry, subject: string): AsyncGenerator<Uint8Array> {
  const { compressionMethod: method, crc32: expected, uncompressedSize } = entry;
  if (entry.isEncrypted()) {
    throw new MopError('usage', `${subject} is encrypted`, {
      hint: 'unpack the archive with its password first; Alipay sends the password separately',
    });
  }
  if (method !== STORED && method !== DEFLATED) {
    throw new MopError('usage', `${subject} is compressed with method ${method}`, {
      hint: 'unpack the archive first',
    });
  }
  let sum = 0;
  let bytes = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const content = method === STORED ? stream : through(stream, createInflateRaw(inflating()));
    for await (const chunk of content) {
      sum = crc32(chunk, sum);
      bytes += chunk.length;
      // A small archive could inflate to more than any disk stores.
      if (bytes > uncompressedSize) break;
      yield chunk;
    }
  } catch (error) {
    throw damaged(error, subject);
  }
  if (bytes !== uncompressedSize || sum !== expected) throw damaged(undefined, subject);
}

function damaged(cause: unknown, subject: string): MopError {
  return new MopError('usage', `${subject} is truncated or damaged`, {
    hint: 'download or export the archive again',
    cause,
  });
}
