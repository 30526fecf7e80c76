import type { CommandDeclaration } from '../frame/command.ts';
import { modeOption } from './request-options.ts';

const accountLink: CommandDeclaration = {
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
  load: async () => (await import('./account.run.ts')).link,
};

const accountFind: CommandDeclaration = {
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
  load: async () => (await import('./account.run.ts')).find,
};

const accountList: CommandDeclaration = {
  name: 'list',
  description: 'List the links of the profile.',
  help: {
    examples: ['mop account list', "mop account list --json | jq -r '.[].user'"],
    failures: ['config'],
  },
  load: async () => (await import('./account.run.ts')).list,
};

const accountUnlink: CommandDeclaration = {
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
  load: async () => (await import('./account.run.ts')).unlink,
};

export const account: CommandDeclaration = {
  name: 'account',
  description: 'Store the links between your users and their openIds.',
  help: {
    examples: [
      'mop account link --user 17 --openid o-1 --mobile 13800000000',
      'mop account find --mobile 13800000000',
      'mop account list --json',
      'mop account unlink --user 17',
    ],
  },
  commands: [accountLink, accountFind, accountList, accountUnlink],
};
