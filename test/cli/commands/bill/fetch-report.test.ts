import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureLines } from '../../../../src/cli/commands/bill/failure-lines.ts';
import { MopError } from '../../../../src/errors.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { sandbox, scriptedPlatform } from '../../../support/platform.ts';
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

  it('is reported once on a terminal after the table, with its reason and seq_id', async () => {
    const { env } = await sandbox(['code=1001:2']);
    const args = ['--last', '4', '--concurrency', '1'];
    const { code, stderr } = await fetch(args, { env, stderrIsTerminal: true });
    expect(code).toBe(5);
    expect(linesOf(stderr)).toEqual([
      expect.stringMatching(`^mop: 2026-11-16 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      expect.stringMatching(`^mop: 2026-11-17 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      'mop: 2 of 4 bills failed',
      expect.stringMatching('^hint: '),
    ]);
    const shown = stripVTControlCharacters(stderr);
    expect(shown).toContain('x 2026-11-16 all  the platform answered 1001');
    expect(shown).toContain('+ 2026-11-19 all  ');
  });

  it('is reported once elsewhere, as it happens, and with --quiet', async () => {
    const { env } = await sandbox(['code=1001:2']);
    const args = ['--last', '4', '--concurrency', '1'];
    const plain = (await fetch(args, { env })).stderr.trim().split('\n');
    expect(plain).toEqual([
      expect.stringMatching(`^2026-11-16 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      expect.stringMatching(`^2026-11-17 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      ...[18, 19].map((day) => expect.stringContaining(`2026-11-${day} all: downloaded, `)),
      'mop: 2 of 4 bills failed',
      expect.stringMatching('^hint: '),
    ]);
    const faulty = await sandbox(['code=1001:2']);
    const quiet = await fetch([...args, '--quiet', '--overwrite'], { env: faulty.env });
    expect(quiet.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(`^mop: 2026-11-16 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      expect.stringMatching(`^mop: 2026-11-17 all: ${REASON} \\(seq_id ${SEQ_ID}\\)$`),
      'mop: 2 of 4 bills failed',
      expect.stringMatching('^hint: '),
    ]);
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

  it('shares a line with others that failed for the same reason', async () => {
    const { env } = await sandbox(['code=1001']);
    const args = ['--last', '90', '--type', 'all', '--type', 'paid', '--quiet'];
    const { stderr } = await fetch(args, { env });
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(
        `^mop: 180 bills: ${REASON} \\(first seq_id ${SEQ_ID}\\): ` +
          'all 2026-08-22 to 2026-11-19; paid 2026-08-22 to 2026-11-19$',
      ),
      'mop: 180 of 180 bills failed',
      expect.stringMatching('^hint: '),
      '',
    ]);
  });

  it('names its profile with --all-profiles, also when that has no credentials', async () => {
    const { env } = await configuration({ profiles: { north: {} } });
    const { stderr } = await fetch(['--all-profiles', '--last', '2'], { env });
    expect(stderr).toContain('mop: north 2026-11-18 all: no api_key');
    expect(stderr).toContain('mop: 2 of 2 bills failed\n');
  });

  it('shares a reason that differs only in the name of the file, and separates days', () => {
    const failed = ['11-01', '11-03', '11-02', '11-07'].map((day) => {
      const target = `bills/${day}.csv`;
      return {
        bill: { settings: { profile: 'north' }, job: { date: `2026-${day}`, type: 'all', target } },
        error: new MopError('io', `${target} of 2026-${day} was kept`),
      };
    }) as unknown as Parameters<typeof failureLines>[0];
    expect(failureLines(failed, true)).toEqual([
      '4 bills: the file of DATE was kept: north all 2026-11-01 to 2026-11-03, 2026-11-07',
    ]);
    expect(failureLines(failed.slice(0, 1), true)).toEqual([
      'north 2026-11-01 all: bills/11-01.csv of 2026-11-01 was kept',
    ]);
  });

  it('leaves --json unchanged: one document, one error', async () => {
    const { env } = await sandbox(['code=1001']);
    const { stderr } = await fetch(['--last', '2', '--json'], { env });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr).error.message).toMatch(/^2 of 2 bills failed, the first with: the /);
  });
});

it('reports a day without trades that is the only bill of a run', async () => {
  const { env } = await sandbox();
  const { code, stdout } = await fetch(['--from', '2026-10-13', '--to', '2026-10-13'], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/2026-10-13 +all +no-bill/);
});

describe('an interrupted run', () => {
  /** Ends the run when the platform is asked for its third bill. */
  const interrupt = async (args: readonly string[], code: 'interrupted' | 'terminated') => {
    const controller = new AbortController();
    const error = new MopError(code, code, { hint: 'nothing half-done was left' });
    const { env } = await scriptedPlatform({
      call: (response, number, _request, good) => {
        if (number < 2) response.end(good);
        else controller.abort(error);
      },
    });
    return fetch([...args, '--concurrency', '1'], { env, signal: controller.signal });
  };

  it('reports how far it got, and the command that resumes it', async () => {
    const { code, stderr } = await interrupt(['--from', '2026-11-08'], 'interrupted');
    expect(code).toBe(130);
    expect(linesOf(stderr)).toEqual([
      'mop: interrupted: 2 of 12 bills done',
      `hint: run it again; finished bills are not downloaded again: mop bill fetch -o '${out}/' --from 2026-11-08 --concurrency 1`,
    ]);
  });

  it('names --missing where the same command would mean other days later', async () => {
    const { code, stderr } = await interrupt(['--last', '12', '--quiet'], 'terminated');
    expect(code).toBe(143);
    expect(stderr).toMatch(
      /^mop: terminated: 2 of 12 bills done\nhint: .*--last 12 --quiet --concurrency 1 \(on a later day with --missing in place of --last\)\n$/,
    );
  });

  it('by --max-time reports it too', async () => {
    const { env } = await scriptedPlatform({ call: () => {} });
    const { code, stderr } = await fetch(['--last', '2', '--max-time', '0.2'], { env });
    expect(code).toBe(6);
    expect(stderr).toMatch(/^mop: not done within 0\.2 s \(--max-time\): 0 of 2 bills done$/m);
  });
});
