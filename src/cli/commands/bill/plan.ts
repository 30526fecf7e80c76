import { join } from 'node:path';
import { append } from '../../../any-length.ts';
import type { MopError } from '../../../errors.ts';
import { type BillKey, billFileName, billKeys, inShard } from '../../../platform/bills/bill-key.ts';
import { checkDownloadHeaders } from '../../../platform/bills/download-headers.ts';
import type { BillJob, FetchBillOptions } from '../../../platform/bills/fetch-options.ts';
import type { Ledgers } from '../../../platform/bills/read-ledger.ts';
import { type ExpectedBill, expectedBills } from '../../../platform/bills/state.ts';
import type { Context } from '../../context/context.ts';
import { readHeaders } from '../../context/request-content.ts';
import type { Settings } from '../../context/settings.ts';
import { billSettings } from './bill-settings.ts';
import { assertTargets, destinationOf } from './bill-targets.ts';
import { type BillFetchOptions, isBatch } from './check-options.ts';
import { selectDates } from './dates.ts';
import { forEachProfile } from './each-profile.ts';

/** A bill to fetch, with its profile, target and options. */
export interface PlannedBill {
  readonly settings: Settings;
  readonly job: BillJob;
  readonly options: FetchBillOptions;
  /** Whether `--missing` selected a bill that the platform may have deleted already. */
  readonly mayBeTooOld: boolean;
}

/**
 * Turns checked options into the bills they select. Sends and writes nothing.
 *
 * @param ledgers The ledgers of the run, read for `--missing`.
 * @param directories Receives the directory of each profile.
 * @returns The bills, and with `--all-profiles` the failures of skipped profiles.
 * @throws {MopError} `usage` for invalid dates and paths, `config`.
 */
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
