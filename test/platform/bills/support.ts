import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStored, LEDGER_NAME, type LedgerEntry } from '../../../src/platform/bills/ledger.ts';
import { readLedger } from '../../../src/platform/bills/read-ledger.ts';
import { changeLedger, type LedgerLockOptions } from '../../../src/platform/bills/write-ledger.ts';
import { CONTENT } from '../../support/platform.ts';

export const MD5 = createHash('md5').update(CONTENT).digest('hex');
export const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

/** The line of a stored bill with the content of the tests. Default: for 19 November. */
export function storedLine(overrides: Partial<LedgerEntry> = {}): LedgerEntry {
  const { date = '2026-11-19', type = 'all' } = overrides;
  return {
    date,
    type,
    profile: 'default',
    environment: 'production',
    status: 'stored',
    file: `bill_${date}_${type}.csv`,
    bytes: CONTENT.length,
    hash_type: 'MD5',
    hash_value: MD5,
    verified: true,
    seq_id: 's-1',
    time: '2026-11-20T05:00:00.000Z',
    ...overrides,
  };
}

/** The line of a day without trades. */
export function noBillLine(date: string): LedgerEntry {
  const nothing = { file: null, bytes: null, hash_type: null, hash_value: null, verified: false };
  return storedLine({ date, status: 'no-bill', ...nothing });
}

/**
 * The entries of a whole ledger that count, oldest first: for each bill, the newest entry of each
 * of its files, and the newest entry without a stored bill.
 */
export function newestOf(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const subjectOf = (entry: LedgerEntry): string => {
    const { profile, environment, date, type, file } = entry;
    return JSON.stringify([profile, environment, date, type, isStored(entry) ? file : null]);
  };
  const subjects = entries.map(subjectOf);
  return entries.filter((_, index) => !subjects.includes(subjects[index] ?? '', index + 1));
}

/** Writes a ledger; a text is written as an unchanged line. */
export function writeLedger(directory: string, lines: readonly (LedgerEntry | string)[]): void {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(join(directory, LEDGER_NAME), texts.map((text) => `${text}\n`).join(''));
}

/** Stores a bill. Default: with the content of its line. */
export function placeBill(directory: string, name: string, content: Uint8Array = CONTENT): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** Adds a line to the ledger of `directory`. */
export async function appendLedger(
  directory: string,
  entry: LedgerEntry,
  options: LedgerLockOptions = { mode: 0o600 },
): Promise<void> {
  await changeLedger(directory, { entry, ...options });
}

/** The entries of the ledger of `directory`, oldest first. */
export async function entriesIn(directory: string, signal?: AbortSignal): Promise<LedgerEntry[]> {
  return (await readLedger(directory, signal)).entries();
}
