import { MopError } from '../../../errors.ts';
import { aborted } from '../../../http/abort.ts';
import { isLoopback } from '../../../http/loopback.ts';
import { GRAPHQL_PATH } from '../../../protocol/graphql.ts';
import { SANDBOX_CREDENTIALS, SANDBOX_PORT } from '../../../protocol/sandbox.ts';
import type { LogEntry } from '../../../sandbox/log-entry.ts';
import { type Context, settingsOf } from '../../context/context.ts';
import type { Output } from '../../context/output.ts';
import { visibleLine } from '../../context/visible.ts';
import { type Choose, type Command, collect, count, port } from '../../frame/command.ts';
import { registerEncrypt } from './encrypt.ts';

interface SandboxCommandOptions {
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly port?: number;
  readonly rows?: number;
  readonly fault?: readonly string[];
  readonly log?: boolean;
}

export function register(sandbox: Command, choose: Choose): void {
  sandbox
    .option('--host <host>', 'listen on this address (127.0.0.1)')
    .option('--allow-remote', 'allow a --host that other machines can reach')
    .option('--port <n>', `listen on this port, 0 for any (${SANDBOX_PORT})`, port)
    .option('--rows <n>', 'orders in a bill (200)', count)
    .option('--fault <name[=value][:count]>', 'misbehave, repeatable; see below', collect)
    .option('--log', 'write a line for each request to stderr')
    .explain({
      notes: `
        The pages of the detection service are at / and /console. With MOP_AI_BASE_URL, MOP_AI_MODEL
        and MOP_AI_KEY it asks an OpenAI-compatible model as well. GraphQL is at /graphql.

        Faults: code=N http=N latency=MS drop truncate corrupt expire no-hash
                hash-type=NAME slow=BYTES_PER_S skew=S
                with :COUNT only the first COUNT times`,
      examples: [
        'mop sandbox --log',
        'mop sandbox --port 0 --json',
        'mop sandbox --fault corrupt:1 --fault latency=200',
      ],
      failures: ['config'],
    })
    .action((options: SandboxCommandOptions, command: Command) =>
      choose(command, (context) => runSandbox(options, context)),
    );
  registerEncrypt(sandbox, choose);
}

/** Serves until a signal ends it. */
async function runSandbox(options: SandboxCommandOptions, context: Context): Promise<never> {
  const { output, io } = context;
  const { host = '127.0.0.1', rows } = options;
  if (!isLoopback(host) && !options.allowRemote) {
    throw new MopError('usage', `other machines could reach the sandbox at ${host}`, {
      hint: 'add --allow-remote if that is what you want: its credentials are public',
    });
  }
  const { modelLevel } = await import('../../clients/model-level.ts');
  const { startSandbox } = await import('../../../sandbox/server.ts');
  const { parseFault } = await import('../../../sandbox/faults.ts');
  const model = modelLevel(context);
  const sandbox = await startSandbox({
    host,
    port: options.port ?? SANDBOX_PORT,
    rows,
    faults: (options.fault ?? []).map(parseFault),
    timeZone: settingsOf(context).get('timezone'),
    now: io.now,
    model: model.options,
    log: options.log ? await requestLog(output) : undefined,
  });
  try {
    await announce(sandbox.url, output);
    await sandbox.preload();
    return await aborted(io.signal);
  } finally {
    await sandbox.close();
    await model.close();
  }
}

async function announce(url: string, output: Output): Promise<void> {
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
}

async function requestLog(output: Output): Promise<(entry: LogEntry) => void> {
  const style = await output.styles('stderr');
  return ({ method, path, status, code, diagnosis, milliseconds, error }) => {
    const good = status < 400 && (code === undefined || code === 0);
    const outcome = code === undefined ? `${status}` : `${status} code ${code}`;
    output.line(
      `${method} ${path} ${good ? style.green(outcome) : style.red(outcome)} ${style.dim(`${milliseconds} ms`)}`,
    );
    if (diagnosis?.length === 0) {
      output.line(`  ${style.red('no mistake that was tried gives this signature')}`);
      output.line(
        `  ${style.green('fix:')} mop sign verify tries more, and compares with --theirs`,
      );
    }
    for (const { id, title, fix } of diagnosis ?? []) {
      output.line(`  ${style.red(visibleLine(title))} ${style.dim(`(${id})`)}`);
      output.line(`  ${style.green('fix:')} ${fix}`);
    }
    if (error) output.line(String(error));
  };
}
