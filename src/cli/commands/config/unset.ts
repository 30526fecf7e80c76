import type { CommandDeclaration } from '../../frame/command.ts';
import { settingArgument } from './setting-argument.ts';

export const configUnset: CommandDeclaration = {
  name: 'unset',
  description: 'Remove a setting from the profile.',
  declare: (command) => command.addArgument(settingArgument()),
  help: {
    examples: ['mop config unset base_url', 'mop config unset api_secret -p staging'],
    failures: ['config'],
  },
  load: async () => (await import('./unset.run.ts')).run,
};
