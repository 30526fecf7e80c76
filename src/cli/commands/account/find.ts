import type { CommandDeclaration } from '../../frame/command.ts';

export const accountFind: CommandDeclaration = {
  name: 'find',
  description: 'Show the link of a user, an openId or a mobile number.',
  declare: (command) => {
    command
      .option('--user <user>', 'the ID of the user in your system')
      .option('--openid <openid>', 'the openId')
      .option('--mobile <number>', 'the current mobile number');
  },
  help: {
    notes: 'No link found: exit code 1.',
    examples: ['mop account find --user 17', 'mop account find --mobile 13800000000 --json'],
    failures: ['config'],
  },
  load: async () => (await import('./find.run.ts')).run,
};
