import { basename, join } from 'node:path';
import { MopError } from '../../errors.ts';
import type { BillType } from '../../protocol/operations.ts';
import type { BillKey } from './bill-key.ts';
import { statsOf } from './stored-file.ts';

export const LEDGER_NAME = 'bills.jsonl';

/** A line of the ledger: a stored bill, or a day without one. */
export interface LedgerEntry {
  readonly date: string;
  readonly type: BillType;
  readonly profile: string;
  readonly environment: string;
  readonly status: 'stored' | 'no-bill';
  /** Relative to the ledger's directory; null for a day without a bill. */
  readonly file: string | null;
  readonly bytes: number | null;
  /** The digest of the original, decompressed content. */
  readonly hash_type: string | null;
  readonly hash_value: string | null;
  readonly verified: boolean;
  readonly seq_id: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

export interface StoredEntry extends LedgerEntry {
  readonly status: 'stored';
  readonly file: string;
  readonly hash_type: string;
  readonly hash_value: string;
}

export function isStored(entry: LedgerEntry): entry is StoredEntry {
  return entry.status === 'stored';
}

/** The owner of bills: a profile and its environment. */
export interface BillOwner {
  readonly profile: string;
  readonly environment: string;
}

export function isOwnedBy(entry: BillOwner, { profile, environment }: BillOwner): boolean {
  return entry.profile === profile && entry.environment === environment;
}

/** Whether an entry is about a bill of an owner. */
export function isAbout(entry: LedgerEntry, owner: BillOwner, { date, type }: BillKey): boolean {
  return entry.date === date && entry.type === type && isOwnedBy(entry, owner);
}

/** A newer line with the same subject supersedes a line: a bill in a file, or a day without one. */
export function subjectOf({ profile, environment, date, type, file }: LedgerEntry): string {
  return JSON.stringify([profile, environment, date, type, file]);
}

export interface OtherBills extends BillOwner {
  readonly count: number;
}

export function otherBills(bills: readonly BillOwner[], owner: BillOwner): OtherBills[] {
  const counts = new Map<string, OtherBills>();
  for (const bill of bills) {
    if (isOwnedBy(bill, owner)) continue;
    const { profile, environment } = bill;
    const key = JSON.stringify([profile, environment]);
    counts.set(key, { profile, environment, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

export function latestStored(entries: readonly LedgerEntry[]): Map<string, StoredEntry> {
  return new Map(entries.filter(isStored).map((entry) => [entry.file, entry]));
}

export async function hasLedger(directory: string): Promise<boolean> {
  return (await statsOf(join(directory, LEDGER_NAME))) !== undefined;
}

/** `foreign`: blank, or of another program. The bill of a `damaged` line is fetched again. */
export function parseLine(text: string | undefined): LedgerEntry | 'foreign' | 'damaged' {
  if (text?.trim() === '') return 'foreign';
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return 'damaged';
    const { date, type, status } = value as LedgerEntry;
    const isOfMop = isText(date) && isText(type) && ['stored', 'no-bill'].includes(status);
    if (!isOfMop) return 'foreign';
    return isEntry(value as LedgerEntry) ? (value as LedgerEntry) : 'damaged';
  } catch {
    return 'damaged';
  }
}

function isEntry({ status, file, hash_type, hash_value }: LedgerEntry): boolean {
  if (status === 'no-bill') return file === null;
  // A ledger names only files in its own directory: never follow a path out of it.
  const isName = isText(file) && file === basename(file) && !/^\.{0,2}$|\0/.test(file);
  return isName && isText(hash_type) && isText(hash_value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The failure of a ledger that is a link, a directory or a device. */
export function notRegular(path: string): MopError {
  return new MopError('io', `the ledger ${path} is not a regular file`, {
    hint: 'move it away; the next fetch records existing files in a new ledger',
  });
}
