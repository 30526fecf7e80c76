/** @import { ExchangeRow } from '../page-data.ts' */

const WORDS = {
  added: 'signed by the proxy',
  right: 'right',
  wrong: 'wrong',
  unreadable: 'cannot be checked',
  none: 'not signed',
};

/**
 * The verdict on a signature: a kind for its style, and words.
 *
 * @param {Pick<ExchangeRow, 'signature' | 'readings'>} row
 * @param {readonly string[]} mistakes The ids.
 */
export function verdictOf({ signature, readings = [] }, mistakes) {
  if (mistakes.length > 0) return { kind: 'wrong', words: `wrong: ${mistakes.join(', ')}` };
  if (signature === 'right' && readings.length > 0) {
    return { kind: 'uncertain', words: `right; warning: only under ${readings.join(', ')}` };
  }
  const kind = signature ?? 'none';
  return { kind, words: kind === 'wrong' ? 'wrong, not explained' : WORDS[kind] };
}
