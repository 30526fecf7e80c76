import { MopError } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';
import type { BillOwner, OtherBills } from '../../../platform/bills/ledger.ts';
import type {
  BillState,
  CheckedBill,
  CheckedBills,
  ExpectedBill,
} from '../../../platform/bills/state.ts';
import { type BillSchedule, clockTime } from '../../../protocol/bill-calendar.ts';
import type { BillType } from '../../../protocol/operations.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail, sharedFailure, withExample } from '../../context/failures.ts';
import { calendar } from './calendar.ts';
import { holdsProfileFolders, ownerName } from './directories.ts';
import { billName, type FailedBill, printFailures } from './failed-bills.ts';
import type { LastRun } from './last-run.ts';

export interface BillStatusOptions {
  readonly type?: readonly BillType[] | undefined;
  readonly check?: boolean;
  readonly since?: string;
  readonly prometheus?: string;
  readonly missing?: boolean;
  readonly exitCode?: boolean;
  readonly allProfiles?: boolean;
}

/** The expected bills of one profile, and the directory that contains them. */
export interface BillGroup {
  readonly owner: BillOwner;
  readonly schedule: BillSchedule;
  readonly directory: string;
  readonly bills: readonly ExpectedBill[];
  /** Bills of other owners in the same directory. */
  readonly others: readonly OtherBills[];
}

/** A group with the states of its bills. */
export type CheckedBillGroup = BillGroup & CheckedBills;

/** The types of bills to show, each once. */
export function typesOf({ type }: BillStatusOptions): BillType[] {
  return [...new Set(type ?? ['all' as const])];
}

/** Prints the state of each bill. */
export async function reportGroups(
  groups: readonly CheckedBillGroup[],
  lastRuns: readonly (LastRun | undefined)[],
  profileErrors: readonly MopError[],
  options: BillStatusOptions,
  context: Context,
): Promise<void> {
  const { check = false } = options;
  if (check && !context.output.json) {
    const failed = failedCalls(groups, options);
    if (failed.length > 1) printFailures(failed, context.output);
  }
  await printThenFail(
    printGroups(groups, lastRuns, options, context),
    failureOf(groups, profileErrors, options),
  );
}

/** The next step for missing and changed bills. */
export const REPAIR_HINT =
  'with the same -o, -p and --env: mop bill fetch --missing fetches missing bills, and mop bill fetch DATE --overwrite replaces a changed one';

const OLDEST_HINT = 'to exclude days that the platform no longer keeps, add --check';

/**
 * Whether a bill of the oldest days is missing. A platform that counts three months as 90 days does
 * not keep it (D1 4.1).
 */
function missesOldest({ bills, checked }: CheckedBillGroup): boolean {
  const old = new Set(bills.filter((bill) => bill.mayBeTooOld).map(({ date }) => date));
  return checked.some(({ date, state }) => state === 'missing' && old.has(date));
}

/** The bills whose check with the platform failed. */
function failedCalls(
  groups: readonly CheckedBillGroup[],
  { allProfiles }: BillStatusOptions,
): FailedBill[] {
  return groups.flatMap(({ owner, failures }) =>
    failures.map((failure) => ({
      ...failure,
      profile: allProfiles ? owner.profile : undefined,
    })),
  );
}

async function printGroups(
  groups: readonly CheckedBillGroup[],
  lastRuns: readonly (LastRun | undefined)[],
  options: BillStatusOptions,
  context: Context,
): Promise<void> {
  const { output } = context;
  const { missing = false, exitCode = false, allProfiles = false, check = false } = options;
  if (output.json) {
    const days = groups.flatMap(({ owner, checked }) =>
      checked
        .filter(({ state }) => !missing || state === 'missing')
        .map((bill) => (allProfiles ? { profile: owner.profile, ...bill } : bill)),
    );
    return output.document({ days });
  }
  // A script relies on the dates, even with --quiet.
  if (missing) {
    const dates = billsInState(groups, 'missing').map(({ date }) => date);
    if (dates.length > 0) await output.data([...new Set(dates)].toSorted().join('\n'));
  } else if (!output.quiet && groups.length > 0) {
    await output.text(calendars(groups, options, context));
  }
  for (const [index, { schedule, directory, others }] of groups.entries()) {
    const run = lastRuns[index];
    if (run?.message !== undefined) {
      const when = `${clockTime(run.time, schedule)} (${schedule.timeZone})`;
      const reason = [run.message, run.hint].filter(Boolean).join('; ');
      output.note(`the last fetch, ${when}, ended with exit code ${run.exitCode}: ${reason}`);
    }
    const place = allProfiles ? `in ${directory}` : 'here';
    for (const other of others) {
      const bills = `${counted(other.count, 'bill')} of ${ownerName(other)}`;
      output.note(`not shown: ${bills}, recorded ${place}; select them with -p and --env`);
    }
  }
  if (!allProfiles && groups[0] && (await holdsProfileFolders(groups[0].directory, context))) {
    output.note('this directory contains folders of profiles: include them with --all-profiles');
  }
  // With --exit-code, the error of the command has this hint.
  const isDamaged = groups.some(({ checked }) =>
    checked.some(({ state }) => state === 'missing' || state === 'changed'),
  );
  if (!missing && !exitCode && isDamaged) output.note(REPAIR_HINT);
  if (!missing && !check && groups.some(missesOldest)) output.note(OLDEST_HINT);
}

function calendars(
  groups: readonly CheckedBillGroup[],
  options: BillStatusOptions,
  { io, output }: Context,
): string {
  const styles = output.styles('stdout');
  const types = typesOf(options);
  return groups
    .flatMap(({ owner, checked }) =>
      types.map((each) => {
        const title = [
          options.allProfiles ? `profile ${owner.profile}` : '',
          types.length > 1 ? `type ${each}` : '',
        ].filter((part) => part !== '');
        const heading = title.length > 0 ? `${styles.bold.underline(title.join(', '))}\n\n` : '';
        const own = checked.filter(({ type }) => type === each);
        return heading + calendar(own, io.stdout.columns || 80, styles, output.language);
      }),
    )
    .join('\n\n\n');
}

function billsInState(groups: readonly CheckedBillGroup[], state: BillState): CheckedBill[] {
  return groups.flatMap(({ checked }) => checked.filter((bill) => bill.state === state));
}

/** The number of bills whose call failed, and one of the messages. */
function callSummary(failures: readonly MopError[]): string | undefined {
  const unreachable = failures.filter(({ code }) => code === 'network');
  const fault =
    unreachable.length > 0 ? 'the platform could not be reached' : 'the platform refused to answer';
  const shown = unreachable.length > 0 ? unreachable : failures;
  const [first] = shown;
  const summary = `${fault} for ${counted(shown.length, 'bill')}`;
  return first && withExample(summary, shown.length, first.message);
}

function failureOf(
  groups: readonly CheckedBillGroup[],
  profileErrors: readonly MopError[],
  options: BillStatusOptions,
): MopError | undefined {
  const failed = failedCalls(groups, options);
  const missing = billsInState(groups, 'missing').length;
  const changed = billsInState(groups, 'changed').length;
  const differs =
    options.exitCode && missing + changed > 0
      ? new MopError('differs', `${counted(missing, 'bill')} missing, ${changed} changed`, {
          hint: REPAIR_HINT,
        })
      : undefined;
  const failures = failed.map(({ bill, profile, error: { code, message, details } }) => {
    const name = billName(bill, profile);
    return new MopError(code, `${name}: ${message}`, details);
  });
  const errors = [...profileErrors, ...failures, ...(differs ? [differs] : [])];
  if (errors.length === 1) return errors[0];
  const parts = [profileErrors[0]?.message, callSummary(failures), differs?.message];
  return sharedFailure(errors, () => parts.filter((part) => part !== undefined).join('; '));
}
