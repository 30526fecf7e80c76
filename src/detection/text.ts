import { MopError } from '../errors.ts';
import { MAX_TEXT_LENGTH } from '../protocol/detection.ts';

/**
 * Checks that a text can be judged: it says something, and is not too long.
 *
 * @throws {MopError} `usage`
 */
export function checkText(text: string): void {
  if (text.trim() === '') {
    throw new MopError('usage', 'the text is empty', { hint: 'give what the AI would say' });
  }
  // No text has more code points than code units.
  const length = text.length > MAX_TEXT_LENGTH ? [...text].length : 0;
  if (length > MAX_TEXT_LENGTH) {
    throw new MopError('usage', `the text has ${length} characters, at most ${MAX_TEXT_LENGTH}`, {
      hint: 'split it: mop detect @FILE --lines takes a text a line',
    });
  }
}
