import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { endsInSeparator } from '../../../files/file-name.ts';
import { tooEarly } from '../../../platform/bills/absent-bill.ts';
import { type BillKey, windowFault } from '../../../platform/bills/bill-key.ts';
import { currentEntry } from '../../../platform/bills/check-bills.ts';
import {
  type BillOwner,
  isOwnedBy,
  isStored,
  type LedgerEntry,
  type StoredEntry,
} from '../../../platform/bills/ledger.ts';
import { readLedger } from '../../../platform/bills/read-ledger.ts';
import { checkStored } from '../../../platform/bills/stored-file.ts';
import { readyAt } from '../../../protocol/bill-calendar.ts';
import type { BillType } from '../../../protocol/operations.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { shellQuote } from '../../context/print-curl.ts';
import { profileOption } from '../../context/settings.ts';
import { billSettings } from './bill-settings.ts';
import { dateHint, selectDate } from './dates.ts';
import { describeOwner } from './describe-owner.ts';
import { assertDirectory } from './directories.ts';

/** The options for a bill given by its day. */
export interface BillFileOptions {
  readonly type?: BillType;
  /** The directory of the ledger. */
  readonly bills?: string;
}

/** Whether an argument is a day, rather than a path. */
function isDay(argument: string): boolean {
  return argument === 'yesterday' || /^\d{4}-\d{2}-\d{2}$/.test(argument);
}

/** @throws {MopError} `usage` for options that apply to days when only files are given. */
export function checkFileOptions(
  args: readonly string[],
  { type, bills: directory }: BillFileOptions,
): void {
  const hasDay = args.some(isDay);
  const hint = 'leave it out, or give a day instead of a file';
  assertNoConflict([
    [!hasDay && type, '--type selects the bill of a day, but a file is given', hint],
    [
      !hasDay && directory !== undefined,
      '-o names the directory of the bill of a day, but a file is given',
      hint,
    ],
  ]);
}

/** A bill on this machine. */
export interface BillFile {
  /** The day or the path, for messages. */
  readonly name: string;
  readonly path: string;
}

/**
 * The bill that an argument names: a file, or the bill that the ledger records for a day.
 *
 * @throws {MopError} `usage` for a day that is not recorded, `no-bill` for a day without trades.
 */
export async function findBill(
  argument: string,
  { type = 'all', bills }: BillFileOptions,
  context: Context,
): Promise<BillFile> {
  if (!isDay(argument)) {
    assertNotDateLike(argument);
    return { name: argument === '-' ? 'standard input' : argument, path: argument };
  }
  const { owner, schedule, directory: fallback } = billSettings(settingsOf(context));
  const date = selectDate(argument, { force: true }, schedule, context.io.now());
  if (bills !== undefined) assertDirectory(bills);
  const directory = bills ?? fallback;
  const entries = await readLedger(directory, context.io.signal);
  const entry = currentEntry(directory, entries, owner, { date, type });
  if (entry?.status === 'no-bill') {
    throw new MopError('no-bill', `there is no bill of ${date}: the day had no trades`, {
      hint: 'choose another day',
    });
  }
  if (!entry || !isStored(entry)) {
    const place = directory === '.' ? 'the current directory' : directory;
    throw new MopError('usage', `there is no bill of ${date} (type ${type}) in ${place}`, {
      hint: missingHint({ date, type }, directory, { owner, schedule }, entries, context),
    });
  }
  const path = join(directory, entry.file);
  await warnIfChanged(
    path,
    entry,
    fetchCommand({ date, type }, directory, owner, context),
    context,
  );
  return { name: date, path };
}

/** @throws {MopError} `usage` for a day in another form, unless a file has this name. */
function assertNotDateLike(argument: string): void {
  const hint = dateHint(argument);
  if (hint === undefined || existsSync(argument)) return;
  const name = JSON.stringify(argument);
  throw new MopError('usage', `${name} is neither a file nor a day YYYY-MM-DD`, { hint });
}

/** The hint for a bill that is not recorded: select its owner, fetch it, or choose another day. */
function missingHint(
  { date, type }: BillKey,
  directory: string,
  { owner, schedule }: Pick<ReturnType<typeof billSettings>, 'owner' | 'schedule'>,
  entries: readonly LedgerEntry[],
  context: Context,
): string {
  const other = entries.findLast(
    (entry) => isStored(entry) && entry.date === date && entry.type === type,
  );
  if (other && !isOwnedBy(other, owner)) {
    const { name, options } = describeOwner(other, owner);
    return `the ledger has this bill of ${name}: add ${options}`;
  }
  const now = context.io.now();
  const fault =
    windowFault(date, schedule, now) ??
    (now < readyAt(date, schedule) ? tooEarly({ date, type }, schedule, now).message : undefined);
  if (fault !== undefined) return `choose another day: ${fault}`;
  return `fetch it: ${fetchCommand({ date, type }, directory, owner, context)}`;
}

/** The command that fetches a bill into a directory. */
function fetchCommand(
  { date, type }: BillKey,
  directory: string,
  owner: BillOwner,
  { globals: { env } }: Context,
): string {
  const options = [
    ...(type === 'all' ? [] : [`--type ${type}`]),
    `-o ${shellQuote(endsInSeparator(directory) ? directory : `${directory}/`)}`,
    ...(env === undefined ? [] : [`--env ${env}`]),
  ].join(' ');
  return `mop bill fetch ${date} ${options}${profileOption(owner.profile)}`;
}

/** A changed file gives wrong sums and differences. */
async function warnIfChanged(
  path: string,
  { hash_type: type, hash_value: value, bytes, verified }: StoredEntry,
  fetch: string,
  { io, output }: Context,
): Promise<void> {
  if (!verified) return;
  const state = await checkStored(path, { type, value, bytes }, io.signal);
  if (state === 'changed') {
    output.warn(
      `${path} has changed since it was fetched: it does not match its ${type} digest; to replace it: ${fetch} --overwrite`,
    );
  }
}
