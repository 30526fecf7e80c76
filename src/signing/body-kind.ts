/** Why a body that should be JSON is not. The sandbox answers in the same words as `sign verify`. */

export const URLENCODED_BODY = 'the body is a urlencoded form; the platform takes JSON';

/** `encoding` is the value of Content-Encoding. */
export function compressedBody(encoding: string): string {
  return `the body is compressed (Content-Encoding: ${encoding})`;
}

/** Whether a text is a name and a value of a urlencoded form: not a sentence, nor markup. */
export function isUrlEncoded(text: string): boolean {
  return /^\s*[^=&<>\s]+=/.test(text);
}
