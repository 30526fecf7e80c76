/** The end of the content of a quoted string. */
export interface QuotedEnd {
  readonly end: number;
  /** False when its line or the text ends first. */
  readonly isClosed: boolean;
}

const SPECIAL = { '"': /["\\\n]/g, "'": /['\\\n]/g };

/**
 * Finds the quote that closes a string. A pattern for the whole string would overflow the stack at
 * a few MiB.
 *
 * @param from The offset of its content.
 */
export function quotedEnd(text: string, from: number, quote: '"' | "'"): QuotedEnd {
  const special = SPECIAL[quote];
  special.lastIndex = from;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const [character] = found;
    if (character !== '\\' || text[found.index + 1] === '\n') {
      return { end: found.index, isClosed: character === quote };
    }
    special.lastIndex = found.index + 2;
  }
  return { end: text.length, isClosed: false };
}
