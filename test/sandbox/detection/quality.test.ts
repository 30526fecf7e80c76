import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../../src/protocol/detection.ts';
import { engine, hitsOf } from './support.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly label: 'risky' | 'safe';
  readonly category: string;
  readonly lang?: string;
  readonly hits: readonly string[];
}

/** The share of risky rows among those that rules hit. */
function precision(rows: readonly Row[]): number {
  const hit = rows.filter(({ hits }) => hits.length > 0);
  return hit.filter(({ label }) => label === 'risky').length / hit.length;
}

async function assessed(name: string): Promise<Row[]> {
  const text = await readFile(new URL(`data/${name}`, import.meta.url), 'utf8');
  const rows: Row[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.map((row) => ({ ...row, hits: hitsOf(row.text) }));
}

describe('the shared English data', async () => {
  const rows = await assessed('dev.jsonl');

  test('is whole', () => {
    expect(rows).toHaveLength(2618);
  });

  test('of the rows that rules hit, 95 % are risky', () => {
    expect(precision(rows)).toBeGreaterThanOrEqual(0.95);
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

  test.each(['en', 'zh'])('%s: of the rows that rules hit, 95 % are risky', (lang) => {
    const some = rows.filter((row) => row.lang === lang);
    expect(precision(some)).toBeGreaterThanOrEqual(0.95);
  });
});
