import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { type BillScript, sandbox, scriptedPlatform } from '../../../support/platform.ts';
import { envelope } from '../../../support/server.ts';
import { configuration } from '../../support.ts';

const SEQ_ID = '[0-9a-f-]{36}';

let out: string;

beforeEach(async () => {
  out = join(await temporaryDirectory(), 'my bills');
});

const fetch = (args: readonly string[], world: CliWorld = {}) =>
  mop(['bill', 'fetch', '-o', `${out}/`, ...args], world);

/** Standard error without the frames of the progress. */
const linesOf = (stderr: string) =>
  stripVTControlCharacters(stderr).match(/(?:mop|hint): .*/g) ?? [];

describe('a failed bill', () => {
  const REASON = 'the platform answered 1001: .*';
  const listed = [
    expect.stringMatching(`^mop: 2 bills: ${REASON}$`),
    expect.stringMatching(`^  2026-11-16 all  seq_id ${SEQ_ID}$`),
    expect.stringMatching(`^  2026-11-17 all  seq_id ${SEQ_ID}$`),
    'mop: 2 of 4 bills failed',
    expect.stringMatching('^hint: '),
    '',
  ];

  it('is reported once on a terminal after the table, with its reason and seq_id', async () => {
    const { env } = await sandbox(['code=1001:2']);
    const args = ['--last', '4', '--concurrency', '1'];
    const { code, stderr } = await fetch(args, { env, stderrIsTerminal: true });
    expect(code).toBe(5);
    const text = stripVTControlCharacters(stderr);
    expect(text.slice(text.indexOf('mop: ')).split('\n')).toEqual(listed);
    const shown = stripVTControlCharacters(stderr);
    expect(shown).toContain('x 2026-11-16 all  the platform answered 1001');
    expect(shown).toContain('+ 2026-11-19 all  ');
  });

  it('is reported once, immediately, without a terminal and with --quiet', async () => {
    const { env } = await sandbox(['code=1001:2']);
    const args = ['--last', '4', '--concurrency', '1'];
    const plain = (await fetch(args, { env })).stderr.trim().split('\n');
    expect(plain).toEqual([
      expect.stringMatching(`^2026-11-16 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      expect.stringMatching(`^2026-11-17 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      'mop: 2 of 4 bills failed',
      expect.stringMatching('^hint: '),
    ]);
    const faulty = await sandbox(['code=1001:2']);
    const quiet = await fetch([...args, '--quiet', '--overwrite'], { env: faulty.env });
    expect(quiet.stderr.split('\n')).toEqual(listed);
  });

  it('is the error of the command when it is the only one', async () => {
    const { env } = await sandbox(['code=1001']);
    for (const stderrIsTerminal of [false, true]) {
      const { stderr } = await fetch([], { env, stderrIsTerminal });
      expect(linesOf(stderr)).toHaveLength(2);
      expect(stripVTControlCharacters(stderr)).toMatch(
        new RegExp(`mop: ${REASON} \\(seq_id ${SEQ_ID}\\)$`, 'm'),
      );
      expect(stderr.match(/answered 1001/g)).toHaveLength(1);
    }
  });

  it('is listed under a shared reason, with its seq_id', async () => {
    const { env } = await sandbox(['code=1001']);
    const args = ['--last', '2', '--type', 'all', '--type', 'paid', '--quiet'];
    const { stderr } = await fetch(args, { env });
    const names = ['18 all', '18 paid', '19 all', '19 paid'];
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(`^mop: 4 bills: ${REASON}$`),
      ...names.map((name) => expect.stringMatching(`^  2026-11-${name}  seq_id ${SEQ_ID}$`)),
      'mop: 4 of 4 bills failed',
      expect.stringMatching('^hint: '),
      '',
    ]);
  });

  it('is listed under a reason that differs only in date and file name', async () => {
    mkdirSync(out);
    for (const day of [18, 19]) writeFileSync(join(out, `bill_2026-11-${day}_all.csv`), 'other');
    const { env } = await sandbox();
    const { stderr } = await fetch(['--last', '2', '--quiet'], { env });
    expect(stderr).toMatch(/^mop: 2 bills: the file exists with other content and was kept\n/);
  });

  it('is counted separately from bills that are not ready, and its hint comes first', async () => {
    const { env } = await scriptedPlatform({
      call: (response, number) => envelope(response, number === 0 ? 0 : 1001),
    });
    const args = ['2026-11-19', '2026-11-18', '--concurrency', '1'];
    const { code, stderr } = await fetch(args, { env });
    expect(code).toBe(12);
    expect(stderr).toMatch(
      /\nmop: 1 of 2 bills failed, 1 not ready\nhint: (?!run the command again later)/,
    );
  });

  it('names its profile with --all-profiles, even one without credentials', async () => {
    const { env } = await configuration({ profiles: { north: {} } });
    const { stderr } = await fetch(['--all-profiles', '--last', '2'], { env });
    expect(stderr).toMatch(
      /^mop: 2 bills: no api_key.*\n {2}north 2026-11-18 all\n {2}north 2026-11-19 all$/m,
    );
    expect(stderr).toMatch(/\nmop: 2 of 2 bills failed\nhint: .*mop config init -p north$/m);
  });

  it('leaves --json unchanged: one document, one error', async () => {
    const { env } = await sandbox(['code=1001']);
    const { stderr } = await fetch(['--last', '2', '--json'], { env });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr).error.message).toMatch(/^2 of 2 bills failed, for example: the /);
  });
});

it('reports a day without trades that is the only bill of a run', async () => {
  const { env } = await sandbox();
  const { code, stdout } = await fetch(['--from', '2026-10-13', '--to', '2026-10-13'], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/2026-10-13 +all +no-bill/);
});

describe('an interrupted run', () => {
  /** Ends the run when the platform is asked for its fourth bill; the third is refused. */
  const interrupt = async (
    args: readonly string[],
    code: 'interrupted' | 'terminated',
    { descriptor = {}, ...world }: CliWorld & Pick<BillScript, 'descriptor'> = {},
  ) => {
    const controller = new AbortController();
    const error = new MopError(code, code);
    const { env } = await scriptedPlatform({
      descriptor,
      call: (response, number, _request, good) => {
        if (number < 2) response.end(good);
        else if (number === 2) envelope(response, 1001);
        else controller.abort(error);
      },
    });
    const options = { env, signal: controller.signal, ...world };
    return fetch([...args, '--concurrency', '1'], options);
  };
  const REFUSED = `mop: 2026-11-10 all: the platform answered 1001.* \\(seq_id ${SEQ_ID}\\)`;

  it('reports its progress', async () => {
    const { code, stderr } = await interrupt(['--from', '2026-11-08'], 'interrupted');
    expect(code).toBe(130);
    expect(linesOf(stderr)).toEqual([
      'mop: interrupted: 2 of 12 bills done, 1 failed',
      expect.stringMatching('^hint: run the same command again'),
    ]);
  });

  it('reports earlier failures with --quiet', async () => {
    const { code, stderr } = await interrupt(['--last', '12', '--quiet'], 'terminated');
    expect(code).toBe(143);
    expect(stderr).toMatch(
      new RegExp(`^${REFUSED}\nmop: terminated: 2 of 12 bills done, 1 failed\nhint: .*\n$`),
    );
  });

  it('reports earlier failures on a terminal, without secrets', async () => {
    const args = ['--from', '2026-11-08', '--download-header', 'X-Token: token-canary-99'];
    const world = { descriptor: { hash_type: undefined, hash_value: undefined } };
    const { stderr } = await interrupt(args, 'interrupted', { ...world, stderrIsTerminal: true });
    const text = stripVTControlCharacters(stderr);
    expect(text).toMatch(new RegExp(`${REFUSED}$`, 'm'));
    expect(text).not.toContain('token-canary');
  });

  it('by --max-time reports its progress, and announces no other attempt', async () => {
    const { env } = await scriptedPlatform({ call: () => {} });
    const { code, stderr } = await fetch(['--last', '2', '--max-time', '0.2'], { env });
    expect(code).toBe(6);
    expect(stderr).toMatch(/^mop: not done within 0\.2 s \(--max-time\): 0 of 2 bills done$/m);
    expect(stderr).not.toContain('trying again');
  });
});
