import type { Choose, Command } from '../../frame/command.ts';
import { registerBillFetch } from './fetch.ts';
import { registerBillInfo } from './info.ts';
import { registerBillStatus } from './status.ts';
import { registerBillVerify } from './verify.ts';

export function register(bill: Command, choose: Choose): void {
  bill.explain({
    examples: [
      'mop bill fetch --env sandbox',
      'mop bill status bills/',
      'mop bill fetch --missing --quiet -o bills/',
    ],
  });
  registerBillFetch(bill, choose);
  registerBillInfo(bill, choose);
  registerBillVerify(bill, choose);
  registerBillStatus(bill, choose);
}
