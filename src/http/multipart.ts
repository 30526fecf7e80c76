/** A field of a multipart form: its text, or a file, which is never signed. */
export type FormField =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      /** The path; in a captured request, the file name as sent. */
      readonly file: string;
      /** The media type of the file. Default `application/octet-stream`. */
      readonly type?: string | undefined;
      /** The bytes, in a captured request that contains them. */
      readonly content?: Uint8Array;
    };

/** The head of a part of a multipart form, up to its content (RFC 7578). */
export function partHead(field: FormField, boundary: string): string {
  const file =
    'file' in field
      ? `; filename=${quoted(field.file)}\r\nContent-Type: ${field.type ?? 'application/octet-stream'}`
      : '';
  return `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(field.name)}${file}\r\n\r\n`;
}

/** Follows the content of a part. */
export const PART_END = '\r\n';

/** The end of a multipart form. */
export function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`;
}

/** Escapes only quotes and line ends, like browsers. */
function quoted(text: string): string {
  return `"${text.replace(/["\r\n]/g, encodeURIComponent)}"`;
}
