/** The maximum length of a message, in UTF-16 code units. */
const MAX_LENGTH = 2000;
/** A hint may contain a cursor, which must be whole. */
const MAX_HINT_LENGTH = 16_000;
/** The end of a message often explains the value before it. */
const KEPT_END = 400;

/** Replaces the middle of a very long message by its length. */
export function withoutMiddle(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const start = text.slice(0, MAX_LENGTH - KEPT_END);
  return `${start}… (${text.length} characters) …${text.slice(-KEPT_END)}`.toWellFormed();
}

/**
 * Cuts off the end of a very long hint. A cut in the middle could remove a quotation mark, and so
 * turn a quoted value into a command.
 */
export function withoutRest(text: string): string {
  if (text.length <= MAX_HINT_LENGTH) return text;
  return `${text.slice(0, MAX_HINT_LENGTH)}… (${text.length} characters)`.toWellFormed();
}
