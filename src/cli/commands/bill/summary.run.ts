import { MopError } from '../../../errors.ts';
import type { Encoding } from '../../../reconciliation/rows-file.ts';
import { summarizeBill } from '../../../reconciliation/summarize-bill.ts';
import type { Context } from '../../context/context.ts';
import { inputChunks } from '../../context/input.ts';
import { rowProgress } from '../../context/spinner.ts';
import type { Call } from '../../frame/command.ts';
import { type BillFileOptions, checkFileOptions, findBill } from './bill-files.ts';
import { reportSummary } from './summary-report.ts';

interface BillSummaryOptions extends BillFileOptions {
  readonly by?: string;
  readonly sum?: readonly string[];
  readonly encoding?: Encoding;
  readonly header: boolean;
}

export async function run({
  args: [given],
  options,
  context,
}: Call<BillSummaryOptions, [readonly string[]]>): Promise<void> {
  const { io } = context;
  const { by, sum, encoding, header } = options;
  const bills = given.length > 0 ? given : ['yesterday'];
  checkFileOptions(bills, options);
  const paths = await pathsOf(bills, options, context);
  const files = paths.map((path) => ({ path, content: inputChunks(path, io), encoding, header }));
  const { onRows, end } = await rowProgress(context);
  const { signal } = io;
  const summary = await summarizeBill(files, { by, sum, signal, onProgress: onRows }).finally(end);
  await reportSummary(summary, { by, sum }, context);
}

/** The paths of bills. Of several bills, omits those of days without trades. */
async function pathsOf(
  bills: readonly string[],
  options: BillFileOptions,
  context: Context,
): Promise<string[]> {
  const paths: string[] = [];
  for (const bill of bills) {
    try {
      paths.push((await findBill(bill, options, context)).path);
    } catch (error) {
      const isOmitted = error instanceof MopError && error.code === 'no-bill' && bills.length > 1;
      if (!isOmitted) throw error;
      context.output.note(error.message);
    }
  }
  return paths;
}
