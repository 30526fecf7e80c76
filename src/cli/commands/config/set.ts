import type { CommandDeclaration } from '../../frame/command.ts';
import { settingArgument } from './setting-argument.ts';

export const configSet: CommandDeclaration = {
  name: 'set',
  description: 'Store a setting in the profile. The secret is entered at a prompt, or piped.',
  declare: (command) =>
    command
      .addArgument(settingArgument())
      .argument('[value]', 'its value; omit it for api_secret')
      // A value may start with a dash, and a secret must not be shown as an unknown option.
      .allowUnknownOption(),
  help: {
    examples: [
      'mop config set base_url https://platform.example',
      'mop config set api_secret < secret.txt',
      'mop config set api_secret_command "cat secret.txt" -p staging',
    ],
    failures: ['config'],
  },
  load: async () => (await import('./set.run.ts')).run,
};
