import { MopError } from '../../errors.ts';
import { errorCode, isSuccess } from '../../platform/envelope.ts';
import {
  AUTHENTICATION_ERROR,
  RESULT_CODES,
  type ResultCode,
  resultHint,
} from '../../protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../../protocol/result-codes-zh.ts';
import { localeLanguage } from '../context/language.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Call } from '../frame/command.ts';
import texts from './errors.json' with { type: 'json' };

type Language = keyof typeof texts;

const CODES: Readonly<Record<Language, readonly ResultCode[]>> = {
  en: RESULT_CODES,
  zh: RESULT_CODES_ZH,
};

interface Options {
  readonly lang?: Language;
}

export async function run({
  args: [code],
  options,
  context: { output, io },
}: Call<Options, [string | undefined]>): Promise<void> {
  const language = options.lang ?? localeLanguage(io.env);
  if (code === undefined) {
    const rows = CODES[language].map(({ code, meaning, action }) => [`${code}`, meaning, action]);
    await output.result(CODES[language], await output.table(texts[language].headings, rows));
  } else {
    const row = findCode(code, language);
    await output.result([row], await output.table([code, ''], factsOf(row, language)));
  }
}

function findCode(text: string, language: Language): ResultCode {
  const isCode = /^-?\d{1,11}$/.test(text);
  const found = CODES[language].find(({ code }) => isCode && code === Number(text));
  if (found) return found;
  const { unknown, unknown_hint: hint } = texts[language];
  throw new MopError('usage', `${unknown} ${JSON.stringify(text)}`, { hint });
}

function factsOf(row: ResultCode, language: Language): string[][] {
  const { code, meaning, action, retry } = row;
  const { labels, retry: retries, find_mistake: findMistake } = texts[language];
  const success = isSuccess(row);
  const exitCode = success ? OK : EXIT_CODES[errorCode(code)];
  const known = code === AUTHENTICATION_ERROR ? findMistake : resultHint(row, language);
  const hint = success ? action : known;
  const facts = [meaning, action, retries[retry], `${exitCode}`];
  if (hint !== action) facts.push(hint);
  return facts.map((fact, at) => [labels[at] ?? '', fact]);
}
