import { MopError } from '../errors.ts';
import { isGzip } from '../http/chunks.ts';
import { sourceName } from './rows-file.ts';

/** The bytes of a table, out of its container. */
export interface Content {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether the bytes are a sheet of a workbook, as CSV. */
  readonly isSheet: boolean;
  /** The name of the unpacked file, for a note. */
  readonly note?: string | undefined;
}

/** Enough to recognise a format. */
export const HEAD_BYTES = 8;

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

/** Whether a file that begins with these bytes is a ZIP archive, possibly an empty one. */
export function isZip(head: Uint8Array): boolean {
  const magic = Buffer.from(head).subarray(0, 4).toString('hex');
  return magic === '504b0304' || magic === '504b0506';
}

/** @throws {MopError} `usage` for a file of another format. */
export function assertKnownFormat(head: Uint8Array, path: string): void {
  const magic = Buffer.from(head).toString('hex');
  const refused = REFUSED.find(([start]) => magic.startsWith(start));
  if (refused)
    throw new MopError('usage', `${sourceName(path)} is ${refused[1]}`, { hint: refused[2] });
}

/** @throws {MopError} `usage` for an archive in an archive. */
export function assertNotNested(head: Uint8Array, path: string): void {
  if (!isGzip(head) && !isZip(head)) return;
  throw new MopError('usage', `${sourceName(path)} contains another archive`, {
    hint: 'unpack it first',
  });
}
