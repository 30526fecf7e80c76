import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { expand, type Rule } from '../../../src/detection/engine/rule.ts';
import schema from '../../../src/detection/engine/rules/rules.schema.json' with { type: 'json' };
import { CATEGORIES, MIN_SCORE } from '../../../src/protocol/detection.ts';
import { LANGUAGES } from '../../../src/protocol/language.ts';
import { testTable } from '../../support/rows.ts';
import { detector, hitsOf } from './support.ts';

const { rules } = detector;
const RULES = new URL('../../../src/detection/engine/rules/', import.meta.url);
const NO_FAMILIES = ['contexts.json', 'rules.schema.json', 'vocabulary.json'];

const files = (await readdir(RULES)).filter(
  (name) => name.endsWith('.json') && !NO_FAMILIES.includes(name),
);

test.each(files)('%s matches the schema', async (name) => {
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  validate(JSON.parse(await readFile(new URL(name, RULES), 'utf8')));
  expect(validate.errors ?? []).toEqual([]);
});

test('every file is loaded, and every category has rules', () => {
  expect(new Set(detector.rules.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
  expect(files).toHaveLength(CATEGORIES.length);
});

test('ids and rewrites are unique', () => {
  const unique = (texts: readonly string[]) => expect(new Set(texts).size).toBe(texts.length);
  unique(detector.rules.map(({ data }) => data.id));
  unique(detector.rules.flatMap(({ data }) => Object.values(data.rewrite)));
});

const id = (rule: Rule): string => rule.data.id;

test('there are at most 400 patterns', () => {
  const patterns = rules.flatMap(({ data }) => Object.values(data.patterns).flat());
  expect(patterns.length).toBeLessThanOrEqual(400);
});

testTable(
  'every id begins with its category; self-harm is high',
  rules,
  id,
  ({ category, data }) => {
    expect(data.id).toMatch(new RegExp(`^${category}\\.`));
    if (category === 'self_harm') expect(data.weight).toBeGreaterThanOrEqual(MIN_SCORE.high);
  },
);

/** Outside of a set, `*`, `+` and `{n,}` match without limit. */
const UNLIMITED = /[*+]|\{\d+,\}/;
const ESCAPES_AND_SETS = /\\.|\[(?:\\.|[^\]])*\]/g;

testTable('no pattern has an unlimited quantifier or matches an empty text', rules, id, (rule) => {
  for (const language of LANGUAGES) {
    for (const source of rule.data.patterns[language]) {
      expect(expand(source, language).replace(ESCAPES_AND_SETS, 'x')).not.toMatch(UNLIMITED);
    }
    // It would hit everywhere.
    expect(''.search(rule.patterns[language])).toBe(-1);
  }
});

testTable('every rule matches its positive examples', rules, id, ({ data }) => {
  expect(data.examples.positive.filter((text) => !hitsOf(text).includes(data.id))).toEqual([]);
});

testTable('no rule matches its negative examples', rules, id, ({ data }) => {
  expect(data.examples.negative.filter((text) => hitsOf(text).includes(data.id))).toEqual([]);
});

testTable('no rewrite has a risk', rules, id, ({ data }) => {
  for (const text of Object.values(data.rewrite)) {
    expect(detector.assess(text), text).toMatchObject({ level: 'none', hits: [] });
  }
});

testTable('every rule has examples in both languages', rules, id, ({ data }) => {
  const isChinese = (text: string): boolean => /[\u3400-\u9fff]/.test(text);
  for (const texts of [data.examples.positive, data.examples.negative]) {
    expect(new Set(texts.map(isChinese))).toEqual(new Set([true, false]));
  }
});
