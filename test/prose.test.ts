/** Checks every source and page with the rules of writing in CONTRIBUTING.md. */
import { expect, it } from 'vitest';
import { faultsOf, filesWithProse } from '../scripts/prose/check.js';

const names = filesWithProse();

it('reads sources, tests and pages', () => {
  expect(names.length).toBeGreaterThan(1000);
  for (const name of ['README.md', 'src/index.ts', 'test/prose.test.ts']) {
    expect(names).toContain(name);
  }
});

it('finds no fault in any sentence or name', () => {
  expect(names.flatMap(faultsOf)).toEqual([]);
});
