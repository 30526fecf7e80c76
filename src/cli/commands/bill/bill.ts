import type { CommandDeclaration } from '../../frame/command.ts';
import { billFetch } from './fetch.ts';
import { billInfo } from './info.ts';
import { billStatus } from './status.ts';
import { billVerify } from './verify.ts';

export const bill: CommandDeclaration = {
  name: 'bill',
  description: 'Fetch daily bills and keep their books.',
  help: {
    examples: [
      'mop bill fetch --env sandbox',
      'mop bill status bills/',
      'mop bill fetch --missing --quiet -o bills/',
    ],
  },
  commands: [billFetch, billInfo, billVerify, billStatus],
};
