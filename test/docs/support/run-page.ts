/**
 * Runs the code blocks of a page in order, in one directory:
 *
 * - `console`: each `$ command` runs, and its output is recorded.
 * - `sh`: every command must exit with 0, or with N when `# exit code N` follows it.
 * - `js`, `ts`, `json`, …: a first line `// FILE` or `# FILE` writes the block into that file.
 *
 * Examples and blocks of plain `mop` commands run in this process, and all others in one bash, with the
 * built `mop`.
 *
 * `mop`, `node` and Python have a fixed clock. The default profile points at a running sandbox, with the
 * address https://platform.example and the key YOUR_KEY.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../../src/protocol/sandbox.ts';
import { closedPort } from '../../http/support.ts';
import { NOW } from '../../support/cli.ts';
import { isPlain, runPlain } from '../../support/plain-commands.ts';
import { BIN } from '../../support/process.ts';
import { installed } from '../../support/programs.ts';
import { type Block, type Example, ROOT, readBlocks, readExamples } from './read-page.ts';

const CLOCK = fileURLToPath(new URL('clock.cjs', import.meta.url));

export interface RanExample extends Example {
  readonly block: Block;
  /** The output of this run; `output` is the output in the page. */
  readonly actual: string;
}

interface RanScript {
  readonly block: Block;
  /** The exit codes of the commands that failed, in order. */
  readonly codes: readonly number[];
  /** The codes that the comments of the block announce, in order. */
  readonly expected: readonly number[];
  readonly output: string;
}

export interface RanPage {
  readonly examples: readonly RanExample[];
  readonly scripts: readonly RanScript[];
  /** Blocks that did not run because a program is not installed. */
  readonly skipped: readonly Block[];
}

export interface PageOptions {
  /** The language of the outputs. */
  readonly language: string;
  /** Whether to run only the blocks up to the last `console` block. */
  readonly isOutputOnly: boolean;
}

/** Runs a page in an empty directory. `url` is the address of the sandbox. */
export async function runPage(
  text: string,
  home: string,
  url: string,
  { language, isOutputOnly }: PageOptions,
): Promise<RanPage> {
  const machine = await prepareMachine(home, url, language);
  const skipped: Block[] = [];
  const steps: Step[] = [];
  const blocks = readBlocks(text).filter(({ notRun }) => notRun === undefined);
  const last = blocks.findLastIndex((block) => block.language === 'console');
  for (const block of isOutputOnly ? blocks.slice(0, last + 1) : blocks) {
    if (!block.needs.every(installed)) skipped.push(block);
    else steps.push(...stepsOf(block));
  }
  const results = await runSteps(steps, machine);
  const examples: RanExample[] = [];
  const scripts: RanScript[] = [];
  for (const [index, { block, example }] of steps.entries()) {
    const { output, codes } = results[index] as StepResult;
    if (example) examples.push({ ...example, block, actual: output });
    else if (block.language === 'sh') {
      scripts.push({ block, codes, expected: announcedCodes(block.code), output });
    }
  }
  return { examples, scripts, skipped };
}

/** The exit codes that the comments of a script announce, in order. */
export function announcedCodes(code: string): number[] {
  return [...code.matchAll(/# (?:exit code|退出码) (\d+)$/gm)].map(([, digits]) => Number(digits));
}

// --- The machine of the reader ---

interface Machine {
  readonly work: string;
  readonly logs: string;
  readonly env: Record<string, string>;
  /** Text of the page, and the local text that replaces it. */
  readonly replacements: readonly (readonly [page: string, local: string])[];
}

/** Files that the pages expect the reader to have. */
const READER_FILES: Record<string, string> = {
  'secret.txt': SANDBOX_CREDENTIALS.secret,
  'new-secret.txt': SANDBOX_CREDENTIALS.secret,
  'old-secret.txt': SANDBOX_CREDENTIALS.secret,
  'secret-of-shop-a.txt': SANDBOX_CREDENTIALS.secret,
  'secret-of-shop-b.txt': SANDBOX_CREDENTIALS.secret,
};

async function prepareMachine(home: string, url: string, language: string): Promise<Machine> {
  const work = join(home, 'work');
  const logs = join(home, 'logs');
  const bin = join(home, 'bin');
  const config = join(home, '.config/mop');
  for (const directory of [work, logs, bin, config]) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  }
  for (const [name, content] of Object.entries(READER_FILES)) {
    await writeFile(join(work, name), `${content}\n`, { mode: 0o600 });
  }
  // Installs the package.
  await mkdir(join(work, 'node_modules'));
  await symlink(ROOT, join(work, 'node_modules/mop-cli'), 'dir');
  const [sandboxPort, proxyPort] = await Promise.all([closedPort(), closedPort()]);
  const node = `exec '${process.execPath}' --require '${CLOCK}'`;
  const programs = {
    node: `${node} "$@"`,
    mop: `case "$1 $2" in
'sandbox ' | 'sandbox -'*) set -- "$@" --port ${sandboxPort} ;;
'proxy '*) set -- "$@" --port ${proxyPort} ;;
esac
${node} '${BIN}' "$@"`,
    // A substitute for a password manager.
    pass: `echo ${SANDBOX_CREDENTIALS.secret}`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  // Stops the clock of Python, as clock.cjs does in Node.
  const clock = "import os, time\ntime.time = lambda: int(os.environ['FIXED_NOW']) / 1000\n";
  await writeFile(join(bin, 'sitecustomize.py'), clock);
  const profile = {
    base_url: url,
    open_base_url: url,
    api_key: SANDBOX_CREDENTIALS.apiKey,
    api_secret: SANDBOX_CREDENTIALS.secret,
    detect_url: url,
    gql_url: `${url}/graphql`,
  };
  const configuration = JSON.stringify({ profiles: { default: profile } });
  await writeFile(join(config, 'config.json'), configuration, { mode: 0o600 });
  return {
    work,
    logs,
    env: {
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      HOME: home,
      MOP_CONFIG_DIR: config,
      FIXED_NOW: `${NOW}`,
      NODE_DISABLE_COMPILE_CACHE: '1',
      PYTHONPATH: bin,
      LANG: 'C.UTF-8',
      MOP_LANG: language,
      TZ: 'UTC',
    },
    replacements: [
      ['https://platform.example', url],
      ['https://detect.example', url],
      ['https://api.example/graphql', `${url}/graphql`],
      ['platform.example', new URL(url).host],
      ['/home/you', home],
      ['127.0.0.1:7800', `127.0.0.1:${sandboxPort}`],
      ['127.0.0.1:7801', `127.0.0.1:${proxyPort}`],
      ['YOUR_KEY', SANDBOX_CREDENTIALS.apiKey],
      ['KEY_OF_SHOP_A', SANDBOX_CREDENTIALS.apiKey],
      ['KEY_OF_SHOP_B', SANDBOX_CREDENTIALS.apiKey],
    ],
  };
}

// --- Steps ---

interface Step {
  readonly block: Block;
  /** Shell commands; empty for a block that only writes a file. */
  readonly script: string;
  readonly example?: Example;
  readonly file?: string;
}

function stepsOf(block: Block): Step[] {
  const { language, code } = block;
  if (language === 'console') {
    return readExamples(code).map((example) => ({ block, example, script: example.command }));
  }
  if (language === 'sh') return [{ block, script: code }];
  const [, file] = /^(?:\/\/|#) ([\w.-]+\.\w+)\n/.exec(code) ?? [];
  return file === undefined ? [] : [{ block, file, script: '' }];
}

interface StepResult {
  readonly code: number;
  readonly output: string;
  /** The exit codes of the commands that failed, in order. Only blocks of `sh` need them. */
  readonly codes: readonly number[];
}

/** Waits until the server of a background command accepts connections and has printed its start. */
const AWAIT_SERVER = `await_server() {
  for _ in $(seq 200); do
    if (exec 3<>"/dev/tcp/127.0.0.1/\${1#*:}") 2>/dev/null; then
      [ "$2" = redirected ] || grep -qs 'Ctrl-C\\|^{' "$output" && return
    fi
    sleep 0.05
  done
  echo "no server at $1"
}`;

/** Adds the wait to each line that starts a server in the background. */
function withAwait(script: string): string {
  return script.replaceAll(
    /^(mop (proxy|sandbox)\b.*) &([ \t]*#.*)?$/gm,
    (_, command: string, kind: string) => {
      const address = kind === 'proxy' ? '127.0.0.1:7801' : '127.0.0.1:7800';
      return `${command} & await_server ${address} ${command.includes('>') ? 'redirected' : ''}`;
    },
  );
}

async function runSteps(steps: readonly Step[], machine: Machine): Promise<StepResult[]> {
  const { work, replacements } = machine;
  const toLocal = (text: string): string =>
    replacements.reduce((changed, [page, local]) => changed.replaceAll(page, local), text);
  const toPage = (text: string): string =>
    replacements
      .filter(([page]) => /[.:/]/.test(page))
      .reduce((changed, [page, local]) => changed.replaceAll(local, page), text);
  const shell = new Shell(machine);
  await shell.run(AWAIT_SERVER);
  const results: StepResult[] = [];
  for (const { block, script, file } of steps) {
    if (file !== undefined) await writeFile(join(work, file), toLocal(block.code));
    const commands = toLocal(withAwait(script));
    const run = async (): Promise<StepResult> => {
      if (isPlain(commands)) {
        const { codes, output } = await runPlain(commands, work, shell.env);
        return { code: codes.at(-1) ?? 0, output, codes: codes.filter((code) => code !== 0) };
      }
      if (block.language === 'sh') return shell.run(recordingFailures(commands));
      // An example may print the status of the one before it.
      return shell.run(commands, results.at(-1)?.code);
    };
    const { output, ...codes } = await run();
    results.push({ ...codes, output: withReaderKey(toPage(output), script).trimEnd() });
  }
  return results;
}

/** A script that writes the exit code of each command that fails into the file of `codes`. */
function recordingFailures(script: string): string {
  const trap = `set -E -o pipefail; trap 'echo $? >> "\${output%.log}.codes"' ERR`;
  return `${trap}\n${script}\ntrap - ERR; set +E +o pipefail; true`;
}

/** Replaces the sandbox's api_key with YOUR_KEY if the command of `mop` uses the default profile. */
function withReaderKey(output: string, script: string): string {
  if (!/^mop (?!sandbox\b)/m.test(script) || script.includes('--env sandbox')) return output;
  const key = new RegExp(`(?<=api_key(?: |":"))${SANDBOX_CREDENTIALS.apiKey}\\b`, 'g');
  return output.replaceAll(key, 'YOUR_KEY');
}

/** A bash that keeps its variables and its background processes from script to script. */
class Shell {
  /** The exported variables after the last script. */
  env: Record<string, string>;
  readonly #logs: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #count = 0;

  /** Its processes end with the test. */
  constructor({ work, logs, env }: Machine) {
    this.env = env;
    this.#logs = logs;
    // With a socket as standard input, bash would read the start-up files of the user.
    this.#child = spawn('bash', ['--norc'], {
      cwd: work,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Starts a process group, so that servers in the background end with the page.
      detached: true,
    });
    const { pid, stdout } = this.#child;
    stdout.setEncoding('utf8');
    onTestFinished(() => {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // Every process of the group has ended.
      }
    });
  }

  /** Runs a script. `before` is the exit code of the command before it. */
  async run(script: string, before = 0): Promise<StepResult> {
    const path = `${this.#logs}/${++this.#count}`;
    await writeFile(path, `${script}\n`);
    const { stdin, stdout } = this.#child;
    stdin.write(`output='${path}.log'
      (exit ${before}); source '${path}' > "$output" 2>&1 < /dev/null
      printf '%s\\0' $?; env -0; echo\n`);
    let report = '';
    for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
      report += chunk;
      if (report.endsWith('\0\n')) break;
    }
    const [code, ...variables] = report.split('\0').slice(0, -1);
    this.env = Object.fromEntries(
      variables.map((each) => {
        const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
        return [name, value];
      }),
    );
    const read = (name: string): Promise<string> =>
      readFile(`${path}.${name}`, 'utf8').catch(() => '');
    const codes = (await read('codes')).split('\n').filter(Boolean).map(Number);
    return { code: Number(code), output: await read('log'), codes };
  }
}
