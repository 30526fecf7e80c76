import type { Command } from 'commander';
import type { Choose } from '../../command.ts';
import { registerBillFetch } from './fetch.ts';
import { registerBillInfo } from './info.ts';
import { registerBillStatus } from './status.ts';
import { registerBillVerify } from './verify.ts';

export function registerBill(parent: Command, choose: Choose): void {
  const bill = parent.command('bill').description('Fetch daily bills and keep their books.');
  registerBillFetch(bill, choose);
  registerBillInfo(bill, choose);
  registerBillVerify(bill, choose);
  registerBillStatus(bill, choose);
}
