import { MopError } from '../../../errors.ts';
import { isDirectory } from '../../../files/directory.ts';
import {
  type BillDay,
  type BillDaysOptions,
  type BookedBill,
  billDays,
  bookedBills,
  isWorthAsking,
} from '../../../platform/bills/bill-days.ts';
import { billDescriptor, billOperation } from '../../../platform/bills/descriptor.ts';
import type { BillType } from '../../../protocol/operations.ts';
import { withPlatform } from '../../clients/open-platform.ts';
import { type Context, type GlobalOptions, settingsOf } from '../../context/context.ts';
import { printThenFail, sharedFailure } from '../../context/failures.ts';
import type { Output } from '../../context/output.ts';
import { shellQuote } from '../../context/print-curl.ts';
import { profileOption, type Settings } from '../../context/settings.ts';
import type { Call } from '../../frame/command.ts';
import { billSettings } from './bill-settings.ts';
import { calendar } from './calendar.ts';
import { countProgress } from './progress.ts';

interface BillStatusOptions {
  readonly type?: readonly BillType[];
  readonly check?: boolean;
  readonly missing?: boolean;
}

export async function run({
  args: [given],
  options: { type, check = false, missing = false },
  context,
}: Call<BillStatusOptions, [string | undefined]>): Promise<void> {
  const { io, globals, output } = context;
  if (given !== undefined && !isDirectory(given)) {
    throw new MopError('usage', `there is no directory ${given}`, {
      hint: 'name the directory that bills are fetched into',
    });
  }
  const settings = settingsOf(context);
  const { owner, schedule, noBillCodes, directory: fallback } = billSettings(settings);
  const directory = given ?? fallback;
  const types = [...new Set(type ?? ['all' as const])];
  const bills = await bookedBills(directory, owner, types, schedule, io.now());

  const show = async (ask?: BillDaysOptions['ask']): Promise<void> => {
    const { onOne, end } = await countProgress(context, bills.length);
    const onFault = ({ message }: MopError): void => output.warn(message);
    const { signal } = io;
    const looking = billDays(directory, bills, { ask, signal, onFault, onDay: onOne });
    const { days, failures } = await looking.finally(end);
    if (!ask) warnOfOwnDigests(bills, days, output);
    const printing = missing
      ? printMissing(days, output)
      : printDays(days, types, fetchOptions(given, type, settings, globals), context);
    await printThenFail(printing, failureOf(failures));
  };

  if (!check) return show();
  const operations = bills.filter(isWorthAsking).map((bill) => billOperation(bill));
  await withPlatform(context, settings, operations, (client) =>
    show((bill) => billDescriptor(client, bill, { schedule, noBillCodes })),
  );
}

/** Bills that are as they were stored, but that the platform never vouched for. */
function warnOfOwnDigests(
  bills: readonly BookedBill[],
  days: readonly BillDay[],
  output: Output,
): void {
  const own = bills.filter(
    ({ entry }, index) => days[index]?.state === 'verified' && entry?.verified !== true,
  );
  if (own.length === 0) return;
  output.warn(
    `the platform gave no digest for ${own.length} of the bills: they are verified against our own`,
  );
}

function failureOf(failures: readonly MopError[]): MopError | undefined {
  if (failures.length === 1) return failures[0];
  return sharedFailure(
    failures,
    ({ message }) => `the platform could not be asked for every bill: ${message}`,
  );
}

/** Days of missing bills and nothing else: made for a script, which `--quiet` does not deprive. */
async function printMissing(days: readonly BillDay[], output: Output): Promise<void> {
  const missing = days.filter(({ state }) => state === 'missing');
  const dates = [...new Set(missing.map(({ date }) => date))];
  if (output.json) await output.document({ days: missing });
  else if (dates.length > 0) await output.data(dates.join('\n'));
}

async function printDays(
  days: readonly BillDay[],
  types: readonly BillType[],
  fetchOptions: string,
  { io, output }: Context,
): Promise<void> {
  if (output.json) return output.document({ days });
  if (output.quiet) return;
  const styles = await output.styles('stdout');
  const calendars = types.map((type) => {
    const title = types.length > 1 ? `${styles.bold.underline(`type ${type}`)}\n\n` : '';
    const own = days.filter((day) => day.type === type);
    return title + calendar(own, io.stdout.columns || 80, styles);
  });
  await output.data(calendars.join('\n\n\n'));

  const has = (wanted: BillDay['state']): boolean => days.some(({ state }) => state === wanted);
  if (has('missing')) output.note(`for what is missing: mop bill fetch --missing${fetchOptions}`);
  if (has('changed'))
    output.note(`for what has changed: mop bill fetch DATE --overwrite${fetchOptions}`);
}

/** The options with which a fetch means the same bills as this command line. */
function fetchOptions(
  directory: string | undefined,
  types: readonly BillType[] | undefined,
  { profile }: Settings,
  { env }: GlobalOptions,
): string {
  return [
    directory === undefined ? '' : ` -o ${shellQuote(directory)}`,
    ...(types ?? []).map((type) => ` --type ${type}`),
    profileOption(profile),
    env === undefined ? '' : ` --env ${env}`,
  ].join('');
}
