import { RESULT_CODES, type ResultCode } from './result-codes.ts';
import TEXTS from './result-codes-zh.json' with { type: 'json' };

/**
 * {@link RESULT_CODES} with `meaning` and `action` in Chinese.
 *
 * @example
 * ```ts
 * import { RESULT_CODES_ZH } from 'mop-cli';
 *
 * console.log(RESULT_CODES_ZH.find(({ code }) => code === 1002)?.meaning);
 * // 鉴权失败
 * ```
 */
export const RESULT_CODES_ZH: readonly ResultCode[] = RESULT_CODES.map((row) => ({
  ...row,
  ...(TEXTS as Readonly<Record<string, Pick<ResultCode, 'meaning' | 'action'>>>)[row.code],
}));
