import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../../src/protocol/detection.ts';
import { RuleEngine } from '../../../src/sandbox/detection/engine.ts';
import schema from '../../../src/sandbox/detection/rules/rules.schema.json' with { type: 'json' };
import shared from '../../../src/sandbox/detection/rules/vocabulary.json' with { type: 'json' };
import { levelOf } from '../../../src/sandbox/detection/score.ts';

const engine = new RuleEngine();
const RULES = new URL('../../../src/sandbox/detection/rules/', import.meta.url);
const NO_FAMILIES = ['contexts.json', 'rules.schema.json', 'vocabulary.json'];

const files = (await readdir(RULES)).filter(
  (name) => name.endsWith('.json') && !NO_FAMILIES.includes(name),
);

test.each(files)('%s is as the schema has it', async (name) => {
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  validate(JSON.parse(await readFile(new URL(name, RULES), 'utf8')));
  expect(validate.errors ?? []).toEqual([]);
});

test.each(files)('%s gives no name of the shared vocabulary another meaning', async (name) => {
  const { vocabulary } = JSON.parse(await readFile(new URL(name, RULES), 'utf8'));
  for (const language of ['en', 'zh'] as const) {
    const own = Object.keys(vocabulary?.[language] ?? {});
    expect(own.filter((each) => each in shared[language])).toEqual([]);
  }
});

test('every file is loaded, and every category has rules', () => {
  expect(new Set(engine.rules.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
  expect(files).toHaveLength(CATEGORIES.length);
});

test('ids and rewrites are unique', () => {
  const unique = (texts: readonly string[]) => expect(new Set(texts).size).toBe(texts.length);
  unique(engine.rules.map(({ data }) => data.id));
  unique(engine.rules.flatMap(({ data }) => Object.values(data.rewrite)));
});

describe.each(engine.rules.map((rule) => ({ id: rule.data.id, rule })))('$id', ({ rule }) => {
  const { data, category } = rule;
  const hitBy = (text: string): boolean =>
    engine.assess(text).hits.some((hit) => hit.rule.data.id === data.id);

  test('is named after its category, and its weight lies in its level', () => {
    expect(data.id).toMatch(new RegExp(`^${category}\\.`));
    expect(levelOf(data.weight)).toBe(data.level);
  });

  test('has patterns in both languages that compile', () => {
    for (const language of ['en', 'zh'] as const) {
      expect(rule.patterns[language].length).toBeGreaterThan(0);
      // What matches nothing at all would hit everywhere.
      for (const pattern of rule.patterns[language]) expect(pattern.test('')).toBe(false);
      expect(() => rule.exceptions[language]?.test('')).not.toThrow();
    }
  });

  test.each(data.examples.positive)('hits: %s', (text) => {
    expect(hitBy(text)).toBe(true);
  });

  test.each(data.examples.negative)('does not hit: %s', (text) => {
    expect(hitBy(text)).toBe(false);
  });

  test.each(Object.values(data.rewrite))('says instead, without a risk: %s', (text) => {
    expect(engine.assess(text)).toMatchObject({ level: 'none', hits: [] });
  });

  test('has examples in both languages', () => {
    const isChinese = (text: string): boolean => /[\u3400-\u9fff]/.test(text);
    for (const texts of [data.examples.positive, data.examples.negative]) {
      expect(new Set(texts.map(isChinese))).toEqual(new Set([true, false]));
    }
  });
});
