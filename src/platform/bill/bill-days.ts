import { join } from 'node:path';
import pMap from 'p-map';
import { MopError } from '../../errors.ts';
import { type BillSchedule, billWindow, daysOf, readyAt } from '../../protocol/bill-calendar.ts';
import type { BillType } from '../../protocol/operations.ts';
import type { BillDescriptor } from './descriptor.ts';
import type { BillDigest } from './digest.ts';
import { type BillOwner, isOwnedBy, isStored, type LedgerEntry, readLedger } from './ledger.ts';
import { accountsFor, type BillKey, billKeys } from './selection.ts';
import { checkStored } from './stored-file.ts';

/** How many bills are looked into at once: files are read from one disk, calls mostly wait. */
const FILES_IN_FLIGHT = 2;
const CALLS_IN_FLIGHT = 4;

/** A bill of the three-month window, and what the ledger says of it. */
export interface BookedBill extends BillKey {
  /** Whether the bill can be there by now (D1 4.1 rule 3). */
  readonly ready: boolean;
  /** The newest line that says there is no bill, or whose file is there. */
  readonly entry: LedgerEntry | undefined;
}

export type DayState = 'verified' | 'changed' | 'missing' | 'no-bill' | 'not-ready';

/** A bill of the window with what became of it. */
export interface BillDay extends BillKey {
  readonly state: DayState;
}

/**
 * The bills of the window (D1 4.1), day by day, with what the ledger of `directory` says of them.
 *
 * @param now Milliseconds since 1970.
 * @throws {MopError} `io`
 */
export async function bookedBills(
  directory: string,
  owner: BillOwner,
  types: readonly BillType[],
  schedule: BillSchedule,
  now: number,
): Promise<BookedBill[]> {
  const newest = new Map<string, LedgerEntry>();
  for (const entry of await readLedger(directory)) {
    if (isOwnedBy(entry, owner) && accountsFor(directory, entry)) {
      newest.set(`${entry.date} ${entry.type}`, entry);
    }
  }
  return billKeys(daysOf(billWindow(schedule, now)), types).map(({ date, type }) => ({
    date,
    type,
    ready: readyAt(date, schedule) <= now,
    entry: newest.get(`${date} ${type}`),
  }));
}

/** Whether the platform can know more of a bill than the ledger. */
export function isOpen({ ready, entry }: BookedBill): boolean {
  return ready && entry?.status !== 'no-bill';
}

export interface BillDaysOptions {
  /** Asks the platform for a bill. Default: the ledger alone counts. */
  readonly ask?: ((bill: BillKey) => Promise<BillDescriptor>) | undefined;
  /** Ends the run; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told as the state of each bill is known. */
  readonly onDay?: ((day: BillDay) => void) | undefined;
}

/**
 * What became of each bill, its file hashed anew.
 *
 * @returns In the order of `bills`.
 * @throws {MopError} The first failure of a call, once no other call is under way; `io`;
 *   `integrity` for a digest that is not known here.
 * @throws The signal's reason.
 */
export async function billDays(
  directory: string,
  bills: readonly BookedBill[],
  { ask, signal, onDay }: BillDaysOptions = {},
): Promise<BillDay[]> {
  let failure: { readonly error: unknown } | undefined;
  const days = await pMap(
    bills,
    async (bill): Promise<BillDay[]> => {
      if (failure) return [];
      try {
        const answer = ask && isOpen(bill) ? await answerOf(bill, ask) : {};
        const state = await stateOf(directory, bill, answer, signal);
        const day = { date: bill.date, type: bill.type, state };
        onDay?.(day);
        return [day];
      } catch (error) {
        failure ??= { error };
        return [];
      }
    },
    { concurrency: ask ? CALLS_IN_FLIGHT : FILES_IN_FLIGHT },
  );
  if (failure) throw failure.error;
  return days.flat();
}

/** What the platform says of a bill: how it hashes, if it says so, or why there is none. */
interface PlatformAnswer {
  readonly digest?: BillDigest | undefined;
  readonly absent?: 'not-ready' | 'no-bill';
}

async function answerOf(
  { date, type }: BillKey,
  ask: (bill: BillKey) => Promise<BillDescriptor>,
): Promise<PlatformAnswer> {
  try {
    const { digest } = await ask({ date, type });
    return { digest };
  } catch (error) {
    const code = error instanceof MopError ? error.code : undefined;
    if (code === 'not-ready' || code === 'no-bill') return { absent: code };
    throw error;
  }
}

async function stateOf(
  directory: string,
  { ready, entry }: BookedBill,
  { digest, absent }: PlatformAnswer,
  signal: AbortSignal | undefined,
): Promise<DayState> {
  if (entry?.status === 'no-bill') return 'no-bill';
  if (entry && isStored(entry)) {
    // What the platform says today counts for more than what it said as the bill was stored.
    const expected = digest ?? { type: entry.hash_type, value: entry.hash_value };
    const state = await checkStored(join(directory, entry.file), expected, signal);
    return state === 'ok' ? 'verified' : state;
  }
  if (!ready) return 'not-ready';
  return absent ?? 'missing';
}
