import { MopError } from '../../../errors.ts';
import { counted, grouped } from '../../../files/counts.ts';
import type { BillResult } from '../../../platform/bills/fetch-bills.ts';
import type { Context } from '../../context/context.ts';
import { errorObject } from '../../context/error-json.ts';
import { printThenFail, sharedFailure, withExample } from '../../context/failures.ts';
import type { Output } from '../../context/output.ts';
import { type FailedBill, MAX_FAILURES, printFailures } from './failed-bills.ts';
import type { PlannedBill } from './plan.ts';

/** The outcome of a planned bill. An unusable profile fails all of its bills. */
export interface BillOutcome extends Omit<BillResult, 'task'> {
  readonly bill: PlannedBill;
  /** Whether its failure is on standard error already. */
  readonly printed: boolean;
}

/** Prints the outcome of each bill. */
export async function report(
  outcomes: readonly BillOutcome[],
  profileErrors: readonly MopError[],
  batch: boolean,
  byProfile: boolean,
  { output }: Context,
): Promise<void> {
  const failure = failureOf(outcomes, profileErrors, batch, output);
  const isSingle = outcomes.length + profileErrors.length < 2;
  // The error that ends the command reports the failure of a single bill.
  if (failure && isSingle && !output.json) throw failure;
  const printing = printReport(outcomes, byProfile, output).finally(() => {
    if (!output.json) printUnprinted(outcomes, byProfile, output);
  });
  await printThenFail(printing, failure);
}

/** Prints the failures that are not on standard error yet, up to the limit. */
export function printUnprinted(
  outcomes: readonly BillOutcome[],
  byProfile: boolean,
  output: Output,
): void {
  const isFailure = ({ error }: BillOutcome) =>
    error !== undefined && !['no-bill', 'skipped'].includes(error.code);
  const failed = outcomes.filter(isFailure);
  const unprinted = failed.flatMap(({ bill: { job, settings }, error, printed }): FailedBill[] => {
    if (!error || printed) return [];
    const profile = byProfile ? settings.profile : undefined;
    return [{ bill: job, target: job.target, profile, error }];
  });
  printFailures(unprinted, output, MAX_FAILURES - (failed.length - unprinted.length));
}

async function printReport(
  outcomes: readonly BillOutcome[],
  byProfile: boolean,
  output: Output,
): Promise<void> {
  if (output.json) {
    const bills = outcomes.map((outcome) => billObject(outcome, byProfile));
    return output.redactedDocument({ bills, summary: summaryOf(outcomes) });
  }
  if (output.quiet) return;
  if (outcomes.length === 0) return output.note('nothing to fetch');
  const { green, yellow, red, dim } = output.styles('stdout');
  const colours = {
    downloaded: green,
    unchanged: green,
    'no-bill': dim,
    'not-ready': yellow,
    failed: red,
    skipped: dim,
  };
  const headings = ['DATE', 'TYPE', 'STATUS', 'BYTES', 'VERIFIED', 'PATH'];
  const tried = outcomes.filter(({ status }) => status !== 'skipped');
  const rows = tried.map(({ bill: { job, settings }, status, stored }) => [
    ...(byProfile ? [settings.profile] : []),
    job.date,
    job.type,
    colours[status](output.word(status)),
    stored ? grouped(stored.bytes) : '-',
    stored ? (stored.verified ? stored.hashType : yellow(output.word('no'))) : '-',
    stored ? stored.path : '-',
  ]);
  await output.data(await output.table(byProfile ? ['PROFILE', ...headings] : headings, rows));
}

/** A bill as `--json` prints it; its keys are stable. */
function billObject(
  { bill: { job, settings }, status, stored, attempts, error }: BillOutcome,
  byProfile: boolean,
): Record<string, unknown> {
  return {
    ...(byProfile && { profile: settings.profile }),
    date: job.date,
    type: job.type,
    status,
    path: stored?.path ?? null,
    bytes: stored?.bytes ?? null,
    hash_type: stored?.verified ? stored.hashType : null,
    hash_value: stored?.verified ? stored.hashValue : null,
    verified: stored?.verified ?? false,
    attempts,
    seq_id: stored?.seqId ?? error?.details.seqId ?? null,
    ...(error && { error: errorObject(error) }),
  };
}

function summaryOf(outcomes: readonly BillOutcome[]): Record<string, number> {
  const count = (wanted: BillOutcome['status']): number =>
    outcomes.filter(({ status }) => status === wanted).length;
  return {
    downloaded: count('downloaded'),
    unchanged: count('unchanged'),
    not_ready: count('not-ready'),
    no_bill: count('no-bill'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
}

function failureOf(
  outcomes: readonly BillOutcome[],
  profileErrors: readonly MopError[],
  batch: boolean,
  { json }: Output,
): MopError | undefined {
  const stops = stopsOf(outcomes);
  const failed = outcomes.filter(
    ({ bill, error }) =>
      error &&
      (error.code !== 'no-bill' || !batch) &&
      // The failure that ended the run of a profile decides, not an earlier one.
      (stops.get(bill.settings.profile) ?? error) === error,
  );
  const errors = [...profileErrors, ...failed.flatMap(({ error }) => error ?? [])];
  const [first] = errors;
  if (first && outcomes.length + profileErrors.length === 1) return first;
  return sharedFailure(errors, ({ message }) => {
    if (failed.length === 0) return `${counted(profileErrors.length, 'profile')} cannot be used`;
    const counts = failedCounts(outcomes);
    return json ? withExample(counts, failed.length, message) : counts;
  });
}

/** The failure that ended the run of each profile. */
function stopsOf(outcomes: readonly BillOutcome[]): ReadonlyMap<string, MopError> {
  const stops = new Map<string, MopError>();
  for (const { bill, status, error } of outcomes) {
    const reason = error?.details.cause;
    if (status === 'skipped' && reason instanceof MopError) {
      stops.set(bill.settings.profile, reason);
    }
  }
  return stops;
}

/** Such as `5 of 6 bills failed, 1 not ready`. */
function failedCounts(outcomes: readonly BillOutcome[]): string {
  const { failed = 0, not_ready: notReady = 0, skipped = 0 } = summaryOf(outcomes);
  const all = `of ${counted(outcomes.length, 'bill')}`;
  if (failed === 0) return `${grouped(notReady)} ${all} not ready`;
  const parts = [
    `${grouped(failed)} ${all} failed`,
    ...(notReady > 0 ? [`${grouped(notReady)} not ready`] : []),
    ...(skipped > 0 ? [`${grouped(skipped)} skipped (--keep-going tries all)`] : []),
  ];
  return parts.join(', ');
}
