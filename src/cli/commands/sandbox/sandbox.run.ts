import { aborted } from '../../../http/abort.ts';
import { GRAPHQL_PATH } from '../../../protocol/graphql.ts';
import {
  DEFAULT_READINGS,
  parseReadings,
  type ReadingName,
  type Readings,
} from '../../../protocol/readings.ts';
import { SANDBOX_CREDENTIALS, SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import { parseFault } from '../../../sandbox/faults.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { modelLevel } from '../../clients/model-level.ts';
import { settingsOf } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import type { Call } from '../../frame/command.ts';
import { pageOrigins, requestLog, type ServingOptions, servingHost } from '../serving.ts';

interface SandboxCommandOptions extends ServingOptions {
  readonly rows?: number;
  readonly fault?: readonly string[];
  readonly reading?: readonly string[];
}

/** Serves until a signal ends it. */
export async function run({ options, context }: Call<SandboxCommandOptions>): Promise<never> {
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
  const changed = Object.entries(readings).filter(
    ([name, value]) => value !== DEFAULT_READINGS[name as ReadingName],
  );
  if (changed.length > 0) {
    const list = changed.map(([name, value]) => `${name}=${value}`).join(', ');
    output.note(`Readings that differ from the defaults: ${list}`);
  }
}
