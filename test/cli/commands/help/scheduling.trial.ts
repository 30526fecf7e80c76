import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import type { IJobSpec } from 'kubernetes-models/batch/v1/JobSpec';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import MEANINGS from '../../../../src/cli/commands/help/exit-codes.json' with { type: 'json' };
import { EXIT_CODES } from '../../../../src/cli/exit-codes.ts';
import type { FailureCode } from '../../../../src/errors.ts';
import { daysOf } from '../../../../src/protocol/bill-calendar.ts';
import { DEFAULT_READY_TIME, DEFAULT_TIME_ZONE } from '../../../../src/protocol/defaults.ts';
import { BILL_TYPES, type BillType } from '../../../../src/protocol/operations.ts';
import { VERSION } from '../../../../src/version.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { noBillEntry, pointAt, sandbox, scriptedPlatform } from '../../../support/platform.ts';
import { installed } from '../../../support/programs.ts';
import { serve } from '../../../support/server.ts';
import { shellWords } from '../../../support/shell-words.ts';
import { configuration } from '../../support.ts';

/** The time at which the examples run: 10:15 in the platform's time zone. */
const AT = Date.parse('2026-11-20T10:15:00+08:00');
const DAYS = daysOf({ first: '2026-08-20', last: '2026-11-19' });
const PLATFORM = pointAt('https://platform.invalid');

const examplesUrl = new URL('../../../../src/cli/commands/help/examples/', import.meta.url);
const FILES = readdirSync(examplesUrl);
const example = (name: string): string => readFileSync(new URL(name, examplesUrl), 'utf8');

/** The bills that the command line of an example requests, such as `2026-11-19 all`. */
async function billsOf(words: readonly string[], world: CliWorld = {}): Promise<string[]> {
  const argv = [...argvOf(words, await temporaryDirectory()), '--dry-run', '--json'];
  const { code, stdout, stderr } = await mop(argv, { env: PLATFORM, now: () => AT, ...world });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names = Object.keys(BILL_TYPES);
  // A single request is printed as an object.
  return [JSON.parse(stdout)].flat().map(({ body }: { body: string }) => {
    const { bill_date, bill_type } = JSON.parse(body);
    return `${bill_date} ${names[bill_type]}`;
  });
}

/** The arguments of a command line, with its directory replaced by `directory`. */
function argvOf(words: readonly string[], directory: string): string[] {
  expect(words[0]).toMatch(/^(?:\/usr\/local\/bin\/)?mop$/);
  const out = words.indexOf('-o') + 1;
  expect(words[out]).toMatch(/^[\w/]+\/$/);
  return words.with(out, `${directory}/`).slice(1);
}

const crossed = (...types: BillType[]): string[] =>
  DAYS.flatMap((date) => types.map((type) => `${date} ${type}`)).sort();

/** Expects each bill of the window in one of the shares of eight workers, and no empty share. */
async function expectShares(
  commandOf: (index: number) => readonly string[],
  ...types: BillType[]
): Promise<void> {
  const workers = Array.from({ length: 8 }, (_, index) => billsOf(commandOf(index)));
  const shares = await Promise.all(workers);
  expect(shares.flat().sort()).toEqual(crossed(...types));
  const sizes = shares.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(types.length);
}

// --- Reactions to failures ---

/** The reaction of a scheduler to an exit code. */
type Reaction = 'again' | 'stop' | 'well';

/** The failures of `mop bill fetch --missing`. A day without trades is not a failure. */
async function failures(): Promise<FailureCode[]> {
  const { stdout } = await mop(['help', 'bill', 'fetch', '--json']);
  const codes: { name: string }[] = JSON.parse(stdout).exit_codes;
  const others = ['ok', 'no-bill', 'interrupted', 'terminated'];
  return codes.flatMap(({ name }) => (others.includes(name) ? [] : [name as FailureCode]));
}

/**
 * Expects a scheduler to retry exactly the failures that may be temporary. For `mixed`, the table of
 * exit codes makes no statement, so both reactions are correct.
 */
async function expectReactions(reactionTo: (code: number) => Reaction): Promise<void> {
  const allowed: Record<string, Reaction[]> = {
    no: ['stop'],
    yes: ['again'],
    later: ['again', 'well'],
    '': ['again', 'stop'],
  };
  for (const name of await failures()) {
    const reaction = reactionTo(EXIT_CODES[name]);
    expect({ name, reaction, fits: allowed[MEANINGS[name].retry]?.includes(reaction) }).toEqual({
      name,
      reaction,
      fits: true,
    });
  }
}

const known = new Set<number>(Object.values(EXIT_CODES));

describe('mop help scheduling', () => {
  it.each(FILES)('prints %s complete and indented', async (name) => {
    const { code, stdout, stderr } = await mop(['help', 'scheduling']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = example(name).trimEnd().split('\n');
    const indented = lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
    expect(`${stdout}\n`).toContain(`\n\n${indented}\n\n`);
  });

  it('lists the exit codes to retry', async () => {
    const { stdout } = await mop(['help', 'scheduling']);
    const [, ...named] =
      /Retry after exit codes (\d+), (\d+) and 12\. After exit code (\d+), retry later\./.exec(
        stdout,
      ) ?? [];
    const worth = (await failures()).filter((name) => /yes|later/.test(MEANINGS[name].retry));
    expect(named.map(Number)).toEqual(worth.map((name) => EXIT_CODES[name]));
  });
});

// --- cron ---

/** `HH:MM` of a schedule that is due once a day. */
function dailyTime(schedule: string): string {
  const [, minute, hour] = /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* \*$/.exec(schedule) ?? [];
  if (minute === undefined || hour === undefined) throw new Error(`not daily: ${schedule}`);
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

interface Crontab {
  readonly variables: Readonly<Record<string, string>>;
  readonly jobs: readonly { readonly schedule: string; readonly command: string }[];
}

function readCrontab(text: string): Crontab {
  // cron ignores a last line without a line end, or rejects the file.
  expect(text).toMatch(/\n$/);
  const variables: Record<string, string> = {};
  const jobs: Crontab['jobs'][number][] = [];
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    const [, schedule = '', command = ''] = /^((?:\S+\s+){5})(.*)$/.exec(line) ?? [];
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (name !== undefined) variables[name] = value;
    else jobs.push({ schedule: schedule.trim(), command });
  }
  return { variables, jobs };
}

describe.each(['crontab', 'crontab-compare'])('%s', (name) => {
  const { variables, jobs } = readCrontab(example(name));
  const { schedule = '', command = '' } = jobs[0] ?? {};

  it('runs once a day, when the bills are ready in the platform time zone', () => {
    expect(jobs).toHaveLength(1);
    expect(dailyTime(schedule) > DEFAULT_READY_TIME).toBe(true);
    expect(variables.CRON_TZ).toBe(DEFAULT_TIME_ZONE);
  });

  // cron replaces % with a line end.
  it('contains no unescaped %', () => expect(command).not.toMatch(/(?<!\\)%/));

  it('finds mop and node in the directory of npm, which is not in the PATH of cron', () => {
    expect(command).toMatch(/\bmop bill fetch /);
    expect(variables.PATH?.split(':')).toContain('/usr/local/bin');
  });
});

it('crontab contains a valid mop command', async () => {
  const [job] = readCrontab(example('crontab')).jobs;
  expect(await billsOf(shellWords(job?.command ?? ''))).toEqual(crossed('all'));
});

describe('crontab-compare', () => {
  const { variables, jobs } = readCrontab(example('crontab-compare'));
  const { command = '' } = jobs[0] ?? {};

  it("fetches yesterday's bill", async () => {
    const [, fetch = ''] = /\$\((mop bill fetch .*?) 2>&1 && /.exec(command) ?? [];
    expect(await billsOf(shellWords(fetch))).toEqual(['2026-11-19 all']);
  });

  it.each<{ fetch: number; compare: number; mail: string }>([
    { fetch: 0, compare: 0, mail: '' },
    { fetch: 0, compare: EXIT_CODES.differs, mail: 'out compare\nerr compare\n' },
    { fetch: 0, compare: EXIT_CODES.usage, mail: 'out compare\nerr compare\n' },
    { fetch: EXIT_CODES.network, compare: 0, mail: 'out fetch\nerr fetch\n' },
    { fetch: EXIT_CODES['not-ready'], compare: 0, mail: 'out fetch\nerr fetch\n' },
    { fetch: EXIT_CODES['no-bill'], compare: 0, mail: 'out fetch\nerr fetch\n' },
  ])('mails $mail after $fetch and $compare', async ({ fetch, compare, mail }) => {
    const directory = await temporaryDirectory();
    // A successful fetch prints nothing with --quiet. A comparison always prints a report.
    const stub = `#!/bin/sh
case $2 in fetch) code=${fetch};; *) code=${compare};; esac
[ "$2 $code" = 'fetch 0' ] || { echo "out $2"; echo "err $2" >&2; }
exit $code
`;
    writeFileSync(join(directory, 'mop'), stub, { mode: 0o755 });
    expect(command.startsWith('cd /srv && ')).toBe(true);
    const line = command.replace('/srv', directory);
    const path = `PATH='${directory}':$PATH`;
    expect(await run('sh', ['-c', `${path}\n${line}`])).toEqual({ code: 0, output: mail });
  });

  it('mails the error for a missing directory', async () => {
    const line = command.replace('/srv', join(await temporaryDirectory(), 'missing'));
    expect((await run('sh', ['-c', line])).output).toContain('missing');
  });

  it('sets the address for the mail', () => expect(variables.MAILTO).toMatch(/^\S+@\S+$/));

  it('compares with the settings of the topic', async () => {
    const { stdout } = await mop(['help', 'scheduling']);
    const { env } = await configuration();
    const stored = [...stdout.matchAll(/^ {2}mop (config set compare_.*)$/gm)];
    expect(stored).toHaveLength(2);
    for (const [, words = ''] of stored) {
      expect(await mop(words.split(' '), { env })).toMatchObject({ code: 0 });
    }
  });
});

// --- systemd ---

/** The last value of each key in a unit, such as `Service.ExecStart`. */
function readUnit(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  let section = '';
  for (const line of text.split('\n')) {
    if (/^[#;]|^\s*$/.test(line)) continue;
    const [, header] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (key !== undefined) values[`${section}.${key}`] = value;
    else throw new Error(`neither section nor key: ${line}`);
  }
  return values;
}

function systemdReaction(unit: Readonly<Record<string, string>>): (code: number) => Reaction {
  const codes = (key: string): number[] => (unit[key] ?? '').split(' ').map(Number);
  const well = codes('Service.SuccessExitStatus');
  const stop = codes('Service.RestartPreventExitStatus');
  expect([...well, ...stop].filter((code) => !known.has(code))).toEqual([]);
  expect(unit['Service.Restart']).toBe('on-failure');
  return (code) => (well.includes(code) ? 'well' : stop.includes(code) ? 'stop' : 'again');
}

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a program in a separate environment. */
function run(program: string, args: readonly string[], stdin = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH };
    const child = execFile(program, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
    child.stdin?.on('error', () => {}).end(stdin);
  });
}

/** The messages of systemd about the units, without messages about other units of the machine. */
async function systemdVerify(service: string, timer: string): Promise<string[]> {
  const directory = await temporaryDirectory();
  const program = join(directory, 'mop');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const units = {
    'mop-bill.service': service.replace('/usr/local/bin/mop', program),
    'mop-bill.timer': timer,
  };
  const paths = Object.entries(units).map(([name, text]) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  });
  const { output } = await run('systemd-analyze', ['--man=no', 'verify', ...paths]);
  return output.split('\n').filter((line) => line.includes('mop-bill'));
}

const NO_SYSTEMD = 'systemd-analyze is not installed';

describe('mop-bill.service and mop-bill.timer', () => {
  const service = example('mop-bill.service');
  const timer = example('mop-bill.timer');
  const unit = readUnit(service);
  const timing = readUnit(timer);

  it('run a valid mop command', async () => {
    const command = unit['Service.ExecStart'] ?? '';
    // The words mean the same in systemd and a shell: no specifiers, variables or quotes.
    expect(command).toMatch(/^\/[\w/. -]+$/);
    expect(await billsOf(command.split(' '))).toEqual(crossed('all'));
  });

  it('use a restart setting that is valid for Type=oneshot', () => {
    // systemd rejects Restart=always for this type.
    expect([unit['Service.Type'], unit['Service.Restart']]).toEqual(['oneshot', 'on-failure']);
  });

  it('retry temporary failures only', () => expectReactions(systemdReaction(unit)));

  it('run when the bills are ready in the platform time zone', () => {
    const [, time = '', zone] =
      /^\*-\*-\* (\d\d:\d\d):00 (\S+)$/.exec(timing['Timer.OnCalendar'] ?? '') ?? [];
    expect(time > DEFAULT_READY_TIME).toBe(true);
    expect(zone).toBe(DEFAULT_TIME_ZONE);
  });

  it('are valid for systemd', async ({ skip }) => {
    skip(!installed('systemd-analyze'), NO_SYSTEMD);
    expect(await systemdVerify(service, timer)).toEqual([]);
    const calendar = timing['Timer.OnCalendar'] ?? '';
    expect(await run('systemd-analyze', ['calendar', calendar])).toMatchObject({ code: 0 });
  });
});

describe('the report of a failed unit', () => {
  const script = example('mop-notify.sh');

  it('is sent by a valid unit, after four attempts', async ({ skip }) => {
    const unit = readUnit(example('mop-bill.service'));
    expect(unit['Unit.OnFailure']).toBe('mop-notify@%N.service');
    expect(unit).toMatchObject({ 'Unit.StartLimitBurst': '4', 'Unit.StartLimitIntervalSec': '6h' });
    skip(!installed('systemd-analyze'), NO_SYSTEMD);
    const directory = await temporaryDirectory();
    const path = join(directory, 'mop-notify@.service');
    writeFileSync(
      path,
      example('mop-notify@.service').replace('/usr/local/bin/mop-notify', '/bin/true'),
    );
    const instance = join(directory, 'mop-notify@mop-bill.service');
    const { output } = await run('systemd-analyze', ['--man=no', 'verify', instance]);
    expect(output.split('\n').filter((line) => line.includes('mop-notify'))).toEqual([]);
  });

  /** Sends a text to a robot at this path, which answers with `answer`. */
  const report = async (path: string, answer: string, text: string) => {
    const { url, requests } = await serve((_, response) => response.end(answer));
    const command = `WEBHOOK='${url}/${path}'; export WEBHOOK; sh -s -- "$0" <<'EOF'\n${script}EOF`;
    const ran = await run('sh', ['-c', command, text]);
    return { ...ran, bodies: requests.map(({ body }) => JSON.parse(body)) };
  };

  beforeEach(({ skip }) => skip(!installed('curl'), 'curl is not installed'));

  it.each([
    [
      'robot/send?access_token=x',
      { msgtype: 'text', text: { content: 'mop: 忙' } },
      '{"errcode":0}',
    ],
    ['feishu/v2/hook/x', { msg_type: 'text', content: { text: 'mop: 忙' } }, '{"code":0}'],
  ])('is the message of the robot at %s', async (path, body, answer) => {
    expect(await report(path, answer, 'mop: 忙')).toEqual({ code: 0, output: '', bodies: [body] });
  });

  it('is valid JSON of the last three lines, for any text', async () => {
    const text = 'first\nmop: "a\\b"\tc\nmop: 1 of 2 bills failed\nhint: next';
    const { bodies } = await report('x', '{"errcode":0}', text);
    expect(bodies[0].text.content.trim()).toBe('mop: ab c mop: 1 of 2 bills failed hint: next');
  });

  it('fails when the robot refuses it with HTTP 200', async () => {
    const answer = '{"errcode":310000,"errmsg":"keywords not in content"}';
    const { code, output } = await report('x', answer, 'text');
    expect([code, output]).toEqual([1, `mop-notify: ${answer}\n`]);
  });
});

it('mop-alerts.yml uses metrics and states that mop writes', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'mop.prom');
  const { env: config } = await configuration();
  const { env } = await sandbox([], { now: () => AT, rows: 1 });
  const world = { env: { ...env, ...config }, now: () => AT };
  await mop(['bill', 'fetch', '-q', '-o', `${directory}/`], world);
  await mop(['bill', 'status', directory, '-q', '--prometheus', path], world);
  const metrics = readFileSync(path, 'utf8');
  const rules = parseDocument(example('mop-alerts.yml'), { strict: true });
  expect([rules.errors, rules.warnings]).toEqual([[], []]);
  const expressions: string[] = rules
    .toJS()
    .groups[0].rules.map(({ expr }: { expr: string }) => expr);
  const written = new Set(metrics.match(/^mop_\w+/gm));
  expect(new Set(expressions.join(' ').match(/\bmop_\w+/g))).toEqual(
    new Set([...written].filter((name) => name !== 'mop_bill_bytes')),
  );
  for (const state of ['missing', 'changed']) expect(metrics).toContain(`state="${state}"`);
});

describe('systemd', () => {
  beforeEach(({ skip }) => skip(!installed('systemd-analyze'), NO_SYSTEMD));

  it.each([
    ['RestartSec=', 'RestartSek='],
    ['RestartSec=10min', 'RestartSec=soon'],
    ['Restart=on-failure', 'Restart=always'],
    ['/usr/local/bin/mop', 'mop-that-is-not-there'],
    ['10:15:00', '25:15:00'],
  ])('rejects %s written as %s', async (right, wrong) => {
    const units = [example('mop-bill.service'), example('mop-bill.timer')];
    const [service = '', timer = ''] = units.map((text) => text.replace(right, wrong));
    expect([service, timer]).not.toEqual(units);
    expect(await systemdVerify(service, timer)).not.toEqual([]);
  });
});

// --- Kubernetes ---

/**
 * Reads a manifest as strictly as `kubectl apply` does.
 *
 * @throws For invalid YAML, a value that does not fit the schema, or an unknown field.
 */
function readManifest(text: string): CronJob | Job {
  const document = parseDocument(text, { strict: true });
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake) throw mistake;
  const data = document.toJS();
  const model = data.kind === 'CronJob' ? new CronJob(data) : new Job(data);
  const read = new Set<string>();
  // The schema accepts unknown fields, but its code never reads them.
  model.validate.call(watched(model, '', read));
  const unread = paths(model, '').filter((path) => !read.has(path));
  if (unread.length > 0) throw new Error(`unknown fields: ${unread}`);
  return model;
}

/** Wraps a value, to record the paths that are read. */
function watched<T>(value: T, path: string, read: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      read.add(`${path}/${String(key)}`);
      return watched(Reflect.get(target, key), `${path}/${String(key)}`, read);
    },
  });
}

/** The paths of all fields of a value. */
function paths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${path}/${key}`,
    ...paths(inner, `${path}/${key}`),
  ]);
}

function jobSpecOf({ spec }: CronJob | Job): IJobSpec {
  const job = spec && 'jobTemplate' in spec ? spec.jobTemplate.spec : spec;
  if (!job) throw new Error('no specification of a job');
  return job;
}

/** The command of the container, with variables replaced as in Kubernetes. */
function containerWords({ template }: IJobSpec, env: Record<string, string> = {}): string[] {
  const [container, ...others] = template.spec?.containers ?? [];
  expect(others).toEqual([]);
  const { command = [], args = [] } = container ?? {};
  // `$(NAME)` without a value is unchanged, and `$$` becomes `$`.
  return [...command, ...args].map((word) =>
    word.replace(/\$(?:\$|\(([^)]*)\))/g, (whole, name) =>
      name === undefined ? '$' : (env[name] ?? whole),
    ),
  );
}

function kubernetesReaction({ podFailurePolicy }: IJobSpec): (code: number) => Reaction {
  return (code) => {
    const rule = podFailurePolicy?.rules.find(({ onExitCodes }) => {
      const listed = onExitCodes?.values.includes(code);
      return onExitCodes && (onExitCodes.operator === 'In' ? listed : !listed);
    });
    return rule && /^Fail/.test(rule.action) ? 'stop' : 'again';
  };
}

describe.each(FILES.filter((name) => name.endsWith('.yaml')))('%s', (name) => {
  const text = example(name);
  const manifest = (): CronJob | Job => readManifest(text);
  const job = (): IJobSpec => jobSpecOf(manifest());

  it('fits the schema', () => expect(manifest).not.toThrow());

  it('has the same value in YAML 1.1, the version of Kubernetes', () => {
    const older = parseDocument(text, { version: '1.1', strict: true });
    expect([older.errors, older.warnings]).toEqual([[], []]);
    expect(older.toJS()).toEqual(parseDocument(text).toJS());
  });

  it('fulfils the additional checks of the server', () => {
    const { backoffLimitPerIndex, completionMode, podFailurePolicy, template } = job();
    expect(manifest().metadata?.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/);
    const { restartPolicy, containers = [], volumes = [] } = template.spec ?? {};
    expect(restartPolicy).toBe('Never');
    for (const { volumeMounts = [], image } of containers) {
      for (const mount of volumeMounts)
        expect(volumes.map(({ name }) => name)).toContain(mount.name);
      expect(image).toMatch(/:[\d.]+$/);
      expect(image).toContain(`:${VERSION}`);
    }
    // Only an indexed job counts failures per index.
    if (backoffLimitPerIndex !== undefined) expect(completionMode).toBe('Indexed');
    for (const { action, onExitCodes } of podFailurePolicy?.rules ?? []) {
      const { values = [], containerName } = onExitCodes ?? {};
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      expect(values.filter((code) => !known.has(code) || code === 0)).toEqual([]);
      expect(containers.map(({ name }) => name)).toContain(containerName);
      if (action === 'FailIndex') expect(backoffLimitPerIndex).toBeDefined();
    }
  });

  it('runs a valid mop command', async () => {
    const { completionMode, completions, parallelism } = job();
    const commandOf = (index: number) =>
      containerWords(job(), { JOB_COMPLETION_INDEX: `${index}` });
    if (completionMode === 'Indexed') {
      // One pod for each share. The command contains the number of shares.
      expect([completions, parallelism]).toEqual([8, 8]);
      await expectShares(commandOf, 'paid', 'refund');
    } else {
      expect(await billsOf(commandOf(0))).toEqual(crossed('all'));
    }
  });

  it('retries temporary failures only', () => expectReactions(kubernetesReaction(job())));

  it('retries a terminated pod, for example when a node is drained', () => {
    expect(kubernetesReaction(job())(EXIT_CODES.terminated)).toBe('again');
  });

  if (text.includes('kind: CronJob')) {
    it('runs once a day, when the bills are ready in the platform time zone', () => {
      const { schedule = '', timeZone } = (manifest() as CronJob).spec ?? {};
      expect(dailyTime(schedule) > DEFAULT_READY_TIME).toBe(true);
      expect(timeZone).toBe(DEFAULT_TIME_ZONE);
    });
  }
});

it.each([
  ['cronjob.yaml', 'schedule:', 'schedul:'],
  ['cronjob.yaml', 'timeZone:', 'timezone:'],
  ['cronjob.yaml', 'backoffLimit: 3', 'backoffLimit: "3"'],
  ['cronjob.yaml', 'concurrencyPolicy: Forbid', 'concurrencyPolicy: Never'],
  ['cronjob.yaml', 'action: FailJob', 'action: Fail'],
  ['cronjob.yaml', 'onExitCodes:', 'onExitCode:'],
  ['cronjob.yaml', 'values: [1,', 'values: [one,'],
  ['cronjob.yaml', '"60"', '60'],
  ['cronjob.yaml', 'kind: CronJob', 'kind: Cronjob'],
  ['cronjob.yaml', '  timeZone: Asia/Shanghai\n', '  timeZone: A\n  timeZone: B\n'],
  ['indexed-job.yaml', 'backoffLimitPerIndex: 3', 'backoffLimitPerIndices: 3'],
  ['indexed-job.yaml', 'completionMode: Indexed', 'completionMode: indexed'],
  ['indexed-job.yaml', 'completions: 8', 'completions: eight'],
  ['indexed-job.yaml', 'volumeMounts:', 'volumemounts:'],
  ['indexed-job.yaml', 'mountPath: /bills', 'path: /bills'],
  ['indexed-job.yaml', 'restartPolicy: Never', 'restartPolicy: never'],
  ['indexed-job.yaml', 'template:', 'templates:'],
])('%s is rejected with %j written as %j', (name, right, wrong) => {
  const text = example(name);
  expect(text).toContain(right);
  expect(() => readManifest(text.replace(right, wrong))).toThrow();
});

// --- Many workers ---

it('the commands for GNU parallel fetch each bill once', async () => {
  const [, first, last, command = ''] =
    /^seq (\d+) (\d+) \| parallel (mop .*)\n$/.exec(example('parallel.sh')) ?? [];
  expect([first, last]).toEqual(['0', '7']);
  await expectShares((index) => shellWords(command.replaceAll('{}', `${index}`)), 'all');
});

describe('the lines for Airflow', () => {
  const snippet = async (): Promise<string> => {
    const { stdout } = await mop(['help', 'scheduling']);
    const [, lines = ''] = /^In Airflow.*\n\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
    return lines.replace(/^ {2}/gm, '');
  };

  const expanded = async (): Promise<string[]> => {
    const [, command = '', count] =
      /f"([^"\\]*)" for i in range\((\d+)\)/.exec(await snippet()) ?? [];
    return Array.from({ length: Number(count) }, (_, i) => command.replaceAll('{i}', `${i}`));
  };

  it('produce commands that fetch each bill once', async () => {
    const commands = await expanded();
    expect(commands).toHaveLength(8);
    await expectShares((index) => shellWords(commands[index] ?? ''), 'all');
  });

  it('are valid Python, and produce the expected commands', async ({ skip }) => {
    skip(!installed('python3'), 'python3 is not installed');
    // Airflow is not installed: only the arguments of the operator are checked.
    const script = `
import ast, json, sys
source = sys.stdin.read()
ast.parse(source)
class BashOperator:
    def partial(task_id): return BashOperator()
    def expand(self, bash_command): print(json.dumps(bash_command))
exec(source)`;
    const { code, output } = await run('python3', ['-c', script], await snippet());
    expect([code, JSON.parse(output)]).toEqual([0, await expanded()]);
  });
});

// --- Nightly runs ---

it('a failed nightly run exits with the codes that the examples handle', async () => {
  const directory = await temporaryDirectory();
  const [job] = readCrontab(example('crontab')).jobs;
  const argv = argvOf(shellWords(job?.command ?? ''), directory);
  let now = AT;
  const night = async (env: Record<string, string>): Promise<number> => {
    now = AT;
    const sleep = async (ms: number): Promise<void> => {
      // The clock has a resolution of one millisecond.
      now += Math.ceil(ms);
    };
    return (await mop(argv, { env, now: () => now, sleep })).code;
  };
  const { env } = await sandbox([], { now: () => now, rows: 1 });
  // Otherwise the first night fetches three months.
  const recorded = DAYS.slice(0, -3).map((day) => JSON.stringify(noBillEntry(day, 'all')));
  writeFileSync(join(directory, 'bills.jsonl'), `${recorded.join('\n')}\n`);
  const stored = [...DAYS.slice(-3).map((day) => `bill_${day}_all.csv`), 'bills.jsonl'];
  expect(await night(env)).toBe(0);
  expect(readdirSync(directory).sort()).toEqual(stored);

  // From here on one bill is missing, and each night it fails for another reason.
  const service = systemdReaction(readUnit(example('mop-bill.service')));
  const cronjob = kubernetesReaction(jobSpecOf(readManifest(example('cronjob.yaml'))));
  const withFault = async (fault: string) =>
    (await sandbox([fault], { now: () => now, rows: 1 })).env;
  const nights: [Record<string, string>, number, Reaction, Reaction][] = [
    [await withFault('code=2000'), EXIT_CODES.api, 'stop', 'stop'],
    [await withFault('http=503'), EXIT_CODES.network, 'again', 'again'],
    [await withFault('corrupt'), EXIT_CODES.integrity, 'again', 'again'],
    [(await withoutLink()).env, EXIT_CODES['not-ready'], 'well', 'again'],
    [{}, EXIT_CODES.config, 'stop', 'stop'],
  ];
  rmSync(join(directory, 'bill_2026-11-19_all.csv'));
  for (const [env, expected, ofService, ofCronjob] of nights) {
    const code = await night(env);
    expect([code, service(code), cronjob(code)]).toEqual([expected, ofService, ofCronjob]);
  }
  expect(await night(env)).toBe(0);
  expect(readdirSync(directory).sort()).toEqual(stored);
});

/** A platform with late bills. */
function withoutLink() {
  return scriptedPlatform({ descriptor: { download_url: undefined } });
}
