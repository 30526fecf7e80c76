import type { CommandDeclaration } from '../../frame/command.ts';
import { billCompact } from './compact.ts';
import { billCompare } from './compare.ts';
import { billFetch } from './fetch.ts';
import { billInfo } from './info.ts';
import { billStatus } from './status.ts';
import { billSummary } from './summary.ts';
import { billVerify } from './verify.ts';

export const bill: CommandDeclaration = {
  name: 'bill',
  description: 'Fetch and verify daily bills, and compare them with your records.',
  help: {
    examples: [
      'mop bill fetch --env sandbox',
      'mop bill status bills/',
      'mop bill fetch --missing --quiet -o bills/',
      'mop bill compare yesterday -o bills/ --with orders.csv --key order_id=id --amount paid_amount=paid',
    ],
  },
  commands: [billFetch, billInfo, billVerify, billStatus, billSummary, billCompare, billCompact],
};
