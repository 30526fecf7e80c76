import { MopError } from '../../errors.ts';
import { errorCode, isSuccess } from '../../platform/envelope.ts';
import type { ResultCode } from '../../protocol/result-codes.ts';
import { localeLanguage } from '../context/language.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Call } from '../frame/command.ts';
import { ERROR_TEXTS, type ErrorTexts } from './error-texts.ts';

interface Options {
  readonly lang?: 'en' | 'zh';
}

export async function run({
  args: [code],
  options,
  context,
}: Call<Options, [string | undefined]>): Promise<void> {
  const { output, io } = context;
  const texts = ERROR_TEXTS[options.lang ?? localeLanguage(io.env)];
  if (code === undefined) {
    const rows = texts.codes.map(({ code, meaning, action }) => [`${code}`, meaning, action]);
    await output.result(texts.codes, await output.table([...texts.headings], rows));
  } else {
    const row = findCode(code, texts);
    await output.result([row], await output.table([code, ''], factsOf(row, texts)));
  }
}

function findCode(text: string, { codes, unknownCode }: ErrorTexts): ResultCode {
  const found = /^-?\d{1,11}$/.test(text) && codes.find(({ code }) => code === Number(text));
  if (found) return found;
  const { message, hint } = unknownCode(text);
  throw new MopError('usage', message, { hint });
}

function factsOf({ code, meaning, action, retry }: ResultCode, texts: ErrorTexts): string[][] {
  const { labels } = texts;
  const success = isSuccess({ code });
  const hint = texts.hint(code) ?? action;
  return [
    [labels.meaning, meaning],
    [labels.action, action],
    [labels.retry, texts.retry[retry]],
    [labels.exitCode, `${success ? OK : EXIT_CODES[errorCode(code)]}`],
    ...(success || hint === action ? [] : [[labels.hint, hint]]),
  ];
}
