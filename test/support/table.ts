import { expect, it } from 'vitest';

/**
 * One test for a table of cheap checks. It runs every row, and its failure lists each row that
 * failed. A check whose failure needs its own context belongs in `it.each`.
 */
export function testTable<Row>(
  title: string,
  rows: readonly Row[],
  name: (row: Row) => string,
  check: (row: Row) => unknown,
): void {
  it(title, async () => {
    expect(rows).not.toHaveLength(0);
    const failures: string[] = [];
    for (const row of rows) {
      try {
        await check(row);
      } catch (error) {
        failures.push(`${name(row)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    expect(failures).toEqual([]);
  });
}
