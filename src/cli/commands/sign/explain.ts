import type { CommandDeclaration } from '../../frame/command.ts';
import { readingOption } from '../request-options.ts';
import { addSignOptions } from './sign-options.ts';

export const signExplain: CommandDeclaration = {
  name: 'explain',
  description: 'Show how a request is signed, layer by layer.',
  declare: (command) => addSignOptions(command).addOption(readingOption()),
  help: {
    examples: [
      `mop sign explain '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1,"remark":null}' --env sandbox`,
      'mop sign explain -f city=330100 -F lat=30.270 --mode header --env sandbox',
    ],
    failures: ['config'],
  },
  misplacedHint: 'leave it out, or use --json',
  load: async () => (await import('./explain.run.ts')).run,
};
