import { describe, expect, test } from 'vitest';
import { areaUnderCurve, rates } from '../../../bench/quality.js';
import { MIN_SCORE } from '../../../src/protocol/detection.ts';
import { publicRows, type Row, writtenRows } from '../../../training/rows.ts';
import { detector } from './support.ts';

const scored = (rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, ...detector.assess(row.text) }));

describe('the rules, on the texts used to write them', () => {
  const rows = scored([...publicRows(), ...writtenRows()]);
  const precision = (hit: typeof rows) =>
    hit.filter(({ label }) => label === 'risky').length / hit.length;

  test.each(['en', 'zh'])('%s: of the texts that they match, 95 %% are risky', (lang) => {
    const hit = rows.filter((row) => row.lang === lang && row.hits.length > 0);
    expect(hit.length).toBeGreaterThan(300);
    expect(precision(hit)).toBeGreaterThanOrEqual(0.95);
  });

  test('of the texts that each rule matches, 95 % are risky (rules with 20 matches or more)', () => {
    const poor = detector.rules.filter((rule) => {
      const hit = rows.filter(({ hits }) => hits.some((one) => one.rule === rule));
      return hit.length >= 20 && precision(hit) < 0.95;
    });
    expect(poor.map(({ data }) => data.id)).toEqual([]);
  });
});

/** Limits slightly below `docs/promises.md`, as a guard against regressions. */
describe('held-out texts', () => {
  const rows = scored(writtenRows('held-out'));

  test.each([
    ['en', 0.6, 0.06, 0.91],
    ['zh', 0.75, 0.06, 0.95],
  ])(
    '%s: recall, false positives and area under the curve',
    (lang, recall, falsePositives, area) => {
      const some = rows.filter((row) => row.lang === lang);
      const found = rates(some, MIN_SCORE.medium);
      expect(found.recall).toBeGreaterThanOrEqual(recall);
      expect(found.falsePositives).toBeLessThanOrEqual(falsePositives);
      expect(areaUnderCurve(some)).toBeGreaterThanOrEqual(area);
    },
  );
});
