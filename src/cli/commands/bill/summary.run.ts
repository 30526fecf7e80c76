import { summarizeBill } from '../../../reconciliation/summarize-bill.ts';
import { rowProgress } from '../../context/spinner.ts';
import type { Call } from '../../frame/command.ts';
import { type BillFileOptions, findBills } from './bill-files.ts';
import { checkReadingOptions, type ReadingOptions, rowFilters, rowsFile } from './rows-options.ts';
import { reportSummary } from './summary-report.ts';

interface BillSummaryOptions extends BillFileOptions, ReadingOptions {
  readonly by?: readonly string[];
  readonly sum?: readonly string[];
  readonly where?: readonly string[];
}

export async function run({
  args: [given],
  options,
  context,
}: Call<BillSummaryOptions, [readonly string[]]>): Promise<void> {
  const { io } = context;
  const { by, sum, encoding, delimiter, header, headerLine, decimal, sheet } = options;
  checkReadingOptions(options);
  const where = rowFilters(options.where ?? [], '--where');
  const bills = await findBills(given, options, context);
  const reading = { encoding, delimiter, header, headerLine, decimal, sheet, where };
  const files = bills.map(({ path }) => rowsFile(path, io, reading));
  const { onRows, end } = await rowProgress(context);
  const { signal } = io;
  const summary = await summarizeBill(files, { by, sum, signal, onProgress: onRows }).finally(end);
  await reportSummary(summary, { by }, context);
}
