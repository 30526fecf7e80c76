import type { FormField } from '../../http/multipart.ts';

/** A request as it can be shown: as JSON, or as a curl command. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  /** Several values of one name are several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | null;
}

/** A curl command, for a POSIX shell, that sends the request with the bytes that were signed. */
export function curlCommand(request: ShownRequest, form: readonly FormField[] = []): string {
  // curl would take brackets and braces of an address for several addresses.
  const globbing = /[[\]{}]/.test(request.url) ? ' -g' : '';
  const words = [`curl${globbing} -X ${request.method} ${shellQuote(request.url)}`];
  for (const [name, values] of Object.entries(request.headers)) {
    for (const value of [values].flat()) words.push(`-H ${shellQuote(curlHeader(name, value))}`);
  }
  if (request.body !== null) words.push(`--data-raw ${shellQuote(request.body)}`);
  for (const field of form) {
    words.push(
      'file' in field
        ? `-F ${shellQuote(`${field.name}=@"${field.file.replace(/["\\]/g, '\\$&')}"`)}`
        : `--form-string ${shellQuote(`${field.name}=${field.value}`)}`,
    );
  }
  return words.join(' \\\n  ');
}

/** A header as `curl -H` takes it: with nothing behind the colon curl would drop it. */
export function curlHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** A word for a POSIX shell that stands for `text` exactly. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
