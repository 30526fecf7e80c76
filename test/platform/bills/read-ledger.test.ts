import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { compactLedger } from '../../../src/platform/bills/compact-ledger.ts';
import {
  LEDGER_NAME,
  type LedgerEntry,
  latestStored,
  parseLine,
} from '../../../src/platform/bills/ledger.ts';
import { Ledgers } from '../../../src/platform/bills/read-ledger.ts';
import { currentEntry } from '../../../src/platform/bills/state.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import {
  appendLedger,
  entriesIn,
  newestOf,
  noBillLine,
  placeBill,
  storedLine,
  writeLedger,
} from './support.ts';

const OPTIONS = { mode: 0o600 };
const FILES = ['a.csv', 'b.csv', 'é.csv', 'with "quotes".csv', 'C:d.csv'];

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, LEDGER_NAME);
});

/** Only a few bills and files, so that lines supersede each other. */
const entry: fc.Arbitrary<LedgerEntry> = fc
  .record({
    date: fc.constantFrom('2026-11-18', '2026-11-19'),
    type: fc.constantFrom('all', 'paid'),
    profile: fc.constantFrom('default', 'fleet "é"'),
    environment: fc.constantFrom('production', 'sandbox'),
    file: fc.constantFrom(null, ...FILES),
    seq_id: fc.string({ maxLength: 3 }),
  })
  .map((some) => (some.file ? storedLine(some) : { ...noBillLine(some.date), ...some }));

const line = fc.oneof(
  { weight: 5, arbitrary: entry.map((entry) => JSON.stringify(entry)) },
  // The same line in the format of another program.
  entry.map((entry) => JSON.stringify(Object.fromEntries(Object.entries(entry).reverse()))),
  entry.map((entry) => JSON.stringify({ ...entry, note: 'x' })),
  entry.map((entry) => JSON.stringify({ ...entry, hash_value: null })),
  entry.map((entry) => JSON.stringify({ ...entry, status: 'moved' })),
  entry.map((entry) => `${JSON.stringify(entry)}\r`),
  entry.map((entry) => JSON.stringify(entry).replace(/\d+,"hash_type/, '007,"hash_type')),
  entry.map((entry) => JSON.stringify(entry).replace(/\}$/, ',"file":"/etc/passwd"}')),
  fc.constantFrom('', 'a remark', '{', JSON.stringify(storedLine({ file: '..' }))),
);
const ledger = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', ''))
  .map(([lines, end]) => Buffer.from(lines.join('\n') + end));

function everyEntry(bytes: Uint8Array): LedgerEntry[] {
  return Buffer.from(bytes)
    .toString()
    .split('\n')
    .map((line) => parseLine(line))
    .filter((entry) => typeof entry !== 'string');
}

describe('the entries that count', () => {
  it('are the newest of each bill and file, in one read or several', async () => {
    const cuts = fc.array(fc.nat(3000), { maxLength: 4 });
    const property = fc.asyncProperty(ledger, cuts, async (bytes, cuts) => {
      const ledgers = new Ledgers();
      rmSync(path, { force: true });
      for (const cut of [...cuts, bytes.length].sort((one, other) => one - other)) {
        const written = bytes.subarray(0, cut);
        const rest = written.subarray(sizeOf(path));
        writeFileSync(path, rest, { flag: 'a' });
        const entries = (await ledgers.read(directory)).entries();
        expect(entries).toEqual(newestOf(everyEntry(written)));
      }
      expect(await entriesIn(directory)).toEqual(newestOf(everyEntry(bytes)));
    });
    await fc.assert(property, { seed: 20_261_125 });
  });

  it('give the same answers as the whole ledger, before and after a compaction', async () => {
    for (const file of FILES.slice(1)) placeBill(directory, file);
    const property = fc.asyncProperty(ledger, async (bytes) => {
      writeFileSync(path, bytes);
      const all = everyEntry(bytes);
      const ledgers = new Ledgers();
      const expectSame = async () => {
        const ledger = await ledgers.read(directory);
        const entries = ledger.entries();
        expect(sorted(latestStored(entries))).toEqual(sorted(latestStored(all)));
        for (const { profile, environment, date, type } of all) {
          const owner = { profile, environment };
          const asked = [owner, { date, type }] as const;
          expect(currentEntry(directory, entries, ...asked)).toEqual(
            currentEntry(directory, all, ...asked),
          );
        }
      };
      await expectSame();
      await compactLedger(directory);
      await expectSame();
    });
    await fc.assert(property, { seed: 20_261_126, numRuns: 50 });
  });
});

it.each([0, 5])('stops reading when its signal aborts, after %i turns', async (turns) => {
  writeLedger(
    directory,
    Array.from({ length: 20_000 }, (_, n) => storedLine({ file: `${n}.csv` })),
  );
  const controller = new AbortController();
  const reading = entriesIn(directory, controller.signal);
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  controller.abort('stopped');
  await expect(reading).rejects.toBe('stopped');
});

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function sorted(map: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}

describe('a run', () => {
  const dates = async (ledgers: Ledgers) =>
    (await ledgers.read(directory)).entries().map(({ date }) => date);

  it('reads the lines that another run adds meanwhile', async () => {
    const ledgers = new Ledgers();
    expect(await dates(ledgers)).toEqual([]);
    await appendLedger(directory, storedLine({ date: '2026-11-18' }), OPTIONS);
    expect(await dates(ledgers)).toEqual(['2026-11-18']);
    await appendLedger(directory, storedLine({ date: '2026-11-19' }), OPTIONS);
    expect(await dates(ledgers)).toEqual(['2026-11-18', '2026-11-19']);
  });

  it.each<[string, () => void]>([
    ['removed', () => rmSync(path)],
    ['cut', () => writeLedger(directory, [storedLine({ date: '2026-11-17' })])],
    [
      'replaced',
      () => {
        const text = readFileSync(path, 'utf8').replaceAll('2026-11-18', '2026-11-16');
        writeFileSync(`${path}.new`, `${text}${JSON.stringify(storedLine())}\n`);
        renameSync(`${path}.new`, path);
      },
    ],
  ])('reads a ledger anew that was %s', async (_, change) => {
    writeLedger(directory, [
      storedLine({ date: '2026-11-18' }),
      storedLine({ date: '2026-11-18', type: 'paid' }),
    ]);
    const ledgers = new Ledgers();
    await dates(ledgers);
    change();
    expect(await dates(ledgers)).toEqual((await entriesIn(directory)).map(({ date }) => date));
  });

  it('reports a directory in its place, and reads the ledger that replaces it', async () => {
    const ledgers = new Ledgers();
    mkdirSync(path);
    await expect(ledgers.read(directory)).rejects.toMatchObject({ code: 'io' });
    rmSync(path, { recursive: true });
    writeLedger(directory, [storedLine({ date: '2026-11-18' })]);
    expect(await dates(ledgers)).toEqual(['2026-11-18']);
  });
});

describe('the bytes that are read', () => {
  /** The number of bytes that `work` reads through open files. */
  async function bytesRead(work: () => Promise<unknown>): Promise<number> {
    const file = await open(join(directory, 'other'), 'w+');
    const prototype: FileHandle = Object.getPrototypeOf(file);
    await file.close();
    const reads = vi.spyOn(prototype, 'read');
    try {
      await work();
      const results = await Promise.all(reads.mock.results.map(({ value }) => value));
      return results.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    } finally {
      reads.mockRestore();
    }
  }

  const next = storedLine({ date: '2026-11-20' });
  const lineBytes = JSON.stringify(next).length + 1;

  it.each([1, 10, 5000])('for an append do not depend on the ledger: %i lines', async (lines) => {
    writeLedger(directory, new Array(lines).fill(storedLine()));
    expect(await bytesRead(() => appendLedger(directory, next, OPTIONS))).toBe(1);
  });

  it.each([1, 10, 5000])('for a later read are only new lines: %i lines', async (lines) => {
    writeLedger(directory, new Array(lines).fill(storedLine()));
    const ledgers = new Ledgers();
    const all = statSync(path).size;
    expect(await bytesRead(() => ledgers.read(directory))).toBe(all);
    expect(await bytesRead(() => ledgers.read(directory))).toBe(0);
    await appendLedger(directory, next, OPTIONS);
    expect(await bytesRead(() => ledgers.read(`${directory}/`))).toBe(lineBytes);
  });
});
