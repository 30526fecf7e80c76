import type { CommandDeclaration } from '../../frame/command.ts';

export const accountUnlink: CommandDeclaration = {
  name: 'unlink',
  description: 'Remove a link and its history.',
  declare: (command) => {
    command
      .option('--user <user>', 'the ID of the user in your system')
      .option('--openid <openid>', 'the openId');
  },
  help: {
    notes: 'No link found: exit code 1.',
    examples: ['mop account unlink --user 17', 'mop account unlink --openid o-1 --dry-run'],
    failures: ['config'],
  },
  load: async () => (await import('./unlink.run.ts')).run,
};
