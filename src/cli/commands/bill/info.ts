import type { CommandDeclaration } from '../../frame/command.ts';
import { modeOption } from '../request-options.ts';
import { FORCE, tarOption, typeOption } from './bill-options.ts';

export const billInfo: CommandDeclaration = {
  name: 'info',
  description: "Show the digest and the link of a bill (default yesterday's) without fetching it.",
  declare: (command) => {
    command
      .argument('[date]', 'a day as YYYY-MM-DD, or yesterday')
      .addOption(typeOption())
      .addOption(tarOption())
      .addOption(modeOption())
      .option(...FORCE);
  },
  reveals: true,
  help: {
    notes: '--reveal prints the link and its authorization, which are secrets.',
    examples: [
      'mop bill info --env sandbox',
      'mop bill info 2026-11-19 --type paid --json',
      'mop bill info --reveal --env sandbox',
    ],
    failures: ['config', 'auth', 'api', 'network', 'not-ready', 'no-bill'],
  },
  load: async () => (await import('./info.run.ts')).run,
};
