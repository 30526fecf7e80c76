import { MopError } from '../errors.ts';
import { MAX_TEXT_LENGTH } from '../protocol/detection.ts';

/** A UTF-8 text with more bytes is too long: four for each character, and a byte order mark. */
export const MAX_TEXT_BYTES = 4 * MAX_TEXT_LENGTH + 3;

/** The way past each refusal of a text that a gate does not understand. */
export const AS_IS = '--as-is judges the text as given';

/** @throws {MopError} `usage` for a text that is empty, UTF-16 or too long. */
export function checkText(text: string): void {
  if (text.trim() === '') {
    throw new MopError('usage', 'the text is empty', { hint: 'pass the reply of the AI' });
  }
  // ASCII in UTF-16 is also valid UTF-8, with this character between all letters: no rule would
  // match.
  if (text.includes('\0')) {
    throw new MopError(
      'usage',
      'the text contains the character U+0000: it is UTF-16 or binary data',
      {
        hint: 'convert it, for example with: iconv -f UTF-16 -t UTF-8 FILE',
      },
    );
  }
  if (isTooLong(text)) throw textTooLong();
}

/**
 * @throws {MopError} `usage` for a text without letters or digits: a service has no rules for
 * emoji.
 */
export function checkLetters(text: string): void {
  // Some letters are invisible, such as the Hangul filler.
  if (/(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text)) return;
  throw new MopError('usage', 'the text has no visible letters or digits', {
    hint: `pass the reply of the AI; ${AS_IS}`,
  });
}

export function textTooLong(): MopError {
  return new MopError('usage', `the text is too long: at most ${MAX_TEXT_LENGTH} characters`, {
    hint: 'split it: mop detect @FILE --lines reads one text per line',
  });
}

function isTooLong(text: string): boolean {
  let length = 0;
  for (const _ of text) if (++length > MAX_TEXT_LENGTH) return true;
  return false;
}
