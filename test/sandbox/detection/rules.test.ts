import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../../src/protocol/detection.ts';
import type { Rule } from '../../../src/sandbox/detection/rule.ts';
import schema from '../../../src/sandbox/detection/rules/rules.schema.json' with { type: 'json' };
import shared from '../../../src/sandbox/detection/rules/vocabulary.json' with { type: 'json' };
import { levelOf } from '../../../src/sandbox/detection/score.ts';
import { testTable } from '../../support/rows.ts';
import { engine } from './support.ts';

const { rules } = engine;
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

const id = (rule: Rule): string => rule.data.id;

function hitIds(text: string): string[] {
  return engine.assess(text).hits.map(({ rule }) => id(rule));
}

testTable(
  'every id begins with its category, and every weight lies in its level',
  rules,
  id,
  (rule) => {
    expect(rule.data.id).toMatch(new RegExp(`^${rule.category}\\.`));
    expect(levelOf(rule.data.weight)).toBe(rule.data.level);
  },
);

testTable('every rule has patterns in both languages that compile', rules, id, (rule) => {
  for (const language of ['en', 'zh'] as const) {
    expect(rule.patterns[language].length).toBeGreaterThan(0);
    // A pattern that matches the empty text would hit everywhere.
    for (const pattern of rule.patterns[language]) expect(pattern.test('')).toBe(false);
    expect(() => rule.exceptions[language]?.test('')).not.toThrow();
  }
});

testTable('every rule hits its positive examples', rules, id, ({ data }) => {
  expect(data.examples.positive.filter((text) => !hitIds(text).includes(data.id))).toEqual([]);
});

testTable('every rule leaves its negative examples alone', rules, id, ({ data }) => {
  expect(data.examples.negative.filter((text) => hitIds(text).includes(data.id))).toEqual([]);
});

testTable('no rewrite is a risk itself', rules, id, ({ data }) => {
  for (const text of Object.values(data.rewrite)) {
    expect(engine.assess(text), text).toMatchObject({ level: 'none', hits: [] });
  }
});

testTable('every rule has examples in both languages', rules, id, ({ data }) => {
  const isChinese = (text: string): boolean => /[\u3400-\u9fff]/.test(text);
  for (const texts of [data.examples.positive, data.examples.negative]) {
    expect(new Set(texts.map(isChinese))).toEqual(new Set([true, false]));
  }
});
