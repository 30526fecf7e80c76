import FORMATS from './formats.json' with { type: 'json' };

/** A format that is not a table of text. */
export interface FileFormat {
  /** Such as `a PDF document`. */
  readonly name: string;
  /** The way to a table of text. */
  readonly hint: string;
}

/** Names of the first files in the archive that an Excel workbook is. */
const WORKBOOK_FILES = /\[Content_Types\]\.xml|_rels\/\.rels|xl\/|docProps\//;

/** The format of a file; undefined for any text. 8 bytes suffice, but for a workbook about 100. */
export function fileFormat(head: Uint8Array): FileFormat | undefined {
  const bytes = Buffer.from(head);
  if (isZip(bytes) && WORKBOOK_FILES.test(bytes.toString('latin1'))) {
    return { name: 'an Excel workbook', hint: 'export it as CSV' };
  }
  const magic = bytes.toString('hex', 0, 8);
  return FORMATS.find((format) => magic.startsWith(format.magic));
}

/** Whether a file that begins with these bytes is a ZIP archive, possibly an empty one. */
export function isZip(head: Uint8Array): boolean {
  return /^504b(?:0304|0506)/.test(Buffer.from(head).toString('hex', 0, 4));
}
