import { shellQuote } from '../../errors.ts';
import type { FormField } from '../../http/multipart.ts';

/** A request to print, as JSON or as a curl command. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  /** An array contains the values of several headers with the same name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | null;
}

/** A curl command for a POSIX shell that sends exactly the signed bytes. */
export function curlCommand(request: ShownRequest, form: readonly FormField[] = []): string {
  // curl expands brackets and braces in an address.
  const globbing = /[[\]{}]/.test(request.url) ? ' -g' : '';
  const words = [`curl${globbing} -X ${request.method} ${shellQuote(request.url)}`];
  for (const [name, values] of Object.entries(request.headers)) {
    for (const value of [values].flat()) words.push(`-H ${shellQuote(curlHeader(name, value))}`);
  }
  if (request.body !== null) words.push(`--data-raw ${shellQuote(request.body)}`);
  for (const field of form) {
    words.push(
      'file' in field
        ? `-F ${shellQuote(`${field.name}=@"${field.file.replace(/["\\]/g, '\\$&')}"${typeOf(field)}`)}`
        : `--form-string ${shellQuote(`${field.name}=${field.value}`)}`,
    );
  }
  return words.join(' \\\n  ');
}

function typeOf({ type }: { readonly type?: string | undefined }): string {
  return type === undefined ? '' : `;type=${type}`;
}

/** A header for `curl -H`, which drops a header without text after the colon. */
export function curlHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
