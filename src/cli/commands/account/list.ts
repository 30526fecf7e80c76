import type { CommandDeclaration } from '../../frame/command.ts';

export const accountList: CommandDeclaration = {
  name: 'list',
  description: 'List the links of the profile.',
  help: {
    examples: ['mop account list', "mop account list --json | jq -r '.[].user'"],
    failures: ['config'],
  },
  load: async () => (await import('./list.run.ts')).run,
};
