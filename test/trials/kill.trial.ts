/**
 * Kills processes with SIGKILL at any moment. die-at-step.cjs defines steps, and
 * processes.ts selects moments.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { processNamespace, processStart } from '../../src/files/abandoned.ts';
import { LEDGER_NAME } from '../../src/platform/bills/ledger.ts';
import { configuration, SECRET } from '../cli/support.ts';
import { storedLine } from '../platform/bills/support.ts';
import { mop, temporaryDirectory } from '../support/cli.ts';
import { pointAt } from '../support/platform.ts';
import { type BillPlatform, billPlatform, checkLedger, fileOf } from './bills.ts';
import { type CommandLine, killAtMoments, type Victim } from './processes.ts';
import { times } from './scale.ts';

const KILLS = times(5, 100);

describe('bill fetch', () => {
  // With --force, the days do not depend on the clock.
  const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18'];
  /** The file of this day exists with other content, and must be replaced. */
  const [REPLACED = ''] = DAYS;
  const OLD = Buffer.from('old content\n');

  interface World extends CommandLine {
    readonly out: string;
  }

  async function prepare({ url, bill }: BillPlatform, placed: boolean): Promise<World> {
    const directory = await temporaryDirectory();
    const out = join(directory, 'out');
    mkdirSync(out);
    if (placed) {
      for (const day of DAYS) await writeFile(join(out, fileOf(day)), bill(day).original);
    } else {
      await writeFile(join(out, fileOf(REPLACED)), OLD);
    }
    const args = ['bill', 'fetch', ...DAYS, '--force', '--overwrite', '-o', `${out}/`];
    const env = { ...pointAt(url), MOP_CONFIG_DIR: join(directory, 'config') };
    return { args: [...args, '--concurrency', '2', '--quiet'], env, out };
  }

  /** Files are old or new, and the ledger contains only existing files. */
  function check({ out }: World, platform: BillPlatform): string {
    const names = readdirSync(out);
    const parts = names.filter((name) => name.startsWith('.mop-part-'));
    const ignored = [...parts, 'bills.jsonl', '.mop-ledger.lock'];
    const others = names.filter((name) => !ignored.includes(name));
    const placed = DAYS.filter((day) => {
      const path = join(out, fileOf(day));
      if (!existsSync(path)) return false;
      const bytes = readFileSync(path);
      if (bytes.equals(OLD) && day === REPLACED) return false;
      expect(bytes.equals(platform.bill(day).original), `${path} is complete`).toBe(true);
      return true;
    });
    const expected = new Set([fileOf(REPLACED), ...placed.map(fileOf)]);
    expect(others.sort()).toEqual([...expected].sort());

    const { dates, fragments, tail } = checkLedger(out, platform);
    expect(fragments).toEqual([]);
    expect(placed).toEqual(expect.arrayContaining([...dates]));
    if (tail !== '') return 'line incomplete';
    if (dates.length === DAYS.length) return 'all recorded';
    if (dates.length > 0) return 'some recorded';
    if (placed.length > 0) return 'placed';
    return parts.length > 0 ? 'downloading' : 'nothing done';
  }

  /** The same command fetches all bills, and leaves no other file. */
  async function recover({ args, env, out }: World, platform: BillPlatform): Promise<void> {
    expect(await mop(args, { env })).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(out).sort()).toEqual([...DAYS.map(fileOf), 'bills.jsonl']);
    for (const day of DAYS) {
      const bytes = readFileSync(join(out, fileOf(day)));
      expect(bytes.equals(platform.bill(day).original), `the bill of ${day} is complete`).toBe(
        true,
      );
    }
    const { dates, fragments, tail } = checkLedger(out, platform);
    expect([[...new Set(dates)].sort(), tail]).toEqual([DAYS, '']);
    expect(fragments).toEqual([]);
    expect((await mop(['bill', 'verify', out])).code).toBe(0);
  }

  const victim = (
    platform: BillPlatform,
    placed: boolean,
    facts: Pick<Victim<World>, 'seed' | 'steps'>,
  ): Victim<World> => ({
    ...facts,
    prepare: () => prepare(platform, placed),
    check: async (world) => check(world, platform),
    recover: (world) => recover(world, platform),
  });

  it('leaves each bill old or new, and the next run fetches all', async () => {
    const platform = await billPlatform({ rows: times(3000, 8000), pieces: 8 });
    const steps = ['mkdir 1', 'partial write 2', 'rename 1', 'append 1', 'partial append 2'];
    const phases = await killAtMoments(victim(platform, false, { seed: 1, steps }), KILLS);
    const expected = ['nothing done', 'downloading', 'placed', 'line incomplete'];
    expect(phases).toEqual(expect.arrayContaining(expected));
  });

  it('leaves only the last line of the ledger incomplete, and the next run adds missing lines', async () => {
    const platform = await billPlatform({ rows: 3 });
    const steps = ['append 1', 'partial append 1', 'partial append 2', 'sync 3'];
    const phases = await killAtMoments(victim(platform, true, { seed: 2, steps }), KILLS);
    const expected = ['placed', 'line incomplete', 'all recorded'];
    expect(phases).toEqual(expect.arrayContaining(expected));
  });
});

it.skipIf(!existsSync('/proc/self/stat'))(
  'bill fetch removes the temporary file of a zombie process',
  async () => {
    const platform = await billPlatform({ rows: 3 });
    const out = await temporaryDirectory();
    // `sleep` replaces the shell and never waits for the child. The child ends when its input is
    // closed, and remains a zombie.
    const script = 'exec 3<&0; (read -r x <&3) & echo $!; exec sleep 300';
    const parent = spawn('sh', ['-c', script]);
    onTestFinished(() => {
      parent.kill('SIGKILL');
    });
    const [line] = await once(parent.stdout, 'data');
    const dead = Number(line);
    const program = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8');
    await vi.waitFor(() => expect(program()).toBe('sleep\n'), { timeout: 30_000 });
    parent.stdin.end();
    await vi.waitFor(() => expect(processStart(dead)).toBe('ended'), { timeout: 30_000 });
    const machine = createHash('sha256').update(processNamespace()).digest('hex').slice(0, 8);
    await writeFile(join(out, `.mop-part-${machine}-${dead}.1-1`), '');
    const args = ['bill', 'fetch', '2026-11-18', '-o', `${out}/`];
    expect((await mop(args, { env: pointAt(platform.url) })).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([fileOf('2026-11-18'), 'bills.jsonl']);
  },
);

describe('bill compact', () => {
  const [superseded, kept] = ['old', 'new'].map((seq_id) => JSON.stringify(storedLine({ seq_id })));
  const compacted = `not JSON\n${kept}\n`;
  const old = [...new Array(3000).fill(superseded), compacted].join('\n');

  async function prepare() {
    const directory = await temporaryDirectory();
    const path = join(directory, LEDGER_NAME);
    await writeFile(path, old, { mode: 0o600 });
    const env = { MOP_CONFIG_DIR: join(directory, 'config') };
    return { args: ['bill', 'compact', directory], env, directory, path };
  }

  it('leaves the ledger old or new, and the next run cleans up', async () => {
    const victim: Victim<Awaited<ReturnType<typeof prepare>>> = {
      seed: 5,
      steps: ['mkdir 1', 'partial write 1', 'rename 1', 'rmdir 2'],
      prepare,
      check: async ({ directory, path }) => {
        const content = readFileSync(path, 'utf8');
        expect([old, compacted]).toContain(content);
        const isWriting = readdirSync(directory).some((name) => name.startsWith('.mop-part-'));
        return `${content === old ? 'old' : 'new'}${isWriting ? ', writing' : ''}`;
      },
      recover: async ({ args, env, directory, path }) => {
        // The remark in the ledger is a damaged line.
        const stderr = expect.stringContaining('damaged');
        expect(await mop(args, { env })).toMatchObject({ code: 0, stderr });
        expect(readFileSync(path, 'utf8')).toBe(compacted);
        expect(readdirSync(directory)).toEqual([LEDGER_NAME]);
      },
    };
    const phases = await killAtMoments(victim, KILLS);
    expect(phases).toEqual(expect.arrayContaining(['old', 'old, writing', 'new']));
  });
});

describe('config set', () => {
  const profile = { api_key: 'k', api_secret: SECRET };
  const old = { profiles: { default: { ...profile, timezone: 'UTC' } } };
  const changed = { profiles: { default: { ...profile, timezone: 'Asia/Tokyo' } } };

  async function prepare() {
    const { env, directory, path } = await configuration(old);
    return { args: ['config', 'set', 'timezone', 'Asia/Tokyo'], env, directory, path };
  }
  type World = Awaited<ReturnType<typeof prepare>>;

  const content = ({ path }: World): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const isTemporary = (name: string): boolean => name.startsWith('config.json.tmp-');

  const victim: Victim<World> = {
    seed: 3,
    steps: ['mkdir 1', 'partial write 1', 'rename 1', 'rm 1', 'rmdir 1'],
    prepare,
    check: async (world) => {
      const { directory } = world;
      for (const name of readdirSync(directory).filter((name) => name !== 'config.json.lock')) {
        expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
      }
      expect([old, changed]).toContainEqual(content(world));
      const names = readdirSync(directory);
      if (names.some(isTemporary)) return 'writing';
      const age = isDeepStrictEqual(content(world), old) ? 'old' : 'new';
      return names.includes('config.json.lock') ? `${age}, locked` : age;
    },
    recover: async (world) => {
      const { args, env, directory } = world;
      expect(await mop(args, { env })).toMatchObject({ code: 0 });
      expect(content(world)).toEqual(changed);
      expect(readdirSync(directory)).toEqual(['config.json']);
    },
  };

  it('leaves the file old or new, and no lock that blocks the next run', async () => {
    const phases = await killAtMoments(victim, KILLS);
    expect(phases).toEqual(expect.arrayContaining(['old', 'writing', 'new, locked']));
  });
});

describe('account link', () => {
  const MOBILE = '13800000001';
  const DATABASE = 'accounts.db';
  const JOURNAL = `${DATABASE}-journal`;
  const before = [{ user: 'ann', openId: 'o-1', mobile: MOBILE, status: 'linked' }];
  const after = [
    { user: 'ann', openId: 'o-1', mobile: null, status: 'linked' },
    { user: 'bob', openId: 'o-2', mobile: MOBILE, status: 'linked' },
  ];

  async function prepare(template: string) {
    const directory = await temporaryDirectory();
    for (const name of [DATABASE, JOURNAL]) {
      copyFileSync(join(template, name), join(directory, name));
    }
    // Moves the number from one user to the other, completely or not at all.
    const args = ['account', 'link', '--user', 'bob', '--openid', 'o-2', '--mobile', MOBILE];
    return { args: [...args, '--move', '--json'], env: { MOP_CONFIG_DIR: directory }, directory };
  }
  type World = Awaited<ReturnType<typeof prepare>>;

  async function links({ env }: World): Promise<unknown> {
    const { code, stdout } = await mop(['account', 'list', '--json'], { env });
    expect(code).toBe(0);
    return JSON.parse(stdout);
  }

  it('moves the number completely or not at all, and reports it only when it is stored', async () => {
    const template = dirname((await configuration()).directory);
    const ann = ['--user', 'ann', '--openid', 'o-1', '--mobile', MOBILE];
    await mop(['account', 'link', ...ann], { env: { MOP_CONFIG_DIR: template } });

    const phases = await killAtMoments<World>(
      {
        seed: 4,
        steps: ['mkdir 1', 'partial write 2', 'ftruncate 1', 'rm 2'],
        prepare: () => prepare(template),
        check: async (world, { stdout }) => {
          const isHot = statSync(join(world.directory, JOURNAL)).size > 0;
          const found = await links(world);
          expect(stdout === '' ? [before, after] : [after]).toContainEqual(found);
          return `${(found as unknown[]).length === 1 ? 'old' : 'new'}${isHot ? ', in doubt' : ''}`;
        },
        recover: async (world) => {
          expect(await mop(world.args, { env: world.env })).toMatchObject({ code: 0 });
          expect(await links(world)).toEqual(after);
          expect(readdirSync(world.directory).sort()).toEqual([DATABASE, JOURNAL]);
          const database = new sqlite.Database(join(world.directory, DATABASE), { readOnly: true });
          try {
            expect(database.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
          } finally {
            database.close();
          }
        },
      },
      KILLS,
    );
    expect(phases).toEqual(expect.arrayContaining(['old', 'old, in doubt', 'new']));
  });
});
