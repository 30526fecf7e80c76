import type { CommandDeclaration } from '../../frame/command.ts';
import { modeOption } from '../request-options.ts';

export const accountLink: CommandDeclaration = {
  name: 'link',
  description: 'Link a user and an openId, or bring the mobile number of a link up to date.',
  declare: (command) => {
    command
      .requiredOption('--user <user>', 'your own name for the user')
      .option('--encrypt-data <text>', 'what the mini-program handed over: the text, @FILE, or -')
      .option('--encrypt-id <id>', 'the serial number that came with it')
      .option('--openid <openid>', 'the openId itself')
      .option('--mobile <number>', 'the mobile number; left out, a known one stays')
      .option('--move', 'take the openId, the user or the number away from other links')
      .addOption(modeOption('decode in the body or in headers, not as documented'));
  },
  help: {
    notes: `
        A link that is in the way of the new one is a conflict: exit code 5, and nothing is written.
        With --move the openId goes to the user with its history, another link of the user is
        removed, and another link with the mobile number loses it.`,
    examples: [
      'mop account link --user 17 --openid o-1 --mobile 13800000000',
      'mop account link --user 17 --encrypt-data "$DATA" --encrypt-id "$ID"',
    ],
    failures: ['config', 'auth', 'api', 'network'],
  },
  load: () => import('./link.run.ts'),
};
