import { MopError } from '../../errors.ts';
import { errorCode, isSuccess } from '../../platform/envelope.ts';
import type { Language } from '../../protocol/language.ts';
import {
  AUTHENTICATION_ERROR,
  RESULT_CODES,
  type ResultCode,
  resultHint,
} from '../../protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../../protocol/result-codes-zh.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Call } from '../frame/command.ts';

const CODES: Readonly<Record<Language, readonly ResultCode[]>> = {
  en: RESULT_CODES,
  zh: RESULT_CODES_ZH,
};

const RETRY: Readonly<Record<ResultCode['retry'], string>> = {
  'as-is': 'unchanged',
  'after-fix': 'after the request is corrected',
  no: 'no',
};

export async function run({
  args: [code],
  context: { output },
}: Call<unknown, [string | undefined]>): Promise<void> {
  const codes = CODES[output.language];
  if (code === undefined) {
    const rows = codes.map(({ code, meaning, action }) => [`${code}`, meaning, action]);
    await output.result(codes, await output.table(['CODE', 'MEANING', 'ACTION'], rows));
  } else {
    const row = findCode(code, codes);
    const facts = factsOf(row, output.language).map(([label = '', ...fact]) => [
      output.word(label),
      ...fact,
    ]);
    await output.result([row], await output.table([code, ''], facts));
  }
}

function findCode(text: string, codes: readonly ResultCode[]): ResultCode {
  const isCode = /^-?\d{1,11}$/.test(text);
  const found = codes.find(({ code }) => isCode && code === Number(text));
  if (found) return found;
  throw new MopError('usage', `there is no result code ${JSON.stringify(text)}`, {
    hint: 'mop errors lists the documented codes; ask the platform about other codes',
  });
}

function factsOf(row: ResultCode, language: Language): string[][] {
  const { code, meaning, action, retry } = row;
  const success = isSuccess(row);
  const hint =
    code === AUTHENTICATION_ERROR
      ? 'to find the mistake, run: mop sign verify --last'
      : resultHint(row, language);
  return [
    ['meaning', meaning],
    ['action', action],
    ['retry', RETRY[retry]],
    ['exit code', `${success ? OK : EXIT_CODES[errorCode(code)]}`],
    ...(success || hint === action ? [] : [['hint', hint]]),
  ];
}
