import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EntryStore, PARTITIONS } from '../../src/reconciliation/entry-store.ts';
import { joinEntries } from '../../src/reconciliation/join.ts';
import { withTmpdir } from './support.ts';

const LARGE_MEMORY = 2 ** 30;

/** A hash with many collisions: keys with the same length share it. */
const hashOf = (key: string): number => (key.length * 0x21ffffff) | 0;

async function storeOf(keys: readonly string[], maxBytes: number): Promise<EntryStore> {
  const store = new EntryStore(maxBytes);
  for (const [line, key] of keys.entries()) {
    const bytes = Buffer.from(key);
    store.begin(hashOf(key), line, bytes.length, 1);
    store.add(bytes, 0, bytes.length);
    if (line % 1000 === 0) await store.limitMemory();
  }
  await store.limitMemory();
  return store;
}

/** The lines of each key on both sides. */
async function joined(bill: readonly string[], records: readonly string[], maxBytes: number) {
  const [ours, theirs] = [await storeOf(bill, maxBytes), await storeOf(records, maxBytes)];
  const groups: [number[], number[]][] = [];
  try {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const [a, b] = [await ours.take(partition), await theirs.take(partition)];
      const add = (left: readonly number[], right: readonly number[]) =>
        groups.push([left.map((at) => a.line(at)), right.map((at) => b.line(at))]);
      joinEntries(a, b, { onPair: (at, other) => add([at], [other]), onGroup: add });
    }
  } finally {
    await ours.close();
    await theirs.close();
  }
  return groups.map((group) => JSON.stringify(group)).sort();
}

function reference(bill: readonly string[], records: readonly string[]): string[] {
  const linesOf = (keys: readonly string[], key: string) =>
    keys.flatMap((other, line) => (other === key ? [line] : []));
  return [...new Set([...bill, ...records])]
    .map((key) => JSON.stringify([linesOf(bill, key), linesOf(records, key)]))
    .sort();
}

const keys = fc.array(
  fc.oneof(fc.constantFrom('', 'a', 'b', '上海'), fc.string({ maxLength: 3 })),
  {
    maxLength: 30,
  },
);

it('joins the same rows as a comparison of all keys', () =>
  fc.assert(
    fc.asyncProperty(keys, keys, async (bill, records) => {
      expect(await joined(bill, records, LARGE_MEMORY)).toEqual(reference(bill, records));
    }),
    { seed: 20261128, numRuns: 100 },
  ));

it('joins the same rows when they are stored in a temporary file', () =>
  withTmpdir(async () => {
    const bill = Array.from({ length: 20_000 }, (_, at) => `${'x'.repeat(at % 40)}${at}`);
    const records = bill.map((key) => `${key}`).reverse();
    const groups = await joined(bill, records, 100_000);
    expect(groups).toEqual(await joined(bill, records, LARGE_MEMORY));
    expect(groups).toHaveLength(20_000);
  }));
