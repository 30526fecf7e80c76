import { MopError } from '../../errors.ts';
import { errorCode, isSuccess } from '../../platform/envelope.ts';
import type { Language } from '../../protocol/language.ts';
import {
  AUTHENTICATION_ERROR,
  FIND_MISTAKE,
  RESULT_CODES,
  type ResultCode,
  resultHint,
} from '../../protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../../protocol/result-codes-zh.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Call } from '../frame/command.ts';

/** The rows for `--json`, whose texts are the data. */
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
  args: [given],
  context: { output },
}: Call<unknown, [string | undefined]>): Promise<void> {
  const documents = CODES[output.language];
  if (given === undefined) {
    const rows = RESULT_CODES.map(({ code, meaning, action }) => [
      `${code}`,
      output.word(meaning),
      output.word(action),
    ]);
    return output.result(documents, await output.table(['CODE', 'MEANING', 'ACTION'], rows));
  }
  const row = findCode(given);
  const facts = factsOf(row).map(([label, fact]) => [
    output.word(label),
    // A bill can be unchanged too.
    output.word(fact, fact === RETRY['as-is'] ? 'retry: unchanged' : fact),
  ]);
  const document = documents.filter(({ code }) => code === row.code);
  await output.result(document, await output.table([{ data: given }, ''], facts));
}

function findCode(text: string): ResultCode {
  const isCode = /^-?\d{1,11}$/.test(text);
  const found = RESULT_CODES.find(({ code }) => isCode && code === Number(text));
  if (found) return found;
  throw new MopError('usage', `there is no result code ${JSON.stringify(text)}`, {
    hint: 'mop errors lists the documented codes; ask the platform about other codes',
  });
}

/** The facts of a code, each with its label. */
function factsOf(row: ResultCode): [label: string, fact: string][] {
  const { code, meaning, action, retry } = row;
  const success = isSuccess(row);
  const hint = code === AUTHENTICATION_ERROR ? FIND_MISTAKE : resultHint(row);
  return [
    ['meaning', meaning],
    ['action', action],
    ['retry', RETRY[retry]],
    ['exit code', `${success ? OK : EXIT_CODES[errorCode(code)]}`],
    ...(success || hint === action ? [] : [['hint', hint] satisfies [string, string]]),
  ];
}
