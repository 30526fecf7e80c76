import { join } from 'node:path';
import { counted, grouped } from '../../../files/counts.ts';
import { compactLedger } from '../../../platform/bills/compact-ledger.ts';
import { LEDGER_NAME } from '../../../platform/bills/ledger.ts';
import { settingsOf } from '../../context/context.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import { billSettings } from './bill-settings.ts';
import { type BillsOption, givenDirectory, warnOfDamage } from './directories.ts';

export async function run({
  args: [argument],
  options,
  context,
}: Call<BillsOption, [string | undefined]>): Promise<void> {
  const given = givenDirectory(argument, options);
  const { io, globals, output } = context;
  const directory = given ?? billSettings(settingsOf(context)).directory;
  const { dryRun } = globals;
  const path = join(directory, LEDGER_NAME);
  const { before, after, damaged } = await compactLedger(directory, { dryRun, signal: io.signal });
  warnOfDamage(path, damaged, output);
  const kept = `${grouped(after)} of ${counted(before, 'line')} kept`;
  await output.report(
    { ledger: path, lines_before: before, lines_after: after },
    `${visibleLine(path)}: ${kept}${dryRun ? ' (dry run)' : ''}`,
  );
}
