import { MopError, quoted } from '../../../errors.ts';
import { counted } from '../../../files/counts.ts';
import { compareBill } from '../../../reconciliation/compare-bill.ts';
import type { ColumnPair } from '../../../reconciliation/compare-options.ts';
import { delimiterOf, type Encoding } from '../../../reconciliation/rows-file.ts';
import { columnPair, columnPairList } from '../../context/column-pairs.ts';
import { assertNoConflict } from '../../context/conflicts.ts';
import { settingsOf } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { rowProgress } from '../../context/spinner.ts';
import type { Call } from '../../frame/command.ts';
import { type BillFileOptions, findBills } from './bill-files.ts';
import { type ComparisonReport, reportComparison } from './compare-report.ts';
import { checkReadingOptions, type ReadingOptions, rowFilters, rowsFile } from './rows-options.ts';

interface BillCompareOptions extends BillFileOptions, ReadingOptions {
  readonly with: readonly string[];
  readonly key?: readonly string[];
  readonly amount?: readonly string[];
  readonly tolerance?: string;
  readonly factor?: string;
  readonly net?: boolean;
  readonly blank?: string;
  readonly ignoreCase?: boolean;
  readonly ignoreZeros?: boolean;
  readonly ignoreFormat?: boolean;
  readonly where?: readonly string[];
  readonly recordsWhere?: readonly string[];
  readonly limit?: number;
  readonly out?: string;
  readonly bom?: boolean;
}

export async function run({
  args: [given],
  options,
  context,
}: Call<BillCompareOptions, [readonly string[]]>): Promise<void> {
  const { io } = context;
  const { out } = options;
  checkOptions(given, options);
  const settings = settingsOf(context);
  const key = columnPairs(options.key, settings.get('compare_key'));
  if (!key) throw missingKey(settings.profile);
  const amounts = columnPairs(options.amount, settings.get('compare_amount')) ?? [];
  checkAmountOptions(options, amounts);
  const where = options.where ?? settings.get('compare_where')?.split(',') ?? [];
  const recordsWhere =
    options.recordsWhere ?? settings.get('compare_records_where')?.split(',') ?? [];
  const bills = await findBills(given, options, context);
  const stored = settings.get('compare_encoding');
  const delimiter = settings.get('compare_delimiter');
  // --no-header applies to the files whose columns are given by number.
  const hasHeader = (side: keyof ColumnPair): boolean =>
    options.header || ![...key, ...amounts].every((pair) => /^\d+$/.test(pair[side]));
  const { decimal, headerLine, sheet } = options;
  const records = {
    encoding: options.encoding ?? (stored === 'auto' ? undefined : (stored as Encoding)),
    delimiter: options.delimiter ?? (delimiter === undefined ? undefined : delimiterOf(delimiter)),
    header: hasHeader('records'),
    headerLine,
    decimal,
    sheet,
    where: rowFilters(recordsWhere, '--records-where'),
  };
  const bill = { header: hasHeader('bill'), decimal, where: rowFilters(where, '--where') };
  const { onRows, end } = await rowProgress(context);
  const comparison = await compareBill({
    bill: bills.map(({ path }) => rowsFile(path, io, bill)),
    records: options.with.map((path) => rowsFile(path, io, records)),
    key,
    amounts,
    tolerance: options.tolerance,
    factor: options.factor ?? (amounts.length > 0 ? settings.get('compare_factor') : undefined),
    net: options.net ?? settings.get('compare_net') === 'true',
    blank: options.blank ?? settings.get('compare_blank'),
    ignoreCase: options.ignoreCase,
    ignoreZeros: options.ignoreZeros,
    ignoreFormat: options.ignoreFormat,
    out,
    outMode: Number.parseInt(settings.get('bill_file_mode'), 8),
    bom: options.bom,
    label: (text) => context.output.word(text),
    limit: options.limit,
    signal: io.signal,
    onProgress: onRows,
  }).finally(end);
  const names = {
    bill: shortList(bills.map(({ name }) => name)),
    records: shortList(options.with),
  };
  const report = { ...names, key, amounts, comparison };
  await printThenFail(reportComparison(report, context), failureOf(report, out));
}

/** Several names as `first and 2 more`. */
function shortList([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function checkOptions(given: readonly string[], options: BillCompareOptions): void {
  const inputs = [...given, ...options.with].filter((path) => path === '-');
  checkReadingOptions(options);
  assertNoConflict([
    [
      inputs.length > 1,
      'the bill and the records both come from standard input',
      'give a file for one of the two',
    ],
    [options.out === '', '--out is empty', 'give a directory, or a file that ends in .xlsx'],
    [
      options.bom && (!options.out || /\.xlsx$/i.test(options.out)),
      '--bom is for the CSV files of --out',
      'add --out DIR',
    ],
  ]);
}

function checkAmountOptions(
  { tolerance, factor, blank }: BillCompareOptions,
  amounts: readonly ColumnPair[],
): void {
  const hint = 'add --amount COLUMN';
  const none = amounts.length === 0;
  assertNoConflict([
    [tolerance !== undefined && none, '--tolerance needs --amount', hint],
    [factor !== undefined && none, '--factor needs --amount', hint],
    [blank !== undefined && none, '--blank needs --amount', hint],
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
    hint: quoted`add --key order_id, or --key order_id=id where your records have another name for it; to store it: mop config set compare_key order_id=id -p ${profile}`,
  });
}

const OUT_HINT = '--out DIR or --out FILE.xlsx writes all of them to files';

function failureOf(
  { comparison, bill, records }: ComparisonReport,
  out: string | undefined,
): MopError | undefined {
  const count = comparison.differenceCount;
  if (count === 0) return undefined;
  const message = `${counted(count, 'difference')} between ${bill} and ${records}`;
  return new MopError('differs', message, {
    hint: out === undefined ? OUT_HINT : quoted`all of them are in ${out}`,
  });
}
