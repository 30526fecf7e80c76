import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MopError, quoted } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import type { BillKey } from '../../../platform/bills/bill-key.ts';
import { type BillOwner, isStored, type StoredEntry } from '../../../platform/bills/ledger.ts';
import { Ledgers } from '../../../platform/bills/read-ledger.ts';
import { currentEntry } from '../../../platform/bills/state.ts';
import { checkStored, findStored } from '../../../platform/bills/stored-file.ts';
import type { BillType } from '../../../protocol/operations.ts';
import { billSettings } from '../../context/bill-settings.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import { DATE_HINT, selectDate, selectDates } from './dates.ts';
import { assertDirectory } from './directories.ts';

/** The options for bills given by their days. */
export interface BillFileOptions {
  readonly type?: BillType;
  /** The directory of the ledger. */
  readonly bills?: string | undefined;
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
}

/** Whether an argument is a day, rather than a path. */
function isDay(argument: string): boolean {
  return argument === 'yesterday' || /^\d{4}-\d{2}-\d{2}$/.test(argument);
}

/** A bill on this machine. */
export interface BillFile {
  /** The day or the path, for messages. */
  readonly name: string;
  readonly path: string;
}

/**
 * The bills that a command line names: files, days, a range of days, or the bill of yesterday. An
 * argument that is a directory is the directory of the ledger. Of several bills, omits those of
 * days without trades, with a note.
 */
export async function findBills(
  given: readonly string[],
  options: BillFileOptions,
  context: Context,
): Promise<BillFile[]> {
  const directories = given.filter((argument) => argument !== '-' && isDirectory(argument));
  const others = given.filter((argument) => !directories.includes(argument));
  checkFileOptions(others, directories, options);
  // Files alone need no configuration, which may be damaged.
  if (others.length > 0 && !others.some(isDay)) return others.map(givenFile);
  const { owner, schedule, directory: fallback } = billSettings(settingsOf(context));
  const now = context.io.now();
  const days = (): string[] => selectDates([], { ...options, force: true }, schedule, now);
  const arguments_ = others.length > 0 ? others : days();
  const directory = options.bills ?? directories[0];
  if (directory !== undefined && arguments_.some(isDay)) assertDirectory(directory);
  const ledgers = new Ledgers(context.io.signal);
  const bills: BillFile[] = [];
  for (const argument of arguments_) {
    try {
      if (!isDay(argument)) {
        bills.push(givenFile(argument));
        continue;
      }
      const date = selectDate(argument, { force: true }, schedule, now);
      const key = { date, type: options.type ?? 'all' };
      bills.push(await recordedBill(key, directory ?? fallback, owner, ledgers, context));
    } catch (error) {
      const isOmitted =
        error instanceof MopError && error.code === 'no-bill' && arguments_.length > 1;
      if (!isOmitted) throw error;
      context.output.note(error.message);
    }
  }
  return bills;
}

function checkFileOptions(
  others: readonly string[],
  directories: readonly string[],
  { type, bills: directory, from, to, last }: BillFileOptions,
): void {
  const hasRange = from !== undefined || to !== undefined || last !== undefined;
  const hasDay = others.length === 0 || others.some(isDay);
  const hint = 'leave it out, or give a day instead of a file';
  assertNoConflict([
    [hasRange && others.length > 0, 'files or days are given, and a range of days'],
    [
      last !== undefined && (from ?? to) !== undefined,
      '--last and --from or --to exclude each other',
    ],
    [to !== undefined && from === undefined, '--to needs --from', 'add --from DATE'],
    [
      directories.length + Number(directory !== undefined) > 1,
      'several directories of bills are given',
      'name one directory',
    ],
    [!hasDay && type, '--type selects the bill of a day, but a file is given', hint],
    [
      !hasDay && (directory ?? directories[0]) !== undefined,
      '-o names the directory of the bill of a day, but a file is given',
      hint,
    ],
  ]);
}

function givenFile(path: string): BillFile {
  assertNotDateLike(path);
  return { name: path === '-' ? 'standard input' : path, path };
}

/** The bill that the ledger records for a day. */
async function recordedBill(
  { date, type }: BillKey,
  directory: string,
  owner: BillOwner,
  ledgers: Ledgers,
  context: Context,
): Promise<BillFile> {
  const entries = (await ledgers.read(directory)).entries();
  const entry = currentEntry(directory, entries, owner, { date, type });
  if (entry?.status === 'no-bill') {
    throw new MopError('no-bill', `there is no bill of ${date}: the day had no trades`, {
      hint: 'choose another day',
    });
  }
  if (!entry || !isStored(entry)) {
    const place = directory === '.' ? 'the current directory' : directory;
    throw new MopError('usage', `there is no bill of ${date} (type ${type}) in ${place}`, {
      hint: quoted`to fetch it, run mop bill fetch ${date} with the same -o, -p and --env`,
    });
  }
  const recorded = join(directory, entry.file);
  const path = (await findStored(recorded)) ?? recorded;
  await warnIfChanged(path, entry, context);
  return { name: date, path };
}

/** @throws {MopError} `usage` for a day in another form, unless a file has this name. */
function assertNotDateLike(argument: string): void {
  const isDateLike = /^(?:today|\d{4}[\d./:,~-]{4,})$/i.test(argument);
  if (!isDateLike || existsSync(argument)) return;
  const name = JSON.stringify(argument);
  throw new MopError('usage', `${name} is neither a file nor a day YYYY-MM-DD`, {
    hint: DATE_HINT,
  });
}

/** A changed file gives wrong sums and differences. */
async function warnIfChanged(
  path: string,
  { hash_type: type, hash_value: value, bytes, verified }: StoredEntry,
  { io, output }: Context,
): Promise<void> {
  if (!verified) return;
  const state = await checkStored(path, { type, value, bytes }, io.signal);
  if (state === 'changed') {
    output.warn(
      quoted`${path} has changed since it was fetched: it does not match its ${type} digest; mop bill fetch DATE --overwrite replaces it`,
    );
  }
}
