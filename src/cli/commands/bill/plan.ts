import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { localError } from '../../../files/file-error.ts';
import type { BillJob, FetchBillOptions } from '../../../platform/bills/fetch-options.ts';
import type { BillOwner } from '../../../platform/bills/ledger.ts';
import type { BillKey } from '../../../platform/bills/selection.ts';
import type { BillSchedule } from '../../../protocol/bill-calendar.ts';
import type { BillType, TarType } from '../../../protocol/operations.ts';
import { configPath, isProfileName, readConfig } from '../../context/config-file.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import type { Settings } from '../../context/settings.ts';
import { type DateOptions, selectDates } from './dates.ts';
import { billSettings } from './settings.ts';

/** The options of `mop bill fetch`. */
export interface BillFetchOptions extends DateOptions {
  readonly missing?: boolean;
  readonly type?: readonly BillType[];
  readonly tar?: TarType;
  readonly keepGzip?: boolean;
  readonly out?: string;
  readonly name?: string;
  readonly allProfiles?: boolean;
  readonly concurrency?: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly maxBytes?: number;
  readonly overwrite?: boolean;
  /** Minutes. */
  readonly wait?: number;
  readonly requireHash?: boolean;
}

/** A bill that a command line asks for: whose, which, where to and how. */
export interface PlannedBill {
  readonly settings: Settings;
  readonly job: BillJob;
  readonly options: FetchBillOptions;
}

export interface Plan {
  readonly bills: readonly PlannedBill[];
  /** Why profiles were left out, with `--all-profiles`. */
  readonly unusable: readonly MopError[];
}

/**
 * The bills that a command line asks for. Nothing is sent and nothing is written.
 *
 * @throws {MopError} `usage` for dates and paths that do not fit, `config`.
 */
export async function planBills(
  dates: readonly string[],
  options: BillFetchOptions,
  context: Context,
): Promise<Plan> {
  assertOneSelection(dates, options);
  if (options.keepGzip && options.tar === 'stream') {
    throw new MopError('usage', '--keep-gzip needs the gzip form, and --tar stream asks for none', {
      hint: 'leave out one of the two',
    });
  }
  const bills: PlannedBill[] = [];
  const unusable: MopError[] = [];
  for (const profile of profilesOf(options, context)) {
    try {
      if (profile !== undefined) assertNamesFolder(profile);
      const settings = settingsOf(context, profile);
      bills.push(...(await planProfile(settings, dates, options, context)));
    } catch (error) {
      const skip = options.allProfiles && error instanceof MopError && error.code === 'config';
      if (!skip) throw error;
      context.output.warn(`profile ${profile} cannot be used: ${error.message}`);
      unusable.push(error);
    }
  }
  await assertTargets(bills);
  return { bills, unusable };
}

async function planProfile(
  settings: Settings,
  dates: readonly string[],
  options: BillFetchOptions,
  context: Context,
): Promise<PlannedBill[]> {
  const { billFileName, inShard } = await import('../../../platform/bills/selection.ts');
  const { owner, schedule, noBillCodes, directory } = billSettings(settings);
  const place = placeOf(directory, settings.profile, options);
  const wanted = await selectBills(
    dates,
    options,
    { schedule, owner, directory: place.directory },
    context,
  );
  const { shard } = options;
  const keys = shard
    ? wanted.filter((key) => inShard(key, shard, options.allProfiles ? settings.profile : ''))
    : wanted;
  assertFits(place, keys, options, context);

  const template = (options.name ?? settings.get('bill_name')) + (options.keepGzip ? '.gz' : '');
  return keys.map((key) => ({
    settings,
    job: {
      ...key,
      target:
        place.file ??
        join(
          place.directory,
          billFileName(template, { ...key, profile: owner.profile, env: owner.environment }),
        ),
    },
    options: {
      schedule,
      tar: options.tar,
      keepGzip: options.keepGzip,
      authHeader: settings.get('bill_auth_header'),
      noBillCodes,
      maxBytes: options.maxBytes,
      fileMode: Number.parseInt(settings.get('bill_file_mode'), 8),
      requireHash: options.requireHash,
      overwrite: options.overwrite,
      force: options.force,
      waitMs: (options.wait ?? 0) * 60_000,
      ledger: options.out === '-' ? undefined : owner,
    },
  }));
}

/** The names of the profiles to go through; undefined stands for the one in force. */
function profilesOf(
  { allProfiles }: BillFetchOptions,
  { io, globals, output }: Context,
): (string | undefined)[] {
  if (!allProfiles) return [undefined];
  if (globals.profile !== undefined) {
    throw new MopError('usage', '--profile and --all-profiles contradict each other', {
      hint: 'leave out one of the two',
    });
  }
  const path = configPath(io);
  const names = Object.keys(readConfig(path, (message) => output.warn(message)).profiles);
  if (names.length > 0) return names;
  throw new MopError('config', `there is no profile in ${path}`, { hint: 'run: mop config init' });
}

/** @throws {MopError} `config` for a name that leads elsewhere: somebody wrote it by hand. */
function assertNamesFolder(profile: string): void {
  if (isProfileName(profile)) return;
  throw new MopError('config', `${JSON.stringify(profile)} cannot name a folder`, {
    hint: 'rename the profile in the file that mop config path names',
  });
}

/** Where bills go: into a directory, or into one file of it. */
interface Place {
  readonly directory: string;
  readonly file: string | undefined;
}

function placeOf(fallback: string, profile: string, { out, allProfiles }: BillFetchOptions): Place {
  const root = out ?? fallback;
  if (allProfiles) return { directory: join(root, profile), file: undefined };
  if (out === undefined || out.endsWith('/') || isDirectory(out)) {
    return { directory: root, file: undefined };
  }
  return { directory: dirname(out), file: out };
}

async function selectBills(
  dates: readonly string[],
  options: BillFetchOptions,
  {
    schedule,
    owner,
    directory,
  }: {
    schedule: BillSchedule;
    owner: BillOwner;
    directory: string;
  },
  { io }: Context,
): Promise<BillKey[]> {
  const types = options.type ?? ['all'];
  if (options.missing) {
    const { bookedBills } = await import('../../../platform/bills/bill-days.ts');
    const bills = await bookedBills(directory, owner, types, schedule, io.now());
    // Who waits for bills wants the one of yesterday as well.
    const early = Boolean(options.wait || options.force);
    return bills
      .filter(({ entry, ready }) => !entry && (ready || early))
      .map(({ date, type }) => ({ date, type }));
  }
  const { billKeys } = await import('../../../platform/bills/selection.ts');
  return billKeys(await selectDates(dates, options, schedule, io.now()), types);
}

function assertOneSelection(
  dates: readonly string[],
  { from, to, last, missing, out, allProfiles, shard, type }: BillFetchOptions,
): void {
  const ways = [
    dates.length > 0 && 'DATE',
    (from !== undefined || to !== undefined) && '--from/--to',
    last !== undefined && '--last',
    missing && '--missing',
  ].filter((way) => way);
  if (ways.length > 1) {
    throw new MopError('usage', `${ways.join(' and ')} cannot be combined`, {
      hint: 'choose the days in one way',
    });
  }
  if (out === '') {
    throw new MopError('usage', '-o names nothing', { hint: 'name a directory, a file or -' });
  }
  if (to !== undefined && from === undefined) {
    throw new MopError('usage', '--to needs --from', { hint: 'say where the days begin' });
  }
  const many = missing || allProfiles || shard || dates.length > 1 || (type?.length ?? 1) > 1;
  if (out === '-' && many) {
    throw new MopError('usage', 'only one bill goes to standard output', {
      hint: 'ask for one date and one type, or name a directory with -o DIR/',
    });
  }
}

function assertFits(
  { file }: Place,
  keys: readonly BillKey[],
  { out, name, missing }: BillFetchOptions,
  { output }: Context,
): void {
  if (file === undefined) return;
  if (keys.length > 1 || missing) {
    throw new MopError('usage', `-o ${out} is one file, and ${keys.length} bills are asked for`, {
      hint: out === '-' ? 'ask for one bill' : `for a directory write -o ${out}/`,
    });
  }
  if (name !== undefined) {
    throw new MopError('usage', '--name is for a directory, and -o names the file', {
      hint: 'leave out one of the two',
    });
  }
  if (out === '-' && output.json) {
    throw new MopError('usage', '--json and -o - both want standard output', {
      hint: 'leave out one of the two',
    });
  }
}

async function assertTargets(bills: readonly PlannedBill[]): Promise<void> {
  const { LEDGER_NAME } = await import('../../../platform/bills/ledger.ts');
  const seen = new Set<string>();
  for (const { job } of bills) {
    if (basename(job.target) === LEDGER_NAME) {
      throw new MopError('usage', `${LEDGER_NAME} is the name of the ledger`, {
        hint: 'choose another name for the bill',
      });
    }
    if (seen.has(job.target)) {
      throw new MopError('usage', `several bills would be written to ${job.target}`, {
        hint: 'put {date} and {type} into the name template',
      });
    }
    seen.add(job.target);
  }
}

/** Whether a directory is at `path`. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    throw localError(error, `cannot look at ${path}`);
  }
}
