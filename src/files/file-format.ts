/** A format that is not a table of text. */
export interface FileFormat {
  /** Such as `a PDF document`. */
  readonly name: string;
  /** The way to a table of text. */
  readonly hint: string;
}

/** Formats by their first bytes in hexadecimal. */
const FORMATS: readonly (readonly [magic: string, name: string, hint: string])[] = [
  ['504b0304', 'a ZIP archive', 'unpack it first'],
  ['504b0506', 'an empty ZIP archive', 'unpack it first'],
  [
    'd0cf11e0',
    'an Excel workbook of the old format (.xls), or one with a password',
    'save it as .xlsx without a password, or as CSV',
  ],
  ['25504446', 'a PDF document', 'export it as CSV'],
  ['1f8b', 'a gzip file', 'decompress it first: gunzip'],
  ['377abcaf271c', 'a 7z archive', 'unpack it first'],
  ['526172211a', 'a RAR archive', 'unpack it first'],
  ['28b52ffd', 'compressed with zstd', 'decompress it first: zstd -d'],
  ['fd377a585a', 'compressed with xz', 'decompress it first: xz -d'],
  ['425a68', 'compressed with bzip2', 'decompress it first: bzip2 -d'],
  ['89504e47', 'a PNG image', 'export the table as CSV'],
  ['ffd8ff', 'a JPEG image', 'export the table as CSV'],
];

/** Names of the first files in the archive that an Excel workbook is. */
const WORKBOOK_FILES = /\[Content_Types\]\.xml|_rels\/\.rels|xl\/|docProps\//;

/** The format of a file; undefined for any text. 8 bytes suffice, but for a workbook about 100. */
export function fileFormat(head: Uint8Array): FileFormat | undefined {
  const bytes = Buffer.from(head);
  if (isZip(bytes) && WORKBOOK_FILES.test(bytes.toString('latin1'))) {
    return { name: 'an Excel workbook', hint: 'export it as CSV' };
  }
  const magic = bytes.toString('hex', 0, 8);
  const known = FORMATS.find(([start]) => magic.startsWith(start));
  return known && { name: known[1], hint: known[2] };
}

/** Whether a file that begins with these bytes is a ZIP archive, possibly an empty one. */
export function isZip(head: Uint8Array): boolean {
  return /^504b(?:0304|0506)/.test(Buffer.from(head).toString('hex', 0, 4));
}
