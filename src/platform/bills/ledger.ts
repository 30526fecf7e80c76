import { basename, join } from 'node:path';
import { MopError } from '../../errors.ts';
import type { BillType } from '../../protocol/operations.ts';
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

/** A line about a stored bill, with the fields that finding and verifying it need. */
export interface StoredEntry extends LedgerEntry {
  readonly status: 'stored';
  readonly file: string;
  readonly hash_type: string;
  readonly hash_value: string;
}

export function isStored(entry: LedgerEntry): entry is StoredEntry {
  const { status, file, hash_type, hash_value } = entry;
  return status === 'stored' && [file, hash_type, hash_value].every(isText);
}

/** The owner of bills: a profile and its environment. */
export interface BillOwner {
  readonly profile: string;
  readonly environment: string;
}

export function isOwnedBy(entry: LedgerEntry, { profile, environment }: BillOwner): boolean {
  return entry.profile === profile && entry.environment === environment;
}

/** The number of bills of another owner. */
export interface OtherBills extends BillOwner {
  readonly count: number;
}

/** Counts the bills of each owner other than `owner`. */
export function otherBills(bills: readonly BillOwner[], owner: BillOwner): OtherBills[] {
  const counts = new Map<string, OtherBills>();
  for (const { profile, environment } of bills) {
    if (profile === owner.profile && environment === owner.environment) continue;
    const key = JSON.stringify([profile, environment]);
    counts.set(key, { profile, environment, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** The latest line about each file, by file. */
export function latestStored(entries: readonly LedgerEntry[]): Map<string, StoredEntry> {
  return new Map(entries.filter(isStored).map((entry) => [entry.file, entry]));
}

/** Whether a directory has a ledger. */
export async function hasLedger(directory: string): Promise<boolean> {
  return (await statsOf(join(directory, LEDGER_NAME))) !== undefined;
}

/**
 * The entry in a line; undefined for an incomplete line or an unknown kind, whose bill is fetched
 * again.
 */
export function parseEntry(line: string): LedgerEntry | undefined {
  try {
    const entry = JSON.parse(line);
    return isEntry(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is LedgerEntry {
  const entry = value as LedgerEntry | null;
  return (
    [entry?.date, entry?.type].every(isText) &&
    ['stored', 'no-bill'].includes(entry?.status ?? '') &&
    isFile(entry?.file)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A ledger names only files in its own directory: never follow a path out of it. */
function isFile(file: unknown): boolean {
  if (!isText(file)) return file === null;
  return file === basename(file) && !/^\.{0,2}$|\0/.test(file);
}

/** The failure of a ledger that is a link, a directory or a device. */
export function notRegular(path: string): MopError {
  return new MopError('io', `the ledger ${path} is not a regular file`, {
    hint: 'move it away; mop bill fetch records existing files in a new ledger',
  });
}
