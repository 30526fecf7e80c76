import { InvalidArgumentError } from 'commander';
import { MopError } from '../../../errors.ts';
import type { BillTask } from '../../../platform/bills/fetch-bills.ts';
import type { SignedRequest } from '../../../platform/signed-request.ts';
import { openPlatform, type Platform } from '../../clients/open-platform.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import type { Settings } from '../../context/settings.ts';
import { type Choose, type Command, count, days, nonNegative } from '../../frame/command.ts';
import { tarOption, typesOption } from './options.ts';
import { type BillFetchOptions, type PlannedBill, planBills } from './plan.ts';
import { billProgress } from './progress.ts';
import { type BillOutcome, report } from './report.ts';

export function registerBillFetch(parent: Command, choose: Choose): void {
  parent
    .command('fetch')
    .description("Fetch and verify bills, by default yesterday's.")
    .argument('[date...]', 'days as YYYY-MM-DD, or yesterday')
    .optionsGroup('Which bills:')
    .option('--from <date>', 'from this day on')
    .option('--to <date>', 'up to this day (yesterday)')
    .option('--last <days>', 'so many days, ending yesterday', days)
    .option('--missing', 'what the ledger does not account for, of the three months')
    .addOption(typesOption())
    .option('--all-profiles', 'for every profile, each in a folder of its name')
    .option('--shard <i/n>', "this worker's share, such as 0/4", parseShard)
    .optionsGroup('Where to:')
    .option('-o, --out <path>', 'a directory (ends in / or exists), a file, or - for stdout')
    .option('--name <template>', 'file name: {date} {type} {profile} {env}')
    .option('--keep-gzip', 'keep the file compressed')
    .option('--overwrite', 'replace a file that differs from the bill')
    .optionsGroup('How:')
    .addOption(tarOption())
    .option('--concurrency <n>', 'bills in flight (4)', count)
    .option('--max-bytes <n>', 'refuse a larger bill (64 GiB)', count)
    .option('--wait <minutes>', 'wait so long for a bill that is not there yet', nonNegative)
    .option('--force', 'ask the platform even for a date it should not have')
    .option('--require-hash', 'refuse a bill that comes without a digest')
    .explain({
      examples: [
        'mop bill fetch --env sandbox',
        'mop bill fetch 2026-11-18 2026-11-19 --type paid --type refund -o bills/',
        'mop bill fetch --missing --quiet -o /var/lib/bills/',
      ],
      failures: ['config', 'auth', 'api', 'network', 'integrity', 'not-ready', 'no-bill', 'mixed'],
    })
    .action((dates: string[], options: BillFetchOptions, command: Command) =>
      choose(command, (context) => runBillFetch(dates, options, context)),
    );
}

async function runBillFetch(
  dates: readonly string[],
  options: BillFetchOptions,
  context: Context,
): Promise<void> {
  const { bills, unusable } = await planBills(dates, options, context);
  if (context.globals.dryRun) {
    await printDryRun(await requestsOf(bills, context), context.output);
  } else if (options.out === '-' && bills[0]) {
    const { fetchToStdout } = await import('./stdout.ts');
    await fetchToStdout(bills[0], context);
  } else {
    const outcomes = await fetchAll(bills, options, context);
    const several = asksForSeveral(dates, options);
    await report(outcomes, unusable, several, options.allProfiles ?? false, context);
  }
}

async function fetchAll(
  bills: readonly PlannedBill[],
  { concurrency = 4, allProfiles }: BillFetchOptions,
  context: Context,
): Promise<BillOutcome[]> {
  const { failedOutcome, fetchBills } = await import('../../../platform/bills/fetch-bills.ts');
  return withPlatforms(bills, context, async (platforms) => {
    const outcomes = new Map<PlannedBill['job'], BillOutcome>();
    const tasks: (PlannedBill & BillTask)[] = [];
    for (const bill of bills) {
      const platform = platforms.get(bill.settings);
      if (platform instanceof MopError) {
        if (!allProfiles) throw platform;
        outcomes.set(bill.job, { bill, attempts: 0, ...failedOutcome(platform) });
      } else if (platform) {
        tasks.push({ ...bill, client: platform.client });
      }
    }
    const { signal } = context.io;
    const { onEvent, onResult, end } = await billProgress(context, tasks.length);
    try {
      const results = await fetchBills(tasks, { concurrency, signal, onEvent, onResult });
      for (const result of results) {
        outcomes.set(result.task.job, { bill: result.task, ...result });
      }
    } finally {
      end();
    }
    return bills.flatMap(({ job }) => outcomes.get(job) ?? []);
  });
}

/** The requests that a fetch would begin with. */
async function requestsOf(
  bills: readonly PlannedBill[],
  context: Context,
): Promise<SignedRequest[]> {
  const { billOperation } = await import('../../../platform/bills/descriptor.ts');
  return withPlatforms(bills, context, async (platforms) =>
    bills.flatMap(({ settings, job, options }) => {
      const platform = platforms.get(settings);
      if (platform instanceof MopError) throw platform;
      return platform?.client.sign(billOperation({ ...job, tar: options.tar })) ?? [];
    }),
  );
}

/** Opens the platform of each profile, and closes them all. One may be unusable. */
async function withPlatforms<T>(
  bills: readonly PlannedBill[],
  context: Context,
  use: (platforms: ReadonlyMap<Settings, Platform | MopError>) => Promise<T>,
): Promise<T> {
  const platforms = new Map<Settings, Platform | MopError>();
  try {
    for (const settings of new Set(bills.map((bill) => bill.settings))) {
      platforms.set(settings, await openPlatform(context, settings).catch(expected));
    }
    return await use(platforms);
  } finally {
    for (const platform of platforms.values()) {
      if (!(platform instanceof MopError)) await platform.close();
    }
  }
}

function expected(error: unknown): MopError {
  if (error instanceof MopError) return error;
  throw error;
}

/** Whether more than one bill is asked for, however many there turn out to be. */
function asksForSeveral(
  dates: readonly string[],
  { from, last, missing, shard, allProfiles, type = [] }: BillFetchOptions,
): boolean {
  const ranges = [from, last, missing, shard, allProfiles];
  return ranges.some((range) => range) || dates.length > 1 || type.length > 1;
}

/** `i/n`, counted from 0 or from 1: the share of worker n is that of worker 0. */
function parseShard(text: string): { index: number; count: number } {
  const [, index, total] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(total) };
  if (total !== undefined && shard.count > 0 && shard.index <= shard.count) return shard;
  throw new InvalidArgumentError('It must be I/N, such as 0/4 (0 to 3, or 1 to 4).');
}
