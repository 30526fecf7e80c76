import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import { LEDGER_NAME } from '../../src/platform/bills/ledger.ts';
import { detectionObject } from '../detection/support.ts';
import { MD5, placeBill, storedLine, writeLedger } from '../platform/bills/support.ts';
import { mop } from '../support/cli.ts';
import { md5, scriptedPlatform } from '../support/platform.ts';
import { serve } from '../support/server.ts';
import type { CommandLine } from '../trials/processes.ts';

/** A command that replaces an existing file. */
export interface Writing extends CommandLine {
  readonly target: string;
  /**
   * The state of the directory: `before` or `after` the command, or `between`, when some files are
   * new and others old. Fails for any other state, such as a partial or leftover file.
   */
  state(): Promise<'before' | 'between' | 'after'>;
}

export interface Writer {
  readonly name: string;
  /** Creates the files that exist before the command, in an empty directory. */
  prepare(directory: string): Promise<Writing>;
}

/** Matches the message of each writer about a full disk. */
export const FULL = /disk is full|space/;

const DAY = '2026-11-19';
const BILL = `bill_${DAY}_all.csv`;
const OLD = 'old content\n';
const BLOCK = 4096;

/** Several blocks of random content that barely compresses. */
const CONTENT = Buffer.from(
  Array.from({ length: 300 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex')).join(),
);

// With --force, any day works, regardless of the machine's clock.
const fetchArgs = (directory: string): string[] => {
  return ['bill', 'fetch', DAY, '--force', '--overwrite', '-o', `${directory}/`];
};

const bill: Writer = {
  name: 'a bill',
  prepare: async (directory) => {
    const { env } = await scriptedPlatform({
      descriptor: { hash_value: md5(CONTENT) },
      download: (response) => response.end(gzipSync(CONTENT)),
    });
    const target = placeBill(directory, BILL, Buffer.from(OLD));
    const ledger = join(directory, LEDGER_NAME);
    return {
      target,
      args: fetchArgs(directory),
      env,
      state: async () => {
        const names = readdirSync(directory).sort();
        if (readFileSync(target).equals(Buffer.from(OLD))) {
          expect(names).toEqual([BILL]);
          return 'before';
        }
        expect(readFileSync(target).equals(CONTENT)).toBe(true);
        const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8') : '';
        expect(names.filter((name) => name !== LEDGER_NAME)).toEqual([BILL]);
        if (lines === '') return 'between';
        expect(JSON.parse(lines)).toMatchObject({ date: DAY, file: BILL, bytes: CONTENT.length });
        return 'after';
      },
    };
  },
};

/** @param length The length of the ledger before the command. */
function ledgerWriter(name: string, length: number): Writer {
  return {
    name,
    prepare: async (directory) => {
      const { env } = await scriptedPlatform();
      placeBill(directory, BILL);
      const target = join(directory, LEDGER_NAME);
      const entry = storedLine({ date: '2026-11-18' });
      writeLedger(directory, [entry]);
      const padding = 'x'.repeat(length - readFileSync(target).length);
      writeLedger(directory, [{ ...entry, seq_id: entry.seq_id + padding }]);
      const before = readFileSync(target, 'utf8');
      return {
        target,
        args: fetchArgs(directory),
        env,
        state: async () => {
          expect(readdirSync(directory).sort()).toEqual([BILL, LEDGER_NAME]);
          const text = readFileSync(target, 'utf8');
          expect(text.startsWith(before)).toBe(true);
          if (text === before) return 'before';
          const line = JSON.parse(text.slice(before.length));
          expect(line).toMatchObject({ date: DAY, hash_value: MD5 });
          return 'after';
        },
      };
    },
  };
}

const config: Writer = {
  name: 'the configuration',
  prepare: async (directory) => {
    const target = join(directory, 'config.json');
    const profiles = (timezone: string) => ({ profiles: { default: { timezone } } });
    writeFileSync(target, JSON.stringify(profiles('UTC')), { mode: 0o600 });
    return {
      target,
      args: ['config', 'set', 'timezone', 'Asia/Tokyo'],
      env: { MOP_CONFIG_DIR: directory },
      state: async () => {
        // The temporary file of a failed write is removed shortly after the command ends.
        await vi.waitFor(() => expect(readdirSync(directory)).toEqual(['config.json']));
        const content = JSON.parse(readFileSync(target, 'utf8'));
        const isOld = content.profiles.default.timezone === 'UTC';
        expect(content).toEqual(profiles(isOld ? 'UTC' : 'Asia/Tokyo'));
        return isOld ? 'before' : 'after';
      },
    };
  },
};

const accounts: Writer = {
  name: 'the accounts',
  prepare: async (directory) => {
    const env = { MOP_CONFIG_DIR: directory };
    const target = join(directory, 'accounts.db');
    await mop(['account', 'link', '--user', 'ann', '--openid', 'o-1'], { env });
    // Longer than one page.
    const bob = `bob ${'x'.repeat(9000)}`;
    return {
      target,
      args: ['account', 'link', '--user', bob, '--openid', 'o-2'],
      env,
      state: async () => {
        const { code, stdout } = await mop(['account', 'list', '--json'], { env });
        expect(code).toBe(0);
        expect(readdirSync(directory).sort()).toEqual(['accounts.db', 'accounts.db-journal']);
        const users = JSON.parse(stdout).map(({ user }: { user: string }) => user);
        expect([['ann'], ['ann', bob]]).toContainEqual(users);
        return users.length === 1 ? 'before' : 'after';
      },
    };
  },
};

function reportWriter(name: string, option: string, marker: string): Writer {
  return {
    name,
    prepare: async (directory) => {
      const hits = Array.from({ length: 20 }, () => detectionObject().results).flat();
      const answer = JSON.stringify(detectionObject({ results: hits }));
      const { url } = await serve((_, response) => response.end(answer));
      const target = join(directory, 'report');
      writeFileSync(target, OLD);
      return {
        target,
        args: ['detect', 'You only need me.', option, target],
        env: { MOP_DETECT_URL: url },
        state: async () => {
          expect(readdirSync(directory)).toEqual(['report']);
          const text = readFileSync(target, 'utf8');
          if (text === OLD) return 'before';
          expect(text).toContain(marker);
          return 'after';
        },
      };
    },
  };
}

const comparison: Writer = {
  name: 'the files of a comparison',
  prepare: async (directory) => {
    const header = `id,${CONTENT}\n`;
    const bill = join(directory, 'bill.csv');
    writeFileSync(bill, `${header}1${',x'.repeat(300)}\n`);
    const names = ['different.csv', 'only-in-bill.csv', 'only-in-records.csv'];
    const [target = '', ...others] = names.map((name) => join(directory, name));
    for (const path of [target, ...others]) writeFileSync(path, OLD);
    return {
      target,
      args: ['bill', 'compare', bill, '--with', bill, '--key', 'id', '--out', directory],
      env: {},
      state: async () => {
        expect(readdirSync(directory).sort()).toEqual(['bill.csv', ...names]);
        const texts = others.map((path) => readFileSync(path, 'utf8'));
        for (const text of texts) expect([OLD, header]).toContain(text);
        if (readFileSync(target, 'utf8') === OLD) return texts.includes(OLD) ? 'before' : 'between';
        expect(readFileSync(target, 'utf8')).toBe('id,bill_line,records_line,kind\n');
        expect(texts).toEqual([header, header]);
        return 'after';
      },
    };
  },
};

/** Every file that `mop` writes. */
export const WRITERS: readonly Writer[] = [
  bill,
  // The next line of the ledger begins a new block.
  ledgerWriter('the ledger', BLOCK),
  config,
  accounts,
  reportWriter('a JUnit report', '--junit', '</testsuite>'),
  reportWriter('a SARIF report', '--sarif', '"$schema"'),
  comparison,
];

/** A ledger whose next line begins in one block and ends in another. */
export const LEDGER_ACROSS_BLOCKS = ledgerWriter('the ledger', BLOCK - 100);

/** Prepares a new directory in `parent`. */
export async function prepareIn(
  parent: string,
  writer: Writer,
  name = 'directory',
): Promise<Writing> {
  const directory = join(parent, name);
  mkdirSync(directory);
  return writer.prepare(directory);
}
