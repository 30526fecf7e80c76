import { listed, MopError, quoted } from '../errors.ts';
import { withHead } from '../files/chunks.ts';
import { assertKnownFormat, type Content, HEAD_BYTES } from './file-format.ts';
import { type RowsFile, sourceName } from './rows-file.ts';
import { isWorkbook, sheetCsv } from './workbook.ts';
import { openZip } from './zip-file.ts';

/** The directory of an archive is at its end, so an archive is held in memory, compressed. */
const MAX_ARCHIVE_BYTES = 512 * 1024 ** 2;

/** Opens a ZIP archive: a workbook, or an archive with one file. */
export async function openArchive(
  { path, sheet }: RowsFile,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Content> {
  const bytes = await allBytes(chunks, path);
  const { names, read } = await openZip(bytes, path);
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
          : quoted`unpack it, and choose one: ${listed(names)}`,
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
