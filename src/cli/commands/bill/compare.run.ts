import { join } from 'node:path';
import { MopError } from '../../../errors.ts';
import { type ColumnPair, compareBill } from '../../../reconciliation/compare-bill.ts';
import type { Difference } from '../../../reconciliation/match-rows.ts';
import type { Encoding, RowsFile } from '../../../reconciliation/rows-file.ts';
import { columnPair, columnPairList } from '../../context/column-pairs.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { settingsOf } from '../../context/context.ts';
import { counted } from '../../context/counts.ts';
import { printThenFail } from '../../context/failures.ts';
import { inputChunks } from '../../context/input.ts';
import { profileOption } from '../../context/settings.ts';
import { rowProgress } from '../../context/spinner.ts';
import type { Call } from '../../frame/command.ts';
import { type BillFileOptions, checkFileOptions, findBill } from './bill-files.ts';
import { type ComparisonReport, reportComparison, SHOWN_DIFFERENCES } from './compare-report.ts';

interface BillCompareOptions extends BillFileOptions {
  readonly with: string;
  readonly key?: readonly string[];
  readonly amount?: readonly string[];
  readonly tolerance?: string;
  readonly ignoreCase?: boolean;
  readonly trim?: boolean;
  readonly out?: string;
  readonly encoding?: Encoding;
  readonly header: boolean;
}

export async function run({
  args: [bill],
  options,
  context,
}: Call<BillCompareOptions, [string]>): Promise<void> {
  const { io } = context;
  const { out, tolerance, ignoreCase, trim } = options;
  const settings = settingsOf(context);
  checkOptions(bill, options);
  const key = columnPairs(options.key, settings.get('compare_key'));
  if (!key) throw missingKey(settings.profile);
  const amounts = columnPairs(options.amount, settings.get('compare_amount')) ?? [];
  assertNoConflict([
    [
      tolerance !== undefined && amounts.length === 0,
      '--tolerance needs --amount',
      'add --amount COLUMN',
    ],
  ]);
  const encoding = options.encoding ?? (settings.get('compare_encoding') as Encoding);
  const fileOf = (side: keyof ColumnPair, path: string): RowsFile => ({
    path,
    content: inputChunks(path, io),
    // --no-header applies to the file whose columns are given by number.
    header: options.header || ![...key, ...amounts].every((pair) => /^\d+$/.test(pair[side])),
  });
  const { name, path } = await findBill(bill, options, context);
  const shown: Difference[] = [];
  let count = 0;
  const { onRows, end } = await rowProgress(context);
  const comparison = await compareBill({
    bill: {
      ...fileOf('bill', path),
      // --encoding applies to the records; the bill may be in UTF-8 as well.
      encoding: encoding === 'utf-8' ? encoding : 'utf-8-or-gb18030',
    },
    records: { ...fileOf('records', options.with), encoding },
    key,
    amounts,
    tolerance,
    ignoreCase,
    trim,
    out,
    outMode: Number.parseInt(settings.get('bill_file_mode'), 8),
    signal: io.signal,
    onProgress: onRows,
    onDifference: (difference) => {
      if (count++ < SHOWN_DIFFERENCES) shown.push(difference);
    },
  }).finally(end);
  const report = { bill: name, records: options.with, amounts, comparison, count, shown };
  await printThenFail(reportComparison(report, context), failureOf(report, out));
}

function checkOptions(bill: string, options: BillCompareOptions): void {
  checkFileOptions([bill], options);
  assertNoConflict([
    [
      bill === '-' && options.with === '-',
      'the bill and the records both come from standard input',
      'give a file for one of the two',
    ],
    [options.out === '', '--out is empty', 'give a directory'],
  ]);
}

/** The columns of an option, or else of a setting. */
function columnPairs(
  given: readonly string[] | undefined,
  stored: string | undefined,
): readonly ColumnPair[] | undefined {
  if (given) return given.map(columnPair);
  return stored === undefined ? undefined : columnPairList(stored);
}

function missingKey(profile: string): MopError {
  return new MopError('usage', '--key is missing: the column that identifies an order', {
    hint: `add --key order_id, or --key order_id=id where your records have another name for it; to store it: mop config set compare_key order_id=id${profileOption(profile)}`,
  });
}

function failureOf(
  { count, bill, records }: ComparisonReport,
  out: string | undefined,
): MopError | undefined {
  if (count === 0) return undefined;
  const message = `${counted(count, 'difference')} between ${bill} and ${records}`;
  return new MopError('differs', message, {
    hint:
      out === undefined
        ? 'add --out DIR to write all of them to files'
        : `all of them are in ${join(out, '*.csv')}`,
  });
}
