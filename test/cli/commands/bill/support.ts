import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry } from '../../../../src/platform/bills/ledger.ts';

export const YESTERDAY = '2026-11-19';
/** The file of the bill of all types of {@link YESTERDAY}. */
export const FILE = `bill_${YESTERDAY}_all.csv`;

/** The entries of the ledger in a directory. */
export function ledgerIn(directory: string): LedgerEntry[] {
  return readFileSync(join(directory, 'bills.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The report that `mop bill fetch --json` printed. */
export function reportOf({ stdout }: { stdout: string }): {
  bills: Record<string, unknown>[];
  summary: Record<string, number>;
} {
  return JSON.parse(stdout);
}
