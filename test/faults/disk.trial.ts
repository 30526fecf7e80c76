/** Every written file, on a disk that is full, read-only, or owned by another user. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, mop, temporaryDirectory } from '../support/cli.ts';
import { BIN, type Ended } from '../support/process.ts';
import { run } from '../trials/processes.ts';
import { isLong } from '../trials/scale.ts';
import { CAN_MOUNT, type SmallDisk, smallDisk } from './small-disk.ts';
import {
  FULL,
  LEDGER_ACROSS_BLOCKS,
  prepareIn,
  WRITERS,
  type Writer,
  type Writing,
} from './writers.ts';

/** Enough blocks for every file. */
const ENOUGH_BLOCKS = 14;

/** Every amount in a long run; in a short run, the smallest ones, some others, and the largest. */
const FREE_BLOCKS = Array.from({ length: ENOUGH_BLOCKS + 1 }, (_, blocks) => blocks).filter(
  (blocks) => isLong || blocks < 4 || blocks % 5 === 4,
);

const NAMED = WRITERS.map((writer) => [writer.name, writer] as const);

const execute = ({ args, env }: Writing): Promise<CliResult> => mop(args, { env });

/** Asserts exit code 13, the reason, and a hint. */
function expectIoError({ code, stderr }: Ended | CliResult, reason: RegExp, where = ''): void {
  const [hint = '', subject = ''] = stderr.trim().split('\n').reverse();
  expect(code, where).toBe(13);
  expect(hint, where).toMatch(/^hint: ./);
  expect(subject, where).toMatch(/^mop: ./);
  expect(subject, where).toMatch(reason);
}

describe('on a separate disk', () => {
  let disk: SmallDisk;

  beforeEach(async ({ skip }) => {
    skip(!CAN_MOUNT, 'only root can mount a disk');
    disk = await smallDisk();
  });

  // Node's stream for a file would report success.
  it('output that fits only in part is an error', () => {
    disk.fill(1);
    const file = openSync(join(disk.directory, 'output'), 'w');
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'help', 'scheduling'], {
      env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', file, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(file);
    expectIoError({ code: status, stdout: '', stderr }, /standard output: ENOSPC/);
  });

  describe.each(NAMED)('%s', (_, writer) => {
    it('is old or new with little free space, and new with enough', async () => {
      const codes: number[] = [];
      for (const blocks of FREE_BLOCKS) {
        const writing = await prepareIn(disk.directory, writer, `${blocks}`);
        const where = `with ${blocks} blocks left`;
        disk.fill(blocks);
        const result = await execute(writing);
        const state = await writing.state();
        codes.push(result.code);
        if (result.code !== 0) expectIoError(result, FULL, where);
        expect(result.code === 0 ? ['after'] : ['before', 'between'], where).toContain(state);

        disk.clear();
        expect((await execute(writing)).code, where).toBe(0);
        expect(await writing.state(), where).toBe('after');
      }
      expect([codes[0], codes.at(-1)]).toEqual([13, 0]);
    });

    it('stays old on a read-only disk', async () => {
      const writing = await prepareIn(disk.directory, writer);
      disk.makeReadOnly();
      expectIoError(await execute(writing), /read-only/);
      expect(await writing.state()).toBe('before');
    });
  });

  it('the ledger contains no partial line when the disk is full', async () => {
    const writing = await prepareIn(disk.directory, LEDGER_ACROSS_BLOCKS);
    disk.fill();
    expect((await execute(writing)).code).toBe(13);
    expect(await writing.state()).toBe('before');
  });

  it('the ledger continues after a line that did not fit', async () => {
    const writing = await prepareIn(disk.directory, LEDGER_ACROSS_BLOCKS);
    disk.fill();
    expectIoError(await execute(writing), FULL);
    disk.clear();
    expect((await execute(writing)).code).toBe(0);
    const lines = readFileSync(writing.target, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ date: '2026-11-19', status: 'stored' });
  });

  it.each<[string, (disk: SmallDisk) => void]>([
    ['full', (disk) => disk.fill()],
    ['read-only', (disk) => disk.makeReadOnly()],
  ])('commands that only read work when it is %s', async (_, breakDisk) => {
    const writings: Writing[] = [];
    for (const writer of WRITERS) {
      const writing = await prepareIn(disk.directory, writer, writer.name);
      expect((await execute(writing)).code).toBe(0);
      writings.push(writing);
    }
    breakDisk(disk);
    const [bill, , config, accounts] = writings as [Writing, Writing, Writing, Writing];
    expect(await execute(bill)).toMatchObject({ stdout: expect.stringContaining('unchanged') });
    const lines: [Writing, readonly string[]][] = [
      [bill, bill.args],
      [bill, ['bill', 'verify', dirname(bill.target)]],
      [bill, ['bill', 'status', dirname(bill.target)]],
      [config, ['config', 'get', 'timezone']],
      [accounts, ['account', 'find', '--user', 'ann']],
      [accounts, ['account', 'list']],
    ];
    for (const [writing, args] of lines) {
      expect(await execute({ ...writing, args }), args.join(' ')).toMatchObject({ code: 0 });
    }
  });
});

describe('without permission', () => {
  /**
   * Root may write anywhere, so tests as root use another user.
   */
  const id = process.getuid?.() === 0 ? 65_534 : undefined;
  let version: Promise<Pick<Ended, 'code'>> | undefined;
  let directory: string;

  beforeEach(async ({ skip }) => {
    version ??= run({ args: ['--version'], env: {} }, { id }).catch(() => ({ code: 1 }));
    skip((await version).code !== 0, 'other users cannot read this directory');
    directory = await temporaryDirectory();
  });

  async function prepare(writer: Writer): Promise<Writing> {
    const writing = await prepareIn(directory, writer);
    if (id !== undefined) execFileSync('chown', ['-R', `${id}:${id}`, directory]);
    return writing;
  }

  it.each(NAMED)('to write, %s stays old; with permission it is new', async (_, writer) => {
    const writing = await prepare(writer);
    const parent = dirname(writing.target);
    // Write permission for the directory allows replacing its files; a ledger is appended to.
    chmodSync(writing.target, 0o400);
    chmodSync(parent, 0o500);
    expectIoError(await run(writing, { id }), /permission denied/);
    expect(await writing.state()).toBe('before');

    chmodSync(parent, 0o700);
    chmodSync(writing.target, 0o600);
    expect(await run(writing, { id })).toMatchObject({ code: 0 });
    expect(await writing.state()).toBe('after');
  });

  it.each(WRITERS.filter(({ name }) => ['a bill', 'the ledger', 'the accounts'].includes(name)))(
    'to read, $name is unchanged',
    async (writer) => {
      const writing = await prepare(writer);
      const before = readFileSync(writing.target);
      chmodSync(writing.target, 0);
      expectIoError(await run(writing, { id }), /permission denied/);
      expect(statSync(writing.target).mode & 0o777).toBe(0);
      expect(readFileSync(writing.target).equals(before)).toBe(true);
    },
  );
});
