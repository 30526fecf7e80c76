import { MopError } from '../../../errors.ts';
import type { BillDay, BookedBill } from '../../../platform/bills/bill-days.ts';
import type { BillOwner, OtherBills } from '../../../platform/bills/ledger.ts';
import type { BillType } from '../../../protocol/operations.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail, sharedFailure } from '../../context/failures.ts';
import { shellQuote } from '../../context/print-curl.ts';
import { profileOption } from '../../context/settings.ts';
import { calendar } from './calendar.ts';
import { counted, describeOthers } from './other-bills.ts';

export interface BillStatusOptions {
  readonly type?: readonly BillType[] | undefined;
  readonly check?: boolean;
  readonly missing?: boolean;
  readonly exitCode?: boolean;
  readonly allProfiles?: boolean;
}

/** The bills of one profile, in their directory. */
export interface Book {
  readonly owner: BillOwner;
  readonly directory: string;
  readonly bills: readonly BookedBill[];
  /** Bills of other owners in the same directory. */
  readonly others: readonly OtherBills[];
}

/** A book whose files were hashed. */
export interface CheckedBook extends Book {
  readonly days: readonly BillDay[];
  /** Failed calls to the platform. */
  readonly failures: readonly MopError[];
}

/** The types of bills to show, each once. */
export function typesOf({ type }: BillStatusOptions): BillType[] {
  return [...new Set(type ?? ['all' as const])];
}

/**
 * Prints the state of each bill.
 *
 * @param unusable Why profiles were left out.
 * @param given The directory of the command line.
 * @throws {MopError} The failure that calls to the platform share; with `--exit-code` also `differs`.
 */
export async function reportBooks(
  books: readonly CheckedBook[],
  unusable: readonly MopError[],
  given: string | undefined,
  options: BillStatusOptions,
  context: Context,
): Promise<void> {
  if (!options.check) warnOfOwnDigests(books, context);
  const commands = remedies(books, given, options, context);
  await printThenFail(
    printBooks(books, commands, options, context),
    failureOf(books, unusable, commands, options),
  );
}

/** Warns of bills that are unchanged but for which the platform gave no digest. */
function warnOfOwnDigests(books: readonly CheckedBook[], { output }: Context): void {
  const own = books.flatMap(({ bills, days }) =>
    bills.filter(
      ({ entry }, index) => days[index]?.state === 'verified' && entry?.verified !== true,
    ),
  );
  if (own.length === 0) return;
  output.warn(
    `the platform gave no digest for ${counted(own.length, 'bill')}: verified against our own`,
  );
}

async function printBooks(
  books: readonly CheckedBook[],
  commands: readonly string[],
  options: BillStatusOptions,
  context: Context,
): Promise<void> {
  const { output } = context;
  const { missing = false, exitCode = false, allProfiles = false } = options;
  if (output.json) {
    const days = books.flatMap(({ owner, days }) =>
      days
        .filter(({ state }) => !missing || state === 'missing')
        .map((day) => (allProfiles ? { profile: owner.profile, ...day } : day)),
    );
    return output.document({ days });
  }
  // A script relies on the dates, even with --quiet.
  if (missing) {
    const dates = countedDays(books, 'missing').map(({ date }) => date);
    if (dates.length > 0) await output.data([...new Set(dates)].toSorted().join('\n'));
  } else if (!output.quiet && books.length > 0) {
    await output.data(await calendars(books, options, context));
  }
  for (const { owner, directory, others } of books) {
    const place = allProfiles ? `in ${directory}` : 'here';
    for (const other of others) {
      const { bills, options } = describeOthers(other, owner);
      output.note(`not counted: ${bills}, also recorded ${place} (shown with ${options})`);
    }
  }
  // The error that ends the command has the hints of --exit-code.
  if (!missing && !exitCode) for (const command of commands) output.note(command);
}

async function calendars(
  books: readonly CheckedBook[],
  options: BillStatusOptions,
  { io, output }: Context,
): Promise<string> {
  const styles = await output.styles('stdout');
  const types = typesOf(options);
  return books
    .flatMap(({ owner, days }) =>
      types.map((each) => {
        const title = [
          options.allProfiles ? `profile ${owner.profile}` : '',
          types.length > 1 ? `type ${each}` : '',
        ].filter((part) => part !== '');
        const heading = title.length > 0 ? `${styles.bold.underline(title.join(', '))}\n\n` : '';
        const own = days.filter((day) => day.type === each);
        return heading + calendar(own, io.stdout.columns || 80, styles);
      }),
    )
    .join('\n\n\n');
}

function countedDays(books: readonly CheckedBook[], state: BillDay['state']): BillDay[] {
  return books.flatMap(({ days }) => days.filter((day) => day.state === state));
}

/** The commands that fetch missing bills and replace changed ones. */
function remedies(
  books: readonly CheckedBook[],
  given: string | undefined,
  { type = [], allProfiles }: BillStatusOptions,
  { globals: { env } }: Context,
): string[] {
  // The options with which a fetch means the same bills as this command line.
  const same = [
    given === undefined ? '' : ` -o ${shellQuote(given)}`,
    ...type.map((each) => ` --type ${each}`),
    allProfiles ? ' --all-profiles' : profileOption(books[0]?.owner.profile ?? ''),
    env === undefined ? '' : ` --env ${env}`,
  ].join('');
  const has = (state: BillDay['state']): boolean => countedDays(books, state).length > 0;
  return [
    ...(has('missing') ? [`fetch missing bills with: mop bill fetch --missing${same}`] : []),
    ...(has('changed')
      ? [`replace changed bills with: mop bill fetch DATE --overwrite${same}`]
      : []),
  ];
}

function failureOf(
  books: readonly CheckedBook[],
  unusable: readonly MopError[],
  commands: readonly string[],
  { exitCode }: BillStatusOptions,
): MopError | undefined {
  const failures = books.flatMap((book) => book.failures);
  const missing = countedDays(books, 'missing').length;
  const changed = countedDays(books, 'changed').length;
  const differs =
    exitCode && missing + changed > 0
      ? [
          new MopError('differs', `${counted(missing, 'bill')} missing, ${changed} changed`, {
            hint: commands.join('; '),
          }),
        ]
      : [];
  const errors = [...unusable, ...failures, ...differs];
  if (errors.length === 1) return errors[0];
  const parts = [
    unusable[0] && `not every profile can be used: ${unusable[0].message}`,
    failures[0] && `the platform could not be asked for every bill: ${failures[0].message}`,
    differs[0]?.message,
  ];
  return sharedFailure(errors, () => parts.filter((part) => part !== undefined).join('; '));
}
