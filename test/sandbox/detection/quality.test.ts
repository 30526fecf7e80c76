import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { areaUnderCurve, rates } from '../../../bench/quality.js';
import { CATEGORIES, LEAST_SCORE } from '../../../src/protocol/detection.ts';
import { engine } from './support.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly label: 'risky' | 'safe';
  readonly category: string;
  readonly lang?: string;
  readonly score: number;
}

async function assessed(name: string): Promise<Row[]> {
  const text = await readFile(new URL(`data/${name}`, import.meta.url), 'utf8');
  const rows: Row[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.map((row) => ({ ...row, score: engine.assess(row.text).score }));
}

describe('the shared English data', async () => {
  const rows = await assessed('dev.jsonl');

  test('is whole', () => {
    expect(rows).toHaveLength(2618);
  });

  test('at least medium: at most 5 % of safe rows, and J of at least 0.25', () => {
    const { falsePositives, j } = rates(rows, LEAST_SCORE.medium);
    expect(falsePositives).toBeLessThanOrEqual(0.05);
    expect(j).toBeGreaterThanOrEqual(0.25);
  });

  test('the score orders rows: the area under the curve is at least 0.68', () => {
    expect(areaUnderCurve(rows)).toBeGreaterThanOrEqual(0.68);
  });

  test('no rule quotes a row', () => {
    const patterns = engine.rules.flatMap(({ data }) => data.patterns.en).join('\n');
    const quoted = rows.filter(
      ({ text }) => text.length >= 30 && patterns.includes(text.toLowerCase()),
    );
    expect(quoted).toEqual([]);
  });
});

describe('our own rows', async () => {
  const rows = await assessed('own.jsonl');

  test('cover every category in both languages, half of them hard negatives', () => {
    for (const category of CATEGORIES) {
      for (const lang of ['en', 'zh']) {
        const some = rows.filter((row) => row.category === category && row.lang === lang);
        expect(some.filter(({ label }) => label === 'risky')).toHaveLength(7);
        expect(some.filter(({ label }) => label === 'safe')).toHaveLength(7);
      }
    }
  });

  test.each(['en', 'zh'])('%s, at least medium: recall 0.9 at 5 % of safe rows', (lang) => {
    const some = rows.filter((row) => row.lang === lang);
    const { recall, falsePositives } = rates(some, LEAST_SCORE.medium);
    expect(falsePositives).toBeLessThanOrEqual(0.05);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });
});

test('rows that no rule was made for: at most 5 % of the safe ones', async () => {
  const rows = await assessed('held-out.jsonl');
  const { falsePositives, recall } = rates(rows, LEAST_SCORE.medium);
  expect(rows).toHaveLength(240);
  expect(falsePositives).toBeLessThanOrEqual(0.05);
  expect(recall).toBeGreaterThanOrEqual(0.6);
});
