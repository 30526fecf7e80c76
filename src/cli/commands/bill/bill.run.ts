import { join } from 'node:path';
import { counted, grouped } from '../../../files/counts.ts';
import { compactLedger } from '../../../platform/bills/compact-ledger.ts';
import {
  type BillDescriptor,
  type BillRequest,
  billDescriptor,
  billOperation,
} from '../../../platform/bills/descriptor.ts';
import { LEDGER_NAME } from '../../../platform/bills/ledger.ts';
import { DOWNLOAD_LINK_SECONDS } from '../../../protocol/limits.ts';
import type { BillType, TarType } from '../../../protocol/operations.ts';
import { REDACTED, redactUrl } from '../../../redaction/redact.ts';
import { withPlatform } from '../../clients/open-platform.ts';
import { billSettings } from '../../context/bill-settings.ts';
import { settingsOf } from '../../context/context.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import { selectDate } from './dates.ts';
import { type BillsOption, givenDirectory, warnOfDamage } from './directories.ts';

interface BillInfoOptions {
  readonly type?: BillType;
  readonly tar?: TarType;
  readonly force?: boolean;
}

export async function info({
  args: [given],
  options: { type = 'all', tar, force },
  context,
}: Call<BillInfoOptions, [string | undefined]>): Promise<void> {
  const { io, output } = context;
  const { reveal } = output;
  const settings = settingsOf(context);
  const { schedule, noBillCodes } = billSettings(settings);
  const date = selectDate(given, { force }, schedule, io.now());
  const bill = { date, type, tar };

  await withPlatform(context, settings, [billOperation(bill)], async (client) => {
    const descriptor = await billDescriptor(client, bill, { schedule, noBillCodes, force });
    const record = infoRecord(bill, descriptor, reveal);
    const rows = Object.entries(record).map(([key, value]) => [key, value ?? '-']);
    await output.report(record, await output.table(['KEY', 'VALUE'], rows));
    if (reveal) output.note(`the link is valid for ${DOWNLOAD_LINK_SECONDS} seconds`);
  });
}

/** A descriptor as `--json` shows it; its keys are stable. */
function infoRecord(
  { date, type }: BillRequest,
  { digest, downloadUrl, authorization }: BillDescriptor,
  reveal: boolean,
): Record<string, string | null> {
  const { href } = downloadUrl;
  const secret = authorization === undefined ? null : REDACTED;
  return {
    date,
    type,
    hash_type: digest?.type || null,
    hash_value: digest?.value ?? null,
    download_url: reveal ? href : redactUrl(href),
    authorization: reveal ? (authorization ?? null) : secret,
  };
}

export async function compact({
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
    output.lines(`${visibleLine(path)}: ${kept}${dryRun ? ' (dry run)' : ''}`),
  );
}
