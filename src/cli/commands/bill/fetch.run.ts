import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { fileError } from '../../../files/file-error.ts';
import { billOperation } from '../../../platform/bills/descriptor.ts';
import { fetchBill } from '../../../platform/bills/fetch.ts';
import {
  type BillResult,
  type BillTask,
  failedOutcome,
  fetchBills,
} from '../../../platform/bills/fetch-bills.ts';
import { Ledgers } from '../../../platform/bills/read-ledger.ts';
import { isTooOld } from '../../../platform/bills/readiness.ts';
import type { SignedRequest } from '../../../platform/signed-request.ts';
import { openPlatform, type Platform } from '../../clients/open-platform.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import { DEFAULT_PROFILE, type Settings } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { type BillFetchOptions, checkOptions, isBatch } from './fetch-options.ts';
import { type BillOutcome, printUnprinted, report } from './fetch-report.ts';
import { recordingRun } from './last-run.ts';
import { type PlannedBill, planBills } from './plan.ts';
import { billProgress, warnOfContent } from './progress.ts';

export async function run({
  args: [dates],
  options,
  context,
}: Call<BillFetchOptions, [readonly string[]]>): Promise<void> {
  checkOptions(dates, options);
  const { globals, io, output } = context;
  const { out, allProfiles = false } = options;
  const ledgers = new Ledgers(io.signal);
  const directories = new Map<string, string>();
  const fetch = async (): Promise<void> => {
    const plan = planBills(dates, options, context, ledgers, directories);
    const { bills, profileErrors } = await plan.catch((error: unknown) => {
      // The configuration cannot be read: only the command line names the profile.
      const isUnknown = directories.size === 0 && out !== undefined && !allProfiles;
      if (isUnknown) directories.set(globals.profile ?? DEFAULT_PROFILE, out);
      throw error;
    });
    if (globals.dryRun) return printDryRun(await requestsOf(bills, context), output);
    if (out === '-' && bills[0]) return fetchToStdout(bills[0], context);
    const outcomes = await fetchAll(bills, ledgers, options, context);
    await report(outcomes, profileErrors, isBatch(dates, options), allProfiles, context);
  };
  await (globals.dryRun || out === '-' ? fetch() : recordingRun(directories, io, fetch));
}

async function fetchAll(
  bills: readonly PlannedBill[],
  ledgers: Ledgers,
  { concurrency = 4, keepGoing, allProfiles = false }: BillFetchOptions,
  context: Context,
): Promise<BillOutcome[]> {
  return withPlatforms(bills, context, async (platforms) => {
    const outcomes = new Map<PlannedBill['job'], BillOutcome>();
    const tasks: (PlannedBill & BillTask)[] = [];
    for (const bill of bills) {
      const platform = platforms.get(bill.settings);
      if (platform instanceof MopError) {
        if (!allProfiles) throw platform;
        outcomes.set(bill.job, { bill, attempts: 0, printed: false, ...failedOutcome(platform) });
      } else if (platform) {
        tasks.push({ ...bill, client: platform.client });
      }
    }
    const { signal } = context.io;
    const progress = await billProgress(context, tasks.length, allProfiles);
    const { onEvent, onSkip, hasPrinted, end } = progress;
    const results: BillResult<PlannedBill & BillTask>[] = [];
    const recordResult = (result: BillResult<PlannedBill & BillTask>): void => {
      if (isOmitted(result)) {
        onSkip(result.task, 'the platform no longer keeps it');
        return;
      }
      progress.onResult(result);
      results.push(result);
      outcomes.set(result.task.job, { bill: result.task, printed: hasPrinted(result), ...result });
    };
    const soFar = (): BillOutcome[] => bills.flatMap(({ job }) => outcomes.get(job) ?? []);
    try {
      const runOptions = { concurrency, keepGoing, signal, onEvent, onResult: recordResult };
      await fetchBills(tasks, runOptions, ledgers).finally(end);
    } catch (error) {
      if (!context.output.json) printUnprinted(soFar(), allProfiles, context.output);
      throw interruptedRun(error, results, tasks.length, signal);
    }
    return soFar();
  });
}

/** The error of a run that a signal or `--max-time` ended, with its progress. */
function interruptedRun(
  error: unknown,
  results: readonly BillResult[],
  total: number,
  signal: AbortSignal,
): unknown {
  if (!(error instanceof MopError) || error !== signal.reason || total < 2) return error;
  const done = results.filter((result) => result.stored || result.status === 'no-bill').length;
  const failed = results.length - done;
  const progress = `${done} of ${total} bills done${failed > 0 ? `, ${failed} failed` : ''}`;
  return new MopError(error.code, `${error.message}: ${progress}`, {
    hint: 'run the same command again: verified bills are not downloaded again',
  });
}

function isOmitted({ task, error }: BillResult<PlannedBill & BillTask>): boolean {
  return error !== undefined && isTooOld(error, task);
}

/** The first request of each fetch. */
async function requestsOf(
  bills: readonly PlannedBill[],
  context: Context,
): Promise<SignedRequest[]> {
  return withPlatforms(bills, context, async (platforms) =>
    bills.flatMap(({ settings, job, options }) => {
      const platform = platforms.get(settings);
      if (platform instanceof MopError) throw platform;
      return platform?.client.sign(billOperation({ ...job, tar: options.tar })) ?? [];
    }),
  );
}

/** Passes the platform of each profile, or its failure, to `use`; closes all of them at the end. */
async function withPlatforms<T>(
  bills: readonly PlannedBill[],
  context: Context,
  use: (platforms: ReadonlyMap<Settings, Platform | MopError>) => Promise<T>,
): Promise<T> {
  const platforms = new Map<Settings, Platform | MopError>();
  try {
    for (const settings of new Set(bills.map((bill) => bill.settings))) {
      platforms.set(settings, await openPlatform(context, settings).catch(expectedFailure));
    }
    return await use(platforms);
  } finally {
    for (const platform of platforms.values()) {
      if (!(platform instanceof MopError)) await platform.close();
    }
  }
}

/** Returns a MopError, and throws any other error. */
function expectedFailure(error: unknown): MopError {
  if (error instanceof MopError) return error;
  throw error;
}

/** Fetches one bill to standard output. Prints nothing before all of it is verified. */
async function fetchToStdout(
  { job, settings, options }: PlannedBill,
  context: Context,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'mop-')).catch((error: unknown) => {
    throw fileError(error, `cannot write in ${tmpdir()}`);
  });
  try {
    const { client, close } = await openPlatform(context, settings);
    const progress = await billProgress(context, 1);
    const task = { client, job: { ...job, target: join(directory, 'bill') }, options };
    try {
      const stored = await fetchBill(client, task.job, {
        ...options,
        signal: context.io.signal,
        onEvent: (event) => progress.onEvent(task, event),
      });
      warnOfContent(job, stored, context.output);
    } finally {
      progress.end();
      await close();
    }
    for await (const chunk of createReadStream(task.job.target)) await context.output.bytes(chunk);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
