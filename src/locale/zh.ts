import catalog from '../../locales/zh.json' with { type: 'json' };
import { RESULT_CODES } from '../protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../protocol/result-codes-zh.ts';
import type { Catalog } from './entries.ts';

export { Entries } from './entries.ts';
export { Translator } from './translator.ts';

/** The meanings and the actions of result codes, in the words of the provider. */
const RESULTS = RESULT_CODES.flatMap(({ code, meaning, action }, index) => [
  [meaning, RESULT_CODES_ZH[index]?.meaning],
  [
    `the platform answered ${code}: ${meaning}`,
    `平台返回 ${code}：${RESULT_CODES_ZH[index]?.meaning}`,
  ],
  // "-" stands for no action.
  ...(action === '-' ? [] : [[action, RESULT_CODES_ZH[index]?.action]]),
]);

/** The Chinese texts. They are large: import them only where they are used, dynamically. */
export const ZH: Catalog = {
  ...catalog,
  texts: { ...catalog.texts, ...Object.fromEntries(RESULTS) },
};
