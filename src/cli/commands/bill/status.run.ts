import { basename, join } from 'node:path';
import { append } from '../../../any-length.ts';
import { MopError } from '../../../errors.ts';
import { isReservedName } from '../../../platform/bills/bill-key.ts';
import { billDescriptor, billOperation } from '../../../platform/bills/descriptor.ts';
import {
  isOwnedBy,
  LEDGER_NAME,
  latestStored,
  otherBills,
} from '../../../platform/bills/ledger.ts';
import { readLedger } from '../../../platform/bills/read-ledger.ts';
import {
  type CheckBillsOptions,
  checkBills,
  expectedBills,
  needsPlatform,
} from '../../../platform/bills/state.ts';
import type { SignedRequest } from '../../../platform/signed-request.ts';
import { type BillSchedule, billWindow } from '../../../protocol/bill-calendar.ts';
import { openPlatform } from '../../clients/open-platform.ts';
import { billSettings } from '../../context/bill-settings.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import type { Context } from '../../context/context.ts';
import { printDryRun } from '../../context/dry-run.ts';
import { forEachProfile } from '../../context/profiles.ts';
import type { Settings } from '../../context/settings.ts';
import { countProgress } from '../../context/spinner.ts';
import type { Call } from '../../frame/command.ts';
import { selectDate } from './dates.ts';
import {
  assertDirectory,
  type BillsOption,
  givenDirectory,
  profileDirectory,
  warnOfDamage,
} from './directories.ts';
import { lastRun } from './last-run.ts';
import { billMetrics, writeMetrics } from './metrics.ts';
import {
  type BillGroup,
  type BillStatusOptions,
  type CheckedBillGroup,
  reportGroups,
  typesOf,
} from './status-report.ts';

export async function run({
  args: [argument],
  options,
  context,
}: Call<BillStatusOptions & BillsOption, [string | undefined]>): Promise<void> {
  const given = givenDirectory(argument, options);
  const { globals, output } = context;
  const { check = false, allProfiles = false } = options;
  assertNoConflict([
    [
      ['', '-'].includes(options.prometheus ?? 'none'),
      '--prometheus needs the path of a file',
      'name a file, such as /var/lib/node_exporter/mop.prom',
    ],
    [
      isReservedName(basename(options.prometheus ?? '')),
      '--prometheus names a file that mop uses for the bills',
      'name another file',
    ],
  ]);
  if (given !== undefined) assertDirectory(given);
  const groups: CheckedBillGroup[] = [];
  const requests: SignedRequest[] = [];
  const profileErrors = await forEachProfile(allProfiles, context, async (settings) => {
    const group = await billGroupOf(given, settings, options, context);
    if (!check) return void groups.push(await checkGroup(group, undefined, context));
    const { client, close } = await openPlatform(context, settings);
    try {
      if (globals.dryRun) {
        const asked = group.bills.filter(needsPlatform);
        append(
          requests,
          asked.map((bill) => client.sign(billOperation(bill))),
        );
      } else {
        const { schedule, noBillCodes } = billSettings(settings);
        const ask: CheckBillsOptions['ask'] = (bill) =>
          billDescriptor(client, bill, { schedule, noBillCodes });
        groups.push(await checkGroup(group, ask, context));
      }
    } finally {
      await close();
    }
  });
  if (check && globals.dryRun) return printDryRun(requests, output);
  const lastRuns = groups.map(({ directory, owner }) =>
    lastRun(directory, owner.profile, context.io),
  );
  if (options.prometheus !== undefined) {
    await writeMetrics(options.prometheus, billMetrics(groups, lastRuns, context.io.now()));
  }
  await reportGroups(groups, lastRuns, profileErrors, options, context);
}

async function billGroupOf(
  given: string | undefined,
  settings: Settings,
  { type, allProfiles, since }: BillStatusOptions,
  { io, output }: Context,
): Promise<BillGroup> {
  const { owner, schedule, directory: fallback } = billSettings(settings);
  const first = since === undefined ? '' : firstDay(since, schedule, io.now());
  const directory = profileDirectory(given ?? fallback, owner.profile, allProfiles);
  const ledger = await readLedger(directory, io.signal);
  warnOfDamage(join(directory, LEDGER_NAME), ledger.damaged, output);
  const entries = ledger.entries();
  const placed = latestStored(entries);
  const bills = expectedBills(
    directory,
    entries,
    owner,
    typesOf({ type }),
    schedule,
    io.now(),
  ).filter(({ date }) => date >= first);
  const foreign = [...placed.values()].filter((entry) => !isOwnedBy(entry, owner));
  return {
    owner,
    schedule,
    directory,
    bills,
    others: otherBills(foreign, owner),
  };
}

/** @throws {MopError} `usage` for an invalid day, and for one without a bill, which hides all faults. */
function firstDay(since: string, schedule: BillSchedule, now: number): string {
  const first = selectDate(since, { force: true }, schedule, now);
  const { last } = billWindow(schedule, now);
  if (first <= last) return first;
  throw new MopError('usage', `--since ${first} is after the newest bill, of ${last}`, {
    hint: 'a bill is made after its day ends: choose an earlier day',
  });
}

async function checkGroup(
  group: BillGroup,
  ask: CheckBillsOptions['ask'],
  context: Context,
): Promise<CheckedBillGroup> {
  const { io, output } = context;
  const { onOne, end } = await countProgress(context, group.bills.length, 'bills');
  const onFault = ({ message }: MopError): void => output.warn(message);
  const options = { ask, signal: io.signal, onFault, onChecked: onOne };
  return { ...group, ...(await checkBills(group.directory, group.bills, options).finally(end)) };
}
