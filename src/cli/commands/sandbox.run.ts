import { aborted } from '../../http/abort.ts';
import { today } from '../../protocol/bill-calendar.ts';
import { GRAPHQL_PATH } from '../../protocol/defaults.ts';
import type { BillType } from '../../protocol/operations.ts';
import {
  DEFAULT_READINGS,
  parseReadings,
  type ReadingName,
  type Readings,
} from '../../protocol/readings.ts';
import { SANDBOX_CREDENTIALS, SANDBOX_PORT, SANDBOX_ROWS } from '../../protocol/sandbox.ts';
import { spreadsheetLine } from '../../reconciliation/csv-line.ts';
import { isWithoutTrades } from '../../sandbox/bill-operation.ts';
import { encryptParameters } from '../../sandbox/encryption.ts';
import { parseFault } from '../../sandbox/faults.ts';
import { type OrderRecord, orderRecords, RECORD_COLUMNS } from '../../sandbox/order-records.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { debuggerFile } from '../../server/debugger/file.ts';
import { modelLevel } from '../clients/model-level.ts';
import { billSchedule } from '../context/bill-settings.ts';
import { settingsOf } from '../context/context.ts';
import { argumentText, parseObject } from '../context/input.ts';
import type { Output } from '../context/output.ts';
import type { Call } from '../frame/command.ts';
import { selectDate } from './bill/dates.ts';
import { pageOrigins, requestLog, type ServingOptions, servingHost } from './serving.ts';

interface SandboxCommandOptions extends ServingOptions {
  readonly rows?: number;
  readonly fault?: readonly string[];
  readonly reading?: readonly string[];
}

/** Serves until a signal ends it. */
export async function serve({ options, context }: Call<SandboxCommandOptions>): Promise<never> {
  const { output, io } = context;
  const host = servingHost(options, 'sandbox', 'its credentials are public');
  const readings = parseReadings(options.reading);
  const allowedOrigins = pageOrigins(options, ['*', 'null']);
  const model = modelLevel(context);
  const sandbox = await startSandbox({
    host,
    port: options.port ?? SANDBOX_PORT,
    rows: options.rows,
    faults: (options.fault ?? []).map(parseFault),
    readings,
    timeZone: settingsOf(context).get('timezone'),
    now: io.now,
    model: model.options,
    allowedOrigins,
    log: options.log ? await requestLog(output) : undefined,
  });
  try {
    await announce(sandbox.url, readings, output);
    await sandbox.preload();
    return await aborted(io.signal);
  } finally {
    await sandbox.close();
    await model.close();
  }
}

/** The pages that a person opens. */
const PAGES = [
  ['/platform', 'credentials, addresses and examples'],
  ['/requests', 'the requests, live'],
  ['/platform/debugger', 'the mistake in a signature'],
  ['/', 'the detection service'],
] as const;

async function announce(url: string, readings: Readings, output: Output): Promise<void> {
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const facts = {
    url,
    base_url: url,
    open_base_url: url,
    detect_url: url,
    gql_url: url + GRAPHQL_PATH,
    api_key: apiKey,
    api_secret: secret,
  };
  if (output.json) return output.document(facts);
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(13)}  ${value}`);
  await output.data(lines.join('\n'));
  output.note(
    'The sandbox runs; Ctrl-C ends it. Configure a client with these values, or use --env sandbox.',
  );
  for (const [path, subject] of PAGES) output.note(`${url}${path.padEnd(20)}  ${subject}`);
  const changed = Object.entries(readings).filter(
    ([name, value]) => value !== DEFAULT_READINGS[name as ReadingName],
  );
  if (changed.length > 0) {
    const list = changed.map(([name, value]) => `${name}=${value}`).join(', ');
    output.note(`Readings that differ from the defaults: ${list}`);
  }
}

/** Characters in one write. */
const WRITTEN_CHARACTERS = 64 * 1024;

interface SandboxRecordsOptions {
  readonly differences?: number;
  readonly type?: BillType;
  readonly rows?: number;
}

export async function records({
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

export async function encrypt({
  args: [json],
  context: { io, output },
}: Call<unknown, [string]>): Promise<void> {
  const text = await argumentText(json, io);
  // Editors and pipes add a line end. Text on the command line is used unchanged.
  const parameters = text === json ? text : text.replace(/\r?\n$/, '');
  parseObject(
    parameters,
    'parameters',
    'pass an object, such as \'{"openId":"o-1","mobile":"13800000000"}\'',
  );

  const { encryptData, encryptId } = encryptParameters(parameters, io.now());
  const document = { encrypt_data: encryptData, encrypt_id: encryptId };
  await output.result(document, `${encryptData} ${encryptId}`);
}

export async function printDebugger({ context: { output } }: Call): Promise<void> {
  const page = await debuggerFile(output.language);
  await output.bytes(Buffer.from(page));
}
