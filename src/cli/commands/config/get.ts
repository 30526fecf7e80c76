import type { CommandDeclaration } from '../../frame/command.ts';
import { settingArgument } from './setting-argument.ts';

export const configGet: CommandDeclaration = {
  name: 'get',
  description: 'Print the value of a setting.',
  declare: (command) => command.addArgument(settingArgument()),
  help: {
    examples: ['mop config get timezone', 'mop config get test_base_url -p staging --json'],
    failures: ['config'],
  },
  load: async () => (await import('./get.run.ts')).run,
};
