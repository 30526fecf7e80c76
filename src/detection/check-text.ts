import { MopError } from '../errors.ts';
import { MAX_TEXT_LENGTH } from '../protocol/detection.ts';

/** No text of UTF-8 with more bytes is short enough: four for each character, and a mark in front. */
export const MAX_TEXT_BYTES = 4 * MAX_TEXT_LENGTH + 3;

/**
 * Checks that a text can be judged: it says something, is a text, and is not too long.
 *
 * @throws {MopError} `usage`
 */
export function checkText(text: string): void {
  if (text.trim() === '') {
    throw new MopError('usage', 'the text is empty', { hint: 'pass the reply of the AI' });
  }
  // The ASCII of UTF-16 is UTF-8 as well, with this between all letters, and no rule would match.
  if (text.includes('\0')) {
    throw new MopError('usage', 'the text has the character U+0000: it is UTF-16, or no text', {
      hint: 'convert it, for example with: iconv -f UTF-16 -t UTF-8',
    });
  }
  if (isTooLong(text)) throw textTooLong();
}

/** The error for a text that is too long, however long it is. */
export function textTooLong(): MopError {
  return new MopError('usage', `the text is too long: at most ${MAX_TEXT_LENGTH} characters`, {
    hint: 'split it: mop detect @FILE --lines takes a text a line',
  });
}

function isTooLong(text: string): boolean {
  let length = 0;
  for (const _ of text) if (++length > MAX_TEXT_LENGTH) return true;
  return false;
}
