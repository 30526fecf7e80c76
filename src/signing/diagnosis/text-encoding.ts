/** One library's way to encode text for another language. */
export interface TextEncoding {
  /** Whose way it is, or what it does. */
  readonly name: string;
  readonly apply: (text: string) => string;
}
