import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { append } from '../../../any-length.ts';
import { MopError } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import { endsInSeparator } from '../../../files/file-name.ts';
import {
  type BillKey,
  billFileName,
  billKeys,
  inShard,
  isReservedName,
} from '../../../platform/bills/bill-key.ts';
import { checkDownloadHeaders } from '../../../platform/bills/download-headers.ts';
import type { BillJob, FetchBillOptions } from '../../../platform/bills/fetch-options.ts';
import type { Ledgers } from '../../../platform/bills/read-ledger.ts';
import { type ExpectedBill, expectedBills } from '../../../platform/bills/state.ts';
import { billSettings } from '../../context/bill-settings.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import { forEachProfile } from '../../context/profiles.ts';
import { readHeaders } from '../../context/request-content.ts';
import type { Settings } from '../../context/settings.ts';
import { selectDates } from './dates.ts';
import { profileDirectory } from './directories.ts';
import { type BillFetchOptions, isBatch } from './fetch-options.ts';

/** A bill to fetch, with its profile, target and options. */
export interface PlannedBill {
  readonly settings: Settings;
  readonly job: BillJob;
  readonly options: FetchBillOptions;
  /** Whether `--missing` selected a bill that the platform may have deleted already. */
  readonly mayBeTooOld: boolean;
}

/** Turns checked options into the bills they select. Sends and writes nothing. */
export async function planBills(
  dates: readonly string[],
  options: BillFetchOptions,
  context: Context,
  ledgers: Ledgers,
  directories: Map<string, string>,
): Promise<{ readonly bills: PlannedBill[]; readonly profileErrors: MopError[] }> {
  const bills: PlannedBill[] = [];
  const profileErrors = await forEachProfile(
    options.allProfiles ?? false,
    context,
    async (settings) => {
      append(bills, await planProfile(settings, dates, options, context, ledgers, directories));
    },
  );
  assertTargets(bills.map(({ job }) => job.target));
  return { bills, profileErrors };
}

async function planProfile(
  settings: Settings,
  dates: readonly string[],
  options: BillFetchOptions,
  context: Context,
  ledgers: Ledgers,
  directories: Map<string, string>,
): Promise<PlannedBill[]> {
  const { io, output } = context;
  const { owner, schedule, noBillCodes, directory } = billSettings(settings);
  const headers = {
    authHeader: settings.get('bill_auth_header'),
    downloadHeaders: readHeaders(options.downloadHeader, context, '--download-header'),
  };
  checkDownloadHeaders(headers);
  const { missing, type: types = ['all'], shard, allProfiles } = options;
  const batch = isBatch(dates, options);
  const destination = destinationOf(directory, settings.profile, options, batch, output);
  directories.set(settings.profile, destination.directory);
  const selectMissing = async (): Promise<ExpectedBill[]> => {
    const entries = (await ledgers.read(destination.directory)).entries();
    const bills = expectedBills(destination.directory, entries, owner, types, schedule, io.now());
    return bills.filter((bill) => isMissing(bill, options));
  };
  const selected: readonly (BillKey & { readonly mayBeTooOld?: boolean })[] = missing
    ? await selectMissing()
    : billKeys(selectDates(dates, options, schedule, io.now()), types);
  const keys = shard
    ? selected.filter((key) => inShard(key, shard, allProfiles ? settings.profile : ''))
    : selected;

  const template = (options.name ?? settings.get('bill_name')) + (options.keepGzip ? '.gz' : '');
  const pathOf = (key: BillKey): string =>
    join(
      destination.directory,
      billFileName(template, { ...key, profile: owner.profile, env: owner.environment }),
    );
  const { tar, keepGzip, maxBytes, overwrite, requireHash, acceptUnknownHash, force } = options;
  const acceptAnyContent = options.acceptAnyContent || settings.get('bill_content') === 'any';
  return keys.map(({ date, type, mayBeTooOld = false }) => ({
    settings,
    job: { date, type, target: destination.file ?? pathOf({ date, type }) },
    mayBeTooOld,
    options: {
      ...{ tar, keepGzip, maxBytes, overwrite, requireHash, acceptUnknownHash, force },
      acceptAnyContent,
      acceptUnverified: options.acceptUnverified,
      ...headers,
      schedule,
      noBillCodes,
      fileMode: Number.parseInt(settings.get('bill_file_mode'), 8),
      waitMs: (options.wait ?? 0) * 60_000,
      ledger: options.out === '-' ? undefined : owner,
    },
  }));
}

/** Whether the ledger lacks a bill that can be ready; with --wait or --force, also yesterday's. */
function isMissing({ entry, ready }: ExpectedBill, { wait, force }: BillFetchOptions): boolean {
  return !entry && (ready || Boolean(wait || force));
}

/** The directory for bills, or a file in it for a single bill. */
interface Destination {
  readonly directory: string;
  readonly file: string | undefined;
}

/** The destination of the bills of a profile. */
function destinationOf(
  fallback: string,
  profile: string,
  { out, name, allProfiles }: BillFetchOptions,
  isBatch: boolean,
  { json }: Output,
): Destination {
  const root = out ?? fallback;
  if (isBatch || out === undefined || endsInSeparator(out) || isDirectory(out)) {
    if (existsSync(root) && !isDirectory(root)) {
      throw new MopError('usage', `${root} is a file, and bills need a directory`, {
        hint: 'name a directory: -o DIR/',
      });
    }
    return { directory: profileDirectory(root, profile, allProfiles), file: undefined };
  }
  assertNoConflict([
    [name !== undefined, '--name is for a directory, and -o names the file'],
    [out === '-' && json, '--json and -o - both write to standard output'],
  ]);
  return { directory: dirname(out), file: out };
}

/** @throws {MopError} `usage` for the name of a file of mop, and for a target that two bills share. */
function assertTargets(targets: readonly string[]): void {
  const seen = new Set<string>();
  for (const target of targets) {
    if (isReservedName(basename(target))) {
      throw new MopError('usage', `${basename(target)} is a name that mop uses for its own files`, {
        hint: 'choose another name for the bill',
      });
    }
    if (seen.has(target)) {
      throw new MopError('usage', `several bills would be written to ${target}`, {
        hint: 'put {date} and {type} into the name template',
      });
    }
    seen.add(target);
  }
}
