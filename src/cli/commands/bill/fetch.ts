import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BillResult, BillTask } from '../../../platform/bill/fetch-bills.ts';
import { BILL_TYPES, type BillType, type TarType } from '../../../protocol/operations.ts';
import { type Choose, count, nonNegative } from '../../command.ts';
import type { Context } from '../../context.ts';
import { printDryRun } from '../../dry-run.ts';
import { openPlatform, type Platform } from '../../platform.ts';
import { type PlannedBill, planBills } from './plan.ts';
import { billProgress } from './progress.ts';
import { report } from './report.ts';
import { fetchToStdout } from './stdout.ts';

export interface BillFetchOptions {
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
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
  readonly force?: boolean;
  readonly requireHash?: boolean;
}

export function registerBillFetch(parent: Command, choose: Choose): void {
  parent
    .command('fetch')
    .description("Fetch and verify bills, by default yesterday's.")
    .argument('[date...]', 'days as YYYY-MM-DD, or yesterday')
    .optionsGroup('Which bills:')
    .option('--from <date>', 'from this day on')
    .option('--to <date>', 'up to this day (yesterday)')
    .option('--last <days>', 'so many days, ending yesterday', count)
    .option('--missing', 'what the ledger does not account for, of the three months')
    .addOption(
      new Option('--type <type>', 'all by default; repeatable')
        .choices(Object.keys(BILL_TYPES))
        .argParser(collectType),
    )
    .option('--all-profiles', 'for every profile, each in a folder of its name')
    .option('--shard <i/n>', "this worker's share, such as 0/4", parseShard)
    .optionsGroup('Where to:')
    .option('-o, --out <path>', 'a directory (ends in / or exists), a file, or - for stdout')
    .option('--name <template>', 'file name: {date} {type} {profile} {env}')
    .option('--keep-gzip', 'keep the file compressed')
    .option('--overwrite', 'replace a file that differs from the bill')
    .optionsGroup('How:')
    .addOption(
      new Option('--tar <form>', 'what to ask the platform for (gzip)').choices(['gzip', 'stream']),
    )
    .option('--concurrency <n>', 'bills in flight (4)', count)
    .option('--max-bytes <n>', 'refuse a larger bill (64 GiB)', count)
    .option('--wait <minutes>', 'wait so long for a bill that is not there yet', nonNegative)
    .option('--force', 'ask the platform even for a date it should not have')
    .option('--require-hash', 'refuse a bill that comes without a digest')
    .addHelpText(
      'after',
      `
Examples:
  mop bill fetch --env sandbox
  mop bill fetch 2026-11-18 2026-11-19 --type paid --type refund -o bills/
  mop bill fetch --missing --quiet -o /var/lib/bills/`,
    )
    .action((dates: string[], options: BillFetchOptions, command: Command) =>
      choose(command, (context) => runBillFetch(dates, options, context)),
    );
}

async function runBillFetch(
  dates: readonly string[],
  options: BillFetchOptions,
  context: Context,
): Promise<number> {
  const bills = await planBills(dates, options, context);
  if (context.globals.dryRun) {
    await printDryRun(await dryRunRequests(bills, context), context.output);
    return 0;
  }
  const only = options.out === '-' ? bills[0] : undefined;
  if (only) return fetchToStdout(only, context);
  return report(await fetchAll(bills, options, context), options.allProfiles ?? false, context);
}

/** What became of a planned bill; a profile that cannot be used fails all of its bills. */
export interface BillOutcome extends Omit<BillResult, 'task'> {
  readonly bill: PlannedBill;
}

async function fetchAll(
  bills: readonly PlannedBill[],
  { concurrency = 4, allProfiles }: BillFetchOptions,
  context: Context,
): Promise<BillOutcome[]> {
  const { failedOutcome, fetchBills } = await import('../../../platform/bill/fetch-bills.ts');
  const platforms = new Map<string, Platform>();
  const outcomes = new Map<PlannedBill, BillOutcome>();
  try {
    const tasks: (BillTask & { readonly bill: PlannedBill })[] = [];
    for (const bill of bills) {
      const { profile } = bill.settings;
      try {
        const platform = platforms.get(profile) ?? (await openPlatform(context, bill.settings));
        platforms.set(profile, platform);
        tasks.push({ bill, client: platform.client, job: bill.job, options: bill.options });
      } catch (error) {
        if (!allProfiles) throw error;
        outcomes.set(bill, { bill, attempts: 0, ...failedOutcome(error) });
      }
    }
    const progress = await billProgress(context, bills.length);
    try {
      const results = await fetchBills(tasks, {
        concurrency,
        signal: context.signal,
        onEvent: progress.onEvent,
        onResult: progress.onResult,
      });
      for (const [index, result] of results.entries()) {
        const bill = tasks[index]?.bill;
        if (bill) outcomes.set(bill, { ...result, bill });
      }
    } finally {
      progress.end();
    }
  } finally {
    for (const platform of platforms.values()) await platform.close();
  }
  return bills.flatMap((bill) => outcomes.get(bill) ?? []);
}

async function dryRunRequests(bills: readonly PlannedBill[], context: Context) {
  const { billOperation } = await import('../../../platform/bill/descriptor.ts');
  const requests = [];
  for (const { job, options, settings } of bills) {
    const platform = await openPlatform(context, settings);
    requests.push(platform.client.sign(billOperation({ ...job, tar: options.tar })));
    await platform.close();
  }
  return requests;
}

function collectType(text: string, previous: readonly BillType[] = []): readonly BillType[] {
  const type = Object.entries(BILL_TYPES).find(
    ([name, code]) => text === name || text === `${code}`,
  );
  if (type) return [...previous, type[0] as BillType];
  throw new InvalidArgumentError('It must be all, paid or refund (or 0, 1, 2).');
}

/** `i/n`, counted from 0 or from 1: the share of worker n is that of worker 0. */
function parseShard(text: string): { index: number; count: number } {
  const [, index, total] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(total) };
  if (total !== undefined && shard.count > 0 && shard.index <= shard.count) return shard;
  throw new InvalidArgumentError('It must be I/N, such as 0/4 (0 to 3, or 1 to 4).');
}
