import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { MopError } from '../../errors.ts';
import { type BillSchedule, billWindow, daysOf, readyAt } from '../../protocol/bill-calendar.ts';
import type { BillType } from '../../protocol/operations.ts';
import { StopRule } from '../stop-rule.ts';
import { type BillKey, billKeys } from './bill-key.ts';
import type { BillDescriptor } from './descriptor.ts';
import { type BillDigest, isKnownDigest } from './digest.ts';
import {
  type BillOwner,
  isOwnedBy,
  isStored,
  type LedgerEntry,
  latestStored,
  type StoredEntry,
} from './ledger.ts';
import { isTooOld, mayBeTooOld } from './readiness.ts';
import { checkStored, FILES_IN_FLIGHT, pathsOf } from './stored-file.ts';

/** Maximum number of concurrent calls. They mostly wait, so more than {@link FILES_IN_FLIGHT}. */
const CALLS_IN_FLIGHT = 4;

/** A bill of the three-month window (D1 4.1), and its entry in the ledger if there is one. */
export interface ExpectedBill extends BillKey {
  readonly ready: boolean;
  readonly mayBeTooOld: boolean;
  /** The newest line whose file exists; for a bill that was never stored, the newest `no-bill` line. */
  readonly entry: LedgerEntry | undefined;
}

/** `unverified`: the file is unchanged, but no digest of the platform is known. */
export const BILL_STATES = [
  'verified',
  'unverified',
  'changed',
  'missing',
  'no-bill',
  'not-ready',
] as const;

export type BillState = (typeof BILL_STATES)[number];

export interface CheckedBill extends BillKey {
  readonly state: BillState;
}

/**
 * The bills of the window (D1 4.1), day by day, with their entries in the ledger of `directory`.
 */
export function expectedBills(
  directory: string,
  entries: readonly LedgerEntry[],
  owner: BillOwner,
  types: readonly BillType[],
  schedule: BillSchedule,
  now: number,
): ExpectedBill[] {
  const newest = newestEntries(directory, entries, owner);
  return billKeys(daysOf(billWindow(schedule, now)), types).map(({ date, type }) => ({
    date,
    type,
    ready: readyAt(date, schedule) <= now,
    mayBeTooOld: mayBeTooOld(date, schedule, now),
    entry: newest.get(keyOf({ date, type })),
  }));
}

/** The newest line of each bill whose file exists; of a bill never stored, the `no-bill` line. */
function newestEntries(
  directory: string,
  entries: readonly LedgerEntry[],
  owner: BillOwner,
): ReadonlyMap<string, LedgerEntry> {
  const latestOfFile = latestStored(entries);
  const own = entries.filter((entry) => isOwnedBy(entry, owner));
  const hasItsFile = (entry: StoredEntry): boolean => {
    const last = latestOfFile.get(entry.file);
    const isLast = last && isOwnedBy(last, owner) && keyOf(last) === keyOf(entry);
    return isLast === true && pathsOf(join(directory, entry.file)).some((path) => existsSync(path));
  };
  // A stored bill without its file is missing, even if a later line reports no bill.
  const wasStored = new Set(own.filter(isStored).map(keyOf));
  const newest = new Map<string, LedgerEntry>();
  for (const entry of own) {
    const isCurrent = isStored(entry) ? hasItsFile(entry) : !wasStored.has(keyOf(entry));
    if (isCurrent) newest.set(keyOf(entry), entry);
  }
  return newest;
}

export function currentEntry(
  directory: string,
  entries: readonly LedgerEntry[],
  owner: BillOwner,
  bill: BillKey,
): LedgerEntry | undefined {
  return newestEntries(directory, entries, owner).get(keyOf(bill));
}

function keyOf({ date, type }: BillKey): string {
  return `${date} ${type}`;
}

/** Whether the platform may know more about a bill than the ledger. */
export function needsPlatform({ ready, entry }: ExpectedBill): boolean {
  return ready && entry?.status !== 'no-bill';
}

export interface CheckBillsOptions {
  /** Requests the descriptor of a bill. Default: only the ledger is used. */
  readonly ask?: ((bill: BillKey) => Promise<BillDescriptor>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the failure of a file that could not be checked; it counts as changed. */
  readonly onFault?: ((fault: MopError) => void) | undefined;
  readonly onChecked?: ((bill: CheckedBill) => void) | undefined;
}

export interface CheckedBills {
  /** In the order of the bills. Omits a bill that is not stored and too old for the platform. */
  readonly checked: readonly CheckedBill[];
  /** Failed calls to the platform; for those bills, only the ledger is used. */
  readonly failures: readonly FailedCall[];
}

interface FailedCall {
  readonly bill: BillKey;
  readonly error: MopError;
}

/** The state of each bill, with its file hashed again. A {@link StopRule} ends the calls. */
export async function checkBills(
  directory: string,
  bills: readonly ExpectedBill[],
  { ask, signal, onFault, onChecked }: CheckBillsOptions = {},
): Promise<CheckedBills> {
  const failures: FailedCall[] = [];
  const rule = new StopRule();
  const answerTo = async (bill: ExpectedBill): Promise<PlatformAnswer> => {
    if (!ask || !needsPlatform(bill)) return {};
    try {
      const { digest } = await rule.run(() => ask({ date: bill.date, type: bill.type }));
      // For a digest of an unknown type, use the digest of the ledger.
      return { digest: digest && isKnownDigest(digest) ? digest : undefined };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof MopError)) throw error;
      const { code } = error;
      if (code === 'not-ready' || code === 'no-bill') return { absent: code };
      if (isTooOld(error, bill)) return { absent: 'too-old' };
      if (code !== 'skipped') failures.push({ bill, error });
      return {};
    }
  };
  const checked = await pMap(
    bills,
    async (bill): Promise<CheckedBill[]> => {
      const { date, type } = bill;
      const answer = await answerTo(bill);
      const state = await stateOf(directory, bill, answer, { signal, onFault });
      if (state === 'too-old') return [];
      const result = { date, type, state };
      onChecked?.(result);
      return [result];
    },
    { concurrency: ask ? CALLS_IN_FLIGHT : FILES_IN_FLIGHT },
  );
  return { checked: checked.flat(), failures };
}

/** The platform's answer: the digest of a bill, if any, or the reason why there is no bill. */
interface PlatformAnswer {
  readonly digest?: BillDigest | undefined;
  readonly absent?: 'not-ready' | 'no-bill' | 'too-old';
}

async function stateOf(
  directory: string,
  { ready, entry }: ExpectedBill,
  { digest, absent }: PlatformAnswer,
  { signal, onFault }: Pick<CheckBillsOptions, 'signal' | 'onFault'>,
): Promise<BillState | 'too-old'> {
  if (entry?.status === 'no-bill') return 'no-bill';
  if (entry && isStored(entry)) {
    // The platform's current digest takes precedence over the digest of the ledger.
    const own = { type: entry.hash_type, value: entry.hash_value };
    const expected = { ...(digest ?? own), bytes: entry.bytes };
    try {
      const state = await checkStored(join(directory, entry.file), expected, signal);
      if (state !== 'ok') return state;
      return digest || entry.verified === true ? 'verified' : 'unverified';
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof MopError)) throw error;
      onFault?.(error);
      return 'changed';
    }
  }
  if (!ready) return 'not-ready';
  return absent ?? 'missing';
}
