import { today } from '../../../protocol/bill-calendar.ts';
import type { BillType } from '../../../protocol/operations.ts';
import { SANDBOX_ROWS } from '../../../protocol/sandbox.ts';
import { spreadsheetLine } from '../../../reconciliation/csv-line.ts';
import { isWithoutTrades } from '../../../sandbox/bill-operation.ts';
import { type OrderRecord, orderRecords, RECORD_COLUMNS } from '../../../sandbox/order-records.ts';
import { billSchedule } from '../../context/bill-schedule.ts';
import { settingsOf } from '../../context/context.ts';
import type { Call } from '../../frame/command.ts';
import { selectDate } from '../bill/dates.ts';

/** Characters in one write. */
const WRITTEN_CHARACTERS = 64 * 1024;

interface SandboxRecordsOptions {
  readonly differences?: number;
  readonly type?: BillType;
  readonly rows?: number;
}

export async function run({
  args: [given],
  options: { differences = 0, type = 'all', rows = SANDBOX_ROWS },
  context,
}: Call<SandboxRecordsOptions, [string | undefined]>): Promise<void> {
  const { io, output } = context;
  const schedule = billSchedule(settingsOf(context));
  const date = selectDate(given, { force: true }, schedule, io.now());
  const hasTrades = !isWithoutTrades(date, today(schedule, io.now()));
  if (!hasTrades) output.note(`${date} has no trades`);
  const records = orderRecords({ date, type }, hasTrades ? rows : 0, differences, io.signal);
  let text = '';
  for await (const piece of output.json ? jsonOf(records) : csvOf(records)) {
    text += piece;
    if (text.length < WRITTEN_CHARACTERS) continue;
    await output.bytes(Buffer.from(text));
    text = '';
  }
  await output.bytes(Buffer.from(text));
}

async function* csvOf(records: AsyncIterable<OrderRecord>): AsyncGenerator<string> {
  yield spreadsheetLine(RECORD_COLUMNS);
  for await (const record of records)
    yield spreadsheetLine(RECORD_COLUMNS.map((column) => record[column]));
}

async function* jsonOf(records: AsyncIterable<OrderRecord>): AsyncGenerator<string> {
  let start = '[';
  for await (const record of records) {
    yield start + JSON.stringify(record);
    start = ',';
  }
  yield start === '[' ? '[]\n' : ']\n';
}
