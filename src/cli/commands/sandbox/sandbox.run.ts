import { MopError } from '../../../errors.ts';
import { aborted } from '../../../http/abort.ts';
import { isLoopback } from '../../../http/loopback.ts';
import { GRAPHQL_PATH } from '../../../protocol/graphql.ts';
import {
  DEFAULT_READINGS,
  parseReadings,
  type ReadingName,
  type Readings,
} from '../../../protocol/readings.ts';
import { FIND_MISTAKE } from '../../../protocol/result-codes.ts';
import { SANDBOX_CREDENTIALS, SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import { parseFault } from '../../../sandbox/faults.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import type { LogEntry } from '../../../server/log-entry.ts';
import { modelLevel } from '../../clients/model-level.ts';
import { settingsOf } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';

interface SandboxCommandOptions {
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly port?: number;
  readonly rows?: number;
  readonly fault?: readonly string[];
  readonly reading?: readonly string[];
  readonly log?: boolean;
}

/** Serves until a signal ends it. */
export async function run({ options, context }: Call<SandboxCommandOptions>): Promise<never> {
  const { output, io } = context;
  const { host = '127.0.0.1', rows } = options;
  if (!isLoopback(host) && !options.allowRemote) {
    throw new MopError('usage', `other machines could reach the sandbox at ${host}`, {
      hint: 'add --allow-remote if that is what you want: its credentials are public',
    });
  }
  const readings = parseReadings(options.reading);
  const model = modelLevel(context);
  const sandbox = await startSandbox({
    host,
    port: options.port ?? SANDBOX_PORT,
    rows,
    faults: (options.fault ?? []).map(parseFault),
    readings,
    timeZone: settingsOf(context).get('timezone'),
    now: io.now,
    model: model.options,
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
    'The sandbox runs; Ctrl-C ends it. Point a client at it with these, or use --env sandbox.',
  );
  const changed = Object.entries(readings).filter(
    ([name, value]) => value !== DEFAULT_READINGS[name as ReadingName],
  );
  if (changed.length > 0) {
    const list = changed.map(([name, value]) => `${name}=${value}`).join(', ');
    output.note(`Readings that differ from the defaults: ${list}`);
  }
}

const NOTHING_FOUND = {
  complete: 'no mistake that was tried gives this signature',
  'cut-short': 'no likely mistake gives this signature; the search was cut short',
  skipped: 'the search for the mistake was skipped: too many are under way; send it again',
};

async function requestLog(output: Output): Promise<(entry: LogEntry) => void> {
  const style = await output.styles('stderr');
  return (entry) => {
    const { time, method, path, status, code, diagnosis, search, warnings, milliseconds, error } =
      entry;
    const good = status < 400 && (code === undefined || code === 0);
    const outcome = code === undefined ? `${status}` : `${status} code ${code}`;
    output.line(
      `${style.dim(new Date(time).toISOString())} ${method} ${path} ${good ? style.green(outcome) : style.red(outcome)} ${style.dim(`${milliseconds} ms`)}`,
    );
    if (search && diagnosis?.length === 0) {
      output.line(`  ${style.red(NOTHING_FOUND[search])}`);
      output.line(
        `  ${style.green('fix:')} ${FIND_MISTAKE}; --theirs compares it with the signed string`,
      );
    }
    for (const { id, title, fix } of diagnosis ?? []) {
      output.line(`  ${style.red(visibleLine(title))} ${style.dim(`(${id})`)}`);
      output.line(`  ${style.green('fix:')} ${fix}`);
    }
    for (const warning of warnings ?? []) {
      output.line(`  ${style.yellow('!')} ${visibleLine(warning)}`);
    }
    if (error) output.line(String(error));
  };
}
