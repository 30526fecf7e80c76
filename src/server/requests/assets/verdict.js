import { fill } from './dom.js';

/** @import { ExchangeRow, RequestsData } from '../page-data.ts' */

/**
 * The verdict on a signature: a kind for its style and the filter, and words.
 *
 * @param {Pick<ExchangeRow, 'signature' | 'mistakes'>} row
 * @param {RequestsData['verdicts']} verdicts
 */
export function verdictOf({ signature, mistakes }, verdicts) {
  if (mistakes.length > 0) {
    return { kind: 'wrong', words: fill(verdicts.mistakes, { ids: mistakes.join(', ') }) };
  }
  const kind = signature ?? 'none';
  return { kind, words: kind === 'wrong' ? verdicts.unexplained : verdicts[kind] };
}
