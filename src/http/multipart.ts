/** A field of a multipart form: its text, or a file, which is never signed. */
export type FormField =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      /** The path, or in a captured request the name that was sent. */
      readonly file: string;
      /** In a captured request, where the capture holds it. */
      readonly content?: Uint8Array;
    };

/** What stands before the content of a field in a multipart form (RFC 7578). */
export function partHead(field: FormField, boundary: string): string {
  const file =
    'file' in field
      ? `; filename=${quoted(field.file)}\r\nContent-Type: application/octet-stream`
      : '';
  return `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(field.name)}${file}\r\n\r\n`;
}

/** What stands behind the content of a field. */
export const PART_END = '\r\n';

/** What ends a multipart form. */
export function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`;
}

/** Escaped as browsers do: only what would end the quotes or the line. */
function quoted(text: string): string {
  return `"${text.replace(/["\r\n]/g, encodeURIComponent)}"`;
}
