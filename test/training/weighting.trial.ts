import { describe, expect, test } from 'vitest';
import { bestOf, choiceLines, type Measured, measureCandidates } from '../../training/choose.ts';
import { examplesOf } from '../../training/examples.ts';
import { type Example, fitModel, logOdds } from '../../training/fit.ts';
import { publicRows, type Row, writtenRows } from '../../training/rows.ts';
import { CANDIDATES, CHOSEN, weightOf } from '../../training/weighting.ts';

const VECTOR = { buckets: Int32Array.of(7), values: Float32Array.of(1) };
const example = (target: 0 | 1, rest: Partial<Example> = {}): Example => ({
  vector: VECTOR,
  targets: [target],
  weight: 1,
  writer: undefined,
  ...rest,
});
const times = (count: number, one: Example) => Array.from({ length: count }, () => one);
const sumOf = (examples: readonly Example[]) => logOdds(fitModel(examples, 1), VECTOR)[0] ?? 0;

describe('the fit', () => {
  test('the label with the higher weight wins', () => {
    const both = (risky: number, safe: number) => [
      ...times(50, example(1, { weight: risky })),
      ...times(50, example(0, { weight: safe })),
    ];
    expect(sumOf(both(3, 1))).toBeGreaterThan(0.5);
    expect(sumOf(both(1, 3))).toBeLessThan(-0.5);
  });

  test('the intercept of a writer absorbs a part of its risky texts', () => {
    const texts = (writer?: number) => [...times(50, example(1, { writer })), example(0)];
    expect(sumOf(texts(0))).toBeLessThan(0.9 * sumOf(texts()));
  });

  test('the weights of a head do not depend on the number of heads', () => {
    const rows = writtenRows().slice(0, 50);
    const vectors = rows.map(() => VECTOR);
    const examples = examplesOf(rows, vectors, CHOSEN);
    expect(logOdds(fitModel(examples, 1), VECTOR)[0]).toBe(logOdds(fitModel(examples), VECTOR)[0]);
  });
});

test('each origin has its weight', () => {
  const row = (group: string, lang: Row['lang'], origin: Row['origin'] = 'written') =>
    weightOf(
      { id: `${group}-001`, text: 'x', label: 'safe', origin, group, lang },
      CANDIDATES['by origin'],
    );
  expect({
    'kimi-k2': row('kimi-k2', 'en', 'public'),
    darkbench: row('darkbench', 'en', 'public'),
    a01: row('a01', 'en'),
    'a01, Chinese': row('a01', 'zh'),
    s10: row('s10', 'en'),
    sales: row('sales', 'en'),
    e01: row('e01', 'en'),
  }).toEqual({
    'kimi-k2': 2,
    darkbench: 1,
    a01: 3,
    'a01, Chinese': 1,
    s10: 1.5,
    sales: 1,
    e01: 1,
  });
});

describe('the choice', () => {
  const measured = (name: string, area: number, recall: number, written = 0.9): Measured => ({
    name,
    writers: { one: { areaUnderCurve: area, recall } },
    written: {
      other: { areaUnderCurve: written, recall: 0.5 },
      han: { areaUnderCurve: 0.95, recall: 0.7 },
    },
  });
  const equal = measured('equal', 0.7, 0.3);

  test.each([
    ['the highest area', [measured('a', 0.71, 0.3), measured('b', 0.72, 0.3)], 'b'],
    [
      'not one that loses the written texts',
      [measured('a', 0.71, 0.3), measured('b', 0.8, 0.3, 0.88)],
      'a',
    ],
    [
      'of equal areas the highest recall',
      [measured('a', 0.7102, 0.3), measured('b', 0.7101, 0.4)],
      'b',
    ],
    ['equal weights, if none is better', [measured('a', 0.6, 0.3)], 'equal'],
  ])('%s', (_, others, best) => {
    expect(bestOf([equal, ...others])?.name).toBe(best);
  });

  test('measures each candidate on the public writers with both labels', () => {
    const rows = [
      ...publicRows().filter((_, at) => at % 8 === 0),
      ...writtenRows().filter(({ group }) => group === 'a01'),
    ];
    const all = measureCandidates(rows);
    expect(all.map(({ name }) => name)).toEqual(Object.keys(CANDIDATES));
    expect(Object.keys(all[0]?.writers ?? {})).toEqual(['claude-3.5-sonnet', 'kimi-k2']);
    expect(choiceLines(all)).toHaveLength(all.length + 2);
  });
});
