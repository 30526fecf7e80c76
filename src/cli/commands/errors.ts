import { MopError } from '../../errors.ts';
import type { ResultCode } from '../../protocol/result-codes.ts';
import type { Context } from '../context/context.ts';
import { table } from '../context/output.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Choose, Command } from '../frame/command.ts';

export function register(errors: Command, choose: Choose): void {
  errors
    .argument('[code]', 'one code; all of them when left out')
    .explain({ examples: ['mop errors', 'mop errors 1055', 'mop errors --json'] })
    .action((code: string | undefined, _: unknown, command: Command) =>
      choose(command, (context) => runErrors(code, context)),
    );
}

async function runErrors(code: string | undefined, context: Context): Promise<void> {
  const { RESULT_CODES } = await import('../../protocol/result-codes.ts');
  const { output } = context;
  if (code === undefined) {
    const rows = RESULT_CODES.map(({ code, meaning, action }) => [`${code}`, meaning, action]);
    if (output.json) await output.document(RESULT_CODES);
    else await output.data(table(['CODE', 'MEANING', 'ACTION'], rows));
  } else {
    const row = await findCode(code);
    if (output.json) await output.document([row]);
    else await output.data(await explained(row));
  }
}

async function findCode(text: string): Promise<ResultCode> {
  const { findResultCode } = await import('../../protocol/result-codes.ts');
  const found = /^-?\d{1,11}$/.test(text) ? findResultCode(Number(text)) : undefined;
  if (found) return found;
  throw new MopError('usage', `there is no result code ${JSON.stringify(text)}`, {
    hint: 'mop errors lists the codes that the documents name; ask the platform about others',
  });
}

/** What a person wants to know who met this code. */
async function explained({ code, meaning, action, retry }: ResultCode): Promise<string> {
  const { errorCode, isSuccess, resultHint } = await import('../../platform/envelope.ts');
  const success = isSuccess({ code });
  const lines = [
    ['meaning', meaning],
    ['action', action],
    ['retry', retry],
    ['exit code', `${success ? OK : EXIT_CODES[errorCode(code)]}`],
    ...(success ? [] : [['hint', resultHint(code)]]),
  ];
  return [`${code}`, ...lines.map(([name = '', text]) => `  ${name.padEnd(9)}  ${text}`)].join(
    '\n',
  );
}
