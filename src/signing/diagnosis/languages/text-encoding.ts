/** One library's way to encode text for another language. */
export interface TextEncoding {
  /** Whose way it is, or what it does. */
  readonly name: string;
  /** `charset` turns text into bytes, where the encoding is one of bytes; default UTF-8. */
  readonly apply: (text: string, charset?: (text: string) => string | Uint8Array) => string;
}
