import { Option } from 'commander';
import { PROGRAM_LANGUAGES } from '../../../signing/programs/languages.ts';
import type { CommandDeclaration } from '../../frame/command.ts';
import { signExplain } from './explain.ts';
import { addSignOptions } from './sign-options.ts';
import { signVerify } from './verify.ts';

export const sign: CommandDeclaration = {
  name: 'sign',
  description: 'Sign one request and print it.',
  declare: (command) => {
    addSignOptions(command)
      .enablePositionalOptions()
      .optionsGroup('Output:')
      .addOption(
        new Option(
          '--as <form>',
          'the request in this form, or a program in this language that sends it; default: body, or headers in header mode',
        ).choices(['body', 'headers', 'curl', 'sign', 'json', ...PROGRAM_LANGUAGES]),
      )
      .option('--batch <file>', 'sign each line of a JSON lines file, or of - for stdin')
      // `--as json` is `--json` in every respect, errors included.
      .on('option:as', (form: string) => {
        if (form === 'json') command.setOptionValue('json', true);
      });
  },
  help: {
    examples: [
      `mop sign '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}' --env sandbox`,
      'mop sign -f city=330100 -F lat=30.27 --mode header --env sandbox',
      'mop sign @request.json --as curl --path /trade/bill',
      'mop sign @request.json --as python --path /trade/bill > sign.py',
      'mop sign --batch bodies.jsonl > signed.jsonl',
    ],
    failures: ['config'],
  },
  commands: [signExplain, signVerify],
  load: async () => (await import('./sign.run.ts')).run,
};
