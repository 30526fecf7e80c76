import { inspect } from 'node:util';
import { expect, it } from 'vitest';

/**
 * Checks each row of a table in turn, in one test. The test fails with the errors of all failed
 * rows, each with the name of its row. Use `it.each` for a check that needs a separate context.
 */
export async function checkRows<const Row>(
  rows: readonly Row[],
  check: (row: Row) => unknown,
  name: (row: Row) => string = shown,
): Promise<void> {
  expect(rows).not.toHaveLength(0);
  const errors: unknown[] = [];
  for (const row of rows) {
    try {
      await check(row);
    } catch (error) {
      errors.push(named(name(row), error));
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} rows failed`);
}

/** A test that only calls {@link checkRows}. */
export function testTable<Row>(
  title: string,
  rows: readonly Row[],
  name: (row: Row) => string,
  check: (row: Row) => unknown,
): void {
  it(title, () => checkRows(rows, check, name));
}

/**
 * Runs checks concurrently, for checks that mostly wait. Fails with the errors of all failed
 * checks.
 */
export async function checkTogether(
  checks: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const errors: unknown[] = [];
  await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      check().catch((error: unknown) => errors.push(named(name, error))),
    ),
  );
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} checks failed`);
}

function shown(row: unknown): string {
  return inspect(row, { breakLength: Infinity, maxStringLength: 200 });
}

/** Adds the name of a check before its error; keeps the difference of an assertion. */
function named(name: string, error: unknown): unknown {
  if (error instanceof Error) error.message = `${name}: ${error.message}`;
  return error;
}
