import { MopError } from '../../errors.ts';
import { errorCode, isSuccess, resultHint } from '../../platform/envelope.ts';
import { findResultCode, RESULT_CODES, type ResultCode } from '../../protocol/result-codes.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Call } from '../frame/command.ts';

export async function run({
  args: [code],
  context,
}: Call<unknown, [string | undefined]>): Promise<void> {
  const { output } = context;
  if (code === undefined) {
    const rows = RESULT_CODES.map(({ code, meaning, action }) => [`${code}`, meaning, action]);
    await output.result(RESULT_CODES, await output.table(['CODE', 'MEANING', 'ACTION'], rows));
  } else {
    const row = findCode(code);
    await output.result([row], await output.table([code, ''], factsOf(row)));
  }
}

function findCode(text: string): ResultCode {
  const found = /^-?\d{1,11}$/.test(text) ? findResultCode(Number(text)) : undefined;
  if (found) return found;
  throw new MopError('usage', `there is no result code ${JSON.stringify(text)}`, {
    hint: 'mop errors lists the codes that the documents name; ask the platform about others',
  });
}

function factsOf({ code, meaning, action, retry }: ResultCode): string[][] {
  const success = isSuccess({ code });
  return [
    ['meaning', meaning],
    ['action', action],
    ['retry', retry],
    ['exit code', `${success ? OK : EXIT_CODES[errorCode(code)]}`],
    ...(success ? [] : [['hint', resultHint(code)]]),
  ];
}
