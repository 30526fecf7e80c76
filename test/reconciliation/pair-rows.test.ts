import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areEqual,
  type ComparedRow,
  pairRows,
  type Tolerance,
} from '../../src/reconciliation/pair-rows.ts';

const rowsOf = (amounts: readonly (readonly string[])[]): ComparedRow[] =>
  amounts.map((each, at) => ({ key: ['k'], amounts: each, path: 'rows', line: at + 1 }));

const amount = fc.constantFrom('', '0', '1', '1.0', '1.4', '1.5', '2', '2.5', '-1', '100', '101');
const rows = fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 5 });

const TOLERANCES: readonly (Tolerance | undefined)[] = [
  undefined,
  { kind: 'amount', amount: { units: 0, scale: 0 } },
  { kind: 'amount', amount: { units: 5, scale: 1 } },
  { kind: 'part', part: { units: 1, scale: 2 } },
  { kind: 'part', part: { units: 1, scale: 0 } },
];

/** The largest number of equal pairs, by trying all of them; then the largest number of exact ones. */
function best(
  [first, ...others]: readonly ComparedRow[],
  records: readonly ComparedRow[],
  tolerance: Tolerance | undefined,
): readonly [pairs: number, exact: number] {
  if (!first) return [0, 0];
  const found = records.flatMap((row, at) => {
    if (!areEqual(first, row, tolerance)) return [];
    const [pairs, exact] = best(others, records.toSpliced(at, 1), tolerance);
    return [[pairs + 1, exact + Number(areEqual(first, row, undefined))] as const];
  });
  return [best(others, records, tolerance), ...found].reduce((a, b) =>
    b[0] > a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a,
  );
}

it('finds as many pairs as any other choice, and accounts for each row once', () =>
  fc.assert(
    fc.property(rows, rows, fc.constantFrom(...TOLERANCES), (bill, records, tolerance) => {
      const [ours, theirs] = [rowsOf(bill), rowsOf(records)];
      const { matched, differences } = pairRows(ours, theirs, tolerance);
      expect(matched).toBe(best(ours, theirs, tolerance)[0]);
      const lines = (side: 'bill' | 'records') =>
        differences.flatMap((difference) => difference[side]?.line ?? []);
      for (const [side, all] of [
        ['bill', ours],
        ['records', theirs],
      ] as const) {
        expect(new Set(lines(side)).size).toBe(lines(side).length);
        expect(matched + lines(side).length).toBe(all.length);
      }
      for (const { kind, bill: a, records: b } of differences) {
        expect(kind).toBe(a && b ? 'different' : 'duplicate');
        if (a && b) expect(areEqual(a, b, tolerance)).toBe(false);
      }
    }),
    { seed: 20261128, numRuns: 300 },
  ));

it('prefers exact pairs to pairs within the tolerance', () => {
  const tolerance = TOLERANCES[2];
  const { matched, differences } = pairRows(
    rowsOf([['1.4'], ['9']]),
    rowsOf([['1'], ['1.4']]),
    tolerance,
  );
  expect(matched).toBe(1);
  expect(differences).toEqual([
    { kind: 'different', bill: rowsOf([[''], ['9']])[1], records: rowsOf([['1']])[0] },
  ]);
});

it('pairs many rows of one key in the order of their amounts', () => {
  const bill = rowsOf(Array.from({ length: 500 }, (_, at) => [`${at}.00`]));
  const records = rowsOf(Array.from({ length: 501 }, (_, at) => [`${500 - at}.01`]));
  const tolerance: Tolerance = { kind: 'amount', amount: { units: 1, scale: 2 } };
  expect(pairRows(bill, records, tolerance).matched).toBe(500);
  expect(pairRows(bill, records, undefined).matched).toBe(0);
  expect(pairRows(bill, bill.toReversed(), undefined)).toEqual({ matched: 500, differences: [] });
});
