import type { MopError } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';
import type { BillKey } from '../../../platform/bills/bill-key.ts';
import { knownSeqId, reasonOf } from '../../context/error-json.ts';
import type { Output } from '../../context/output.ts';

export interface FailedBill {
  readonly bill: BillKey;
  /** Where the bill would be stored. */
  readonly target?: string | undefined;
  /** Undefined unless bills of several profiles are listed. */
  readonly profile: string | undefined;
  readonly error: MopError;
}

/** Maximum number of failures that are printed one by one (contract section 4). */
export const MAX_FAILURES = 10;

/** The name of a bill in a line about it, such as `north 2026-11-19 all`. */
export function billName({ date, type }: BillKey, profile: string | undefined): string {
  return `${profile === undefined ? '' : `${profile} `}${date} ${type}`;
}

/** Prints the reason of each failure; bills that failed for the same reason are listed below it. */
export function printFailures(
  failed: readonly FailedBill[],
  output: Output,
  limit = MAX_FAILURES,
): void {
  const named = failed.slice(0, Math.max(0, limit));
  const byReason = new Map<string, FailedBill[]>();
  for (const each of named) {
    const reason = commonReason(each);
    byReason.set(reason, [...(byReason.get(reason) ?? []), each]);
  }
  for (const [reason, alike] of byReason) {
    const [first] = alike;
    if (first && alike.length === 1) {
      output.failure(`${billName(first.bill, first.profile)}: ${reasonOf(first.error)}`);
      continue;
    }
    output.failure(`${counted(alike.length, 'bill')}: ${reason}`);
    for (const { bill, profile, error } of alike) {
      const seqId = knownSeqId(error);
      output.line(`  ${billName(bill, profile)}${seqId === undefined ? '' : `  seq_id ${seqId}`}`);
    }
  }
  const others = failed.length - named.length;
  if (others > 0) output.failure(`${counted(others, 'other bill')} failed; --json lists all`);
}

/** The message of a failure without the words that differ between bills. */
function commonReason({ bill: { date }, target = '', error: { message } }: FailedBill): string {
  const reason = target === '' ? message : message.replaceAll(target, 'the file');
  return reason.replaceAll(date, 'DATE');
}
