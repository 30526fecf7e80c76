import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareBill } from '../../src/reconciliation/compare-bill.ts';
import type { Entry } from '../../src/reconciliation/entry-reader.ts';
import { SortedEntries } from '../../src/reconciliation/sorted-entries.ts';
import { expectFailure, failureOf, fileOf, openFiles, withTmpdir } from './support.ts';

/** A few of these reach the maximum number of characters in a run. */
const LONG = 'x'.repeat(6 * 1024 ** 2);

const keys = fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'z', '上', '🚕', '\uffff'), {
  maxLength: 12,
});

it('sorts by key, then by line, with and without stored runs', async () => {
  await fc.assert(
    fc.asyncProperty(keys, fc.boolean(), async (sortKeys, isLong) => {
      const entries = sortKeys.map((sortKey, at) => ({
        sortKey,
        line: at + 1,
        key: [sortKey, `${at}`],
        amounts: [`${at}.50`],
        row: isLong ? LONG : '',
      }));
      expect(shortened(await sortedOf(entries))).toEqual(shortened(entries.toSorted(inOrder)));
    }),
    { seed: 20261123, numRuns: 3 },
  );
});

it('sorts many runs of many entries', async () => {
  const entries = Array.from({ length: 3000 }, (_, at) => ({
    sortKey: String((at * 7919) % 1009),
    line: at,
    key: ['k'],
    amounts: [],
    row: at % 250 === 0 ? LONG : '',
  }));
  const sorted = await sortedOf(entries, 100);
  const lines = (of: readonly Entry[]) => of.map(({ line }) => line);
  expect(lines(sorted)).toEqual(lines(entries.toSorted(inOrder)));
});

function inOrder(a: Entry, b: Entry): number {
  if (a.sortKey === b.sortKey) return a.line - b.line;
  return a.sortKey < b.sortKey ? -1 : 1;
}

async function sortedOf(entries: readonly Entry[], together = 1): Promise<Entry[]> {
  const { key = [], amounts = [] } = entries[0] ?? {};
  const sorting = new SortedEntries({ key, amounts });
  try {
    for (let at = 0; at < entries.length; at += together) {
      await sorting.add(entries.slice(at, at + together));
    }
    const sorted: Entry[] = [];
    for await (const batch of sorting.sorted()) sorted.push(...batch);
    return sorted;
  } finally {
    await sorting.close();
  }
}

/** A failed comparison of long texts would take minutes to print. */
function shortened(entries: readonly Entry[]) {
  return entries.map(({ row, ...entry }) => ({ ...entry, row: row.length }));
}

/** Each row is a chunk; three rows reach the limit of a run. */
async function* longBill(note: string, last: string): AsyncGenerator<Uint8Array> {
  for (const at of [7, 3, 9, 1, 8, 2, 6]) {
    yield Buffer.from(`{"id":"${at}","amount":${at}.50,"note":"${note}"}\n`);
  }
  yield Buffer.from(last);
}

const LAST = '{"id":"5","amount":5.5}';
const RECORDS = ['9,9.5', '2,2.00', '1,1.5', '4,4', '7,7.500', '6,6.5', '8,8.5', '6,1'].join('\n');

async function compareLong(note: string, directory: string, more: Partial<Long> = {}) {
  const { last = LAST, onProgress, signal } = more;
  const differences: unknown[] = [];
  const comparison = await compareBill({
    bill: { path: 'bill', content: longBill(note, last) },
    records: fileOf(`id,amount\n${RECORDS}\n`, { path: 'records' }),
    key: ['id'],
    amounts: ['amount'],
    out: join(directory, 'out'),
    onProgress,
    signal,
    onDifference: ({ kind, bill, records }) =>
      differences.push([kind, bill?.line, bill?.amounts, records?.line, records?.amounts]),
  });
  return { comparison, differences };
}

interface Long {
  readonly last: string;
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

it('compares long rows with the same result as short ones', () =>
  withTmpdir(async (directory) => {
    const short = await compareLong('x', directory);
    expect(short.comparison).toMatchObject({ matched: 5, onlyInBill: 2, duplicates: 1 });
    const different = await readFile(join(directory, 'out', 'different.csv'), 'utf8');
    expect(await compareLong(LONG, directory)).toEqual(short);
    expect(await readFile(join(directory, 'out', 'different.csv'), 'utf8')).toBe(different);
    const onlyInBill = await readFile(join(directory, 'out', 'only-in-bill.csv'), 'utf8');
    expect(onlyInBill === `id,amount,note\n3,3.50,${LONG}\n5,5.5,\n`).toBe(true);
    await expectNothingIn(directory);
  }));

it('leaves no temporary files after an error', () =>
  withTmpdir(async (directory) => {
    const last = '{"id":"5","amount":"x"}';
    const work = compareLong(LONG, directory, { last });
    await expectFailure(work, 'bill, line 8, column amount: "x" is not a decimal number');
    await expectNothingIn(directory);
  }));

it('leaves no temporary files when its signal aborts', () =>
  withTmpdir(async (directory) => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const onProgress = (rows: number) => rows === 7 && stop.abort(reason);
    const work = compareLong(LONG, directory, { onProgress, signal: stop.signal });
    expect(await failureOf(work)).toBe(reason);
    await expectNothingIn(directory);
  }));

/** Neither a named file nor an open unnamed one remains. */
async function expectNothingIn(directory: string): Promise<void> {
  const names = await readdir(directory);
  expect(names.filter((name) => name !== 'out')).toEqual([]);
  expect(await openFiles(directory)).toEqual([]);
}
