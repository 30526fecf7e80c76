import { type ErrorCode, MopError } from '../../../errors.ts';
import type { BillResult } from '../../../platform/bill/fetch-bills.ts';
import type { Context } from '../../context.ts';
import { EXIT_CODES, OK } from '../../exit-codes.ts';
import { errorObject, type Output, table } from '../../output.ts';
import type { PlannedBill } from './plan.ts';

/** What became of a planned bill; a profile that cannot be used fails all of its bills. */
export interface BillOutcome extends Omit<BillResult, 'task'> {
  readonly bill: PlannedBill;
}

/**
 * Prints what became of each bill, and the failure they share.
 *
 * @param byProfile Whether the bills belong to several profiles.
 * @returns The exit code: the one that all failures share, or that of `mixed`. In a run over
 *   several bills a day without trades is no failure.
 */
export async function report(
  outcomes: readonly BillOutcome[],
  byProfile: boolean,
  { output }: Context,
): Promise<number> {
  if (output.json) {
    await output.document({
      bills: outcomes.map((outcome) => billObject(outcome, byProfile, output)),
      summary: summaryOf(outcomes),
    });
  } else if (!output.quiet) {
    await printTable(outcomes, byProfile, output);
  }

  const failure = sharedFailure(outcomes);
  if (!failure) return OK;
  output.error(failure);
  return EXIT_CODES[failure.code];
}

async function printTable(
  outcomes: readonly BillOutcome[],
  byProfile: boolean,
  output: Output,
): Promise<void> {
  if (outcomes.length === 0) output.note('nothing to fetch: every bill is accounted for');
  // The failure of a single bill is said in full on standard error.
  if (!outcomes.some(({ stored }) => stored) && outcomes.length < 2) return;
  const headings = ['DATE', 'TYPE', 'STATUS', 'BYTES', 'VERIFIED', 'PATH'];
  const rows = outcomes.map(({ bill: { job, settings }, status, stored }) => [
    ...(byProfile ? [settings.profile] : []),
    job.date,
    job.type,
    status,
    stored ? String(stored.bytes) : '-',
    stored ? (stored.verified ? stored.hashType : 'no digest') : '-',
    stored ? stored.path : '-',
  ]);
  await output.data(table(byProfile ? ['PROFILE', ...headings] : headings, rows));
}

/** A bill as `--json` shows it; its keys are stable. */
function billObject(
  { bill: { job, settings }, status, stored, attempts, error }: BillOutcome,
  byProfile: boolean,
  output: Output,
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
    ...(error && {
      error: { ...errorObject(error), message: output.clean(error.message) },
    }),
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
  };
}

function sharedFailure(outcomes: readonly BillOutcome[]): MopError | undefined {
  if (outcomes.length === 1) return outcomes[0]?.error;
  const errors = outcomes.flatMap(({ error }) =>
    error && error.code !== 'no-bill' ? [error] : [],
  );
  const [first] = errors;
  if (!first) return undefined;
  const codes = new Set<ErrorCode>(errors.map(({ code }) => code));
  return new MopError(
    codes.size === 1 ? first.code : 'mixed',
    `${errors.length} of ${outcomes.length} bills failed, the first with: ${first.message}`,
    { hint: first.details.hint },
  );
}
