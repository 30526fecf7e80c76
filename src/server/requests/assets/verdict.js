import { fill } from './dom.js';

/** @import { ExchangeRow, RequestsData } from '../page-data.ts' */

/**
 * The verdict on a signature: a kind for its style and the filter, and words.
 *
 * @param {Pick<ExchangeRow, 'signature' | 'readings' | 'mistakes' | 'hasWarnings'>} row
 * @param {RequestsData['verdicts']} verdicts
 */
export function verdictOf({ signature, readings = [], mistakes, hasWarnings }, verdicts) {
  if (mistakes.length > 0) {
    return { kind: 'wrong', words: fill(verdicts.mistakes, { ids: mistakes.join(', ') }) };
  }
  if (signature === 'right' && readings.length > 0) {
    const words = fill(verdicts.doubtful, { readings: readings.join(', ') });
    return { kind: 'uncertain', words };
  }
  if (signature === 'right' && hasWarnings) {
    return { kind: 'uncertain', words: verdicts.uncertain };
  }
  const kind = signature ?? 'none';
  return { kind, words: kind === 'wrong' ? verdicts.unexplained : verdicts[kind] };
}
