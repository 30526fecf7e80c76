import type { CommandDeclaration } from '../../frame/command.ts';
import { modeOption } from '../request-options.ts';

export const accountLink: CommandDeclaration = {
  name: 'link',
  description: 'Link a user and an openId, or update the mobile number of a link.',
  declare: (command) => {
    command
      .requiredOption('--user <user>', 'the ID of the user in your system')
      .option('--encrypt-data <text>', 'encrypt_data of the mini-program: the text, @FILE, or -')
      .option('--encrypt-id <id>', 'encrypt_id of the mini-program')
      .option('--openid <openid>', 'the openId, if it is known')
      .option('--mobile <number>', 'the mobile number (default: keep the stored one)')
      .option('--move', 'take the openId, the user or the number away from other links')
      .addOption(modeOption('signature mode of the decode call (default: as documented)'));
  },
  help: {
    notes: `
        A link of the same openId, user or mobile number is a conflict: exit code 5, and nothing is
        written. --move assigns the openId with its history to the user, removes the user's other
        link, and removes the mobile number from its other link.`,
    examples: [
      'mop account link --user 17 --openid o-1 --mobile 13800000000',
      'mop account link --user 17 --encrypt-data "$DATA" --encrypt-id "$ID"',
    ],
    failures: ['config', 'auth', 'api', 'network'],
  },
  load: async () => (await import('./link.run.ts')).run,
};
