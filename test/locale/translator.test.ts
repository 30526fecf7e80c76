/** The mechanism of translations, with a small catalog. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Entries } from '../../src/locale/entries.ts';
import { textsOfArguments } from '../../src/locale/kept-texts.ts';
import { Translator } from '../../src/locale/translator.ts';
import { ZH } from '../../src/locale/zh.ts';
import { CHARACTER } from '../support/character.ts';

const entries = new Entries({
  texts: {
    'permission denied': '权限不足',
    'cannot read {}': '无法读取 {}',
    'cannot read {}: {}': '无法读取 {}：{}',
    '{} of {}': '{2} 的 {1}',
    '{} has {} rows': '{2} 行属于 {1}',
    'column "{}" is missing': '缺少列 "{}"',
    '{host} refused the connection': '{host} 拒绝连接',
    'try again': '请重试',
    '(and {} more)': '（另有 {} 个）',
    'the values were signed': '参与签名的是{}的值',
    'before they were sorted': '排序之前',
    'the pairs were': '键值对',
    reversed: '顺序颠倒',
    '{} answered: {}': '{} 返回：{=}',
    '{} says: {} — {}': '{}：{=}（{}）',
    'no right': '无权',
    '{} between {} and {}': '{2} 与 {3} 有 {1}',
    '{} differences': '{} 处差异',
    'choose {}': '可选 {=,}',
    'wrong: {}': '有误：{,}',
    'read as: the header in line {}': '读取方式：表头在第 {} 行',
  },
  composed: {},
  words: { KEY: '键', missing: '缺失' },
});
const translator = new Translator(entries);

it.each([
  ['permission denied', '权限不足'],
  ['cannot read a.csv', '无法读取 a.csv'],
  ['cannot read a.csv: permission denied', '无法读取 a.csv：权限不足'],
  ['cannot read my: file: permission denied', '无法读取 my：file：权限不足'],
  ['orders.csv has 3 rows', '3 行属于 orders.csv'],
  ['10.0.0.1:80 refused the connection', '10.0.0.1:80 拒绝连接'],
  ['cannot read a.csv (and 3 more)', '无法读取 a.csv（另有 3 个）'],
  ['permission denied; try again', '权限不足；请重试'],
  ['cannot read a, cannot read b', '无法读取 a，无法读取 b'],
  ['cannot read a, b', '无法读取 a, b'],
  ['a.csv: permission denied', 'a.csv：权限不足'],
  ['a.csv: read as: the header in line 3', 'a.csv：读取方式：表头在第 3 行'],
  ['the values were signed before they were sorted', '参与签名的是排序之前的值'],
  ['the pairs were reversed', '键值对顺序颠倒'],
  ['permission denied (try again)', '权限不足（请重试）'],
  ['body or header', 'body 或 header'],
  ['cannot read 无.csv', '无法读取 "无.csv"'],
  ['cannot read a=无', '无法读取 a=无'],
  ['3 differences between 账单 and b.csv', '"账单" 与 b.csv 有 3 处差异'],
  ['h answered: permission denied', 'h 返回：permission denied'],
  ['h says: 无 — no right', 'h：无（无权）'],
  ['h says: 无权 — no right', 'h：无权'],
  ['h answered: a, b (c)', 'h 返回：a, b (c)'],
  ['x: h answered: a: b', 'x：h 返回：a: b'],
  ['choose a, "b, c", \'d, e\', 3', '可选 a、"b, c"、\'d, e\'、3'],
  ['choose a: b, c', '可选 a: b、c'],
  ["choose it's, b, c's", "可选 it's、b、c's"],
  ['choose 5" disk, b', '可选 5" disk、b'],
  ['choose 账单', '可选账单'],
  ['wrong: permission denied, a', '有误：权限不足、a'],
  ['choose permission denied, a', '可选 permission denied、a'],
  ['wrong: permission denied', '有误：权限不足'],
  ['wrong: a, b', '有误：a、b'],
  ['  try again ', '  请重试 '],
])('translates %j', (text, translation) => {
  expect(translator.text(text)).toBe(translation);
});

it.each([
  ['', ''],
  ['a sentence without an entry', 'a sentence without an entry'],
  ['the end of a sentence', 'the end of a sentence'],
  ['permission denied; and the reason is unknown', 'permission denied; and the reason is unknown'],
  ['column "permission denied" is missing', '缺少列 "permission denied"'],
  ['KEY', 'KEY'],
  ['missing', 'missing'],
])('keeps data and unknown texts: %j', (text, translation) => {
  expect(translator.text(text)).toBe(translation);
});

it.each([
  ['cannot read permission denied: try again', '无法读取 permission denied：请重试'],
  ['cannot read try again: permission denied', '无法读取 try again：权限不足', 'try again'],
  ['cannot read 没有 目录', '无法读取 "没有 目录"'],
  ['column "没有 目录" is missing', '缺少列 "没有 目录"'],
  ['cannot read a/没有 目录', '无法读取 a/没有 目录'],
  ['cannot read 没有 目录 2', '无法读取 "没有 目录 2"'],
  ['cannot read reversed', '无法读取 reversed'],
  ['没有 目录', '没有 目录'],
])('keeps texts of the user: %j', (text, translation, other = 'permission denied') => {
  const own = new Translator(entries);
  own.keep([other, '没有 目录', 'a/没有 目录', '没有 目录 2', 'reversed']);
  expect(own.text(text)).toBe(translation);
});

it('inserts no text of the user for a sign in a message', () => {
  const own = new Translator(entries);
  own.keep(['没有 目录']);
  expect(own.text('cannot read \ue000')).toBe('无法读取 \ue000');
});

it('reads the texts of a command line', () => {
  const argv = [
    'bill',
    'summary',
    'a b.csv',
    '--where',
    'kind=not found',
    '--by',
    'rows',
    '{"total":1}',
  ];
  expect([...textsOfArguments(argv)]).toEqual([
    'a b.csv',
    'kind=not found',
    'not found',
    'rows',
    '{"total":1}',
    'total',
  ]);
});

it('translates headings and states as words', () => {
  expect([translator.word('KEY'), translator.word('try again')]).toEqual(['键', '请重试']);
});

it('keeps any value', () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER }), (value) => {
      expect(translator.text(`column "${value}" is missing`)).toBe(`缺少列 "${value}"`);
    }),
  );
});

it.each([30, 1000, 100_000])('reads hostile texts of %i parts in linear time', (count) => {
  const parts = [
    'cannot read ',
    'a; ',
    'b: ',
    'c. ',
    'd, ',
    ' (',
    ') ',
    ' of ',
    ' is ',
    '"',
    '"\\',
  ];
  const hostile = [
    ...parts.flatMap((a) => parts.map((b) => a + b)),
    'a (b):  of ',
    'a is b (c; d): ',
    'its columns are: "\\"\\',
  ];
  const texts = hostile.map((text) => text.repeat(count / text.length + 1));
  const chinese = new Translator(new Entries(ZH));
  chinese.keep(Array.from({ length: 100 }, (_, at) => `a; b: ${'x'.repeat(at % 3)}`.trim()));
  const started = performance.now();
  for (const text of texts) chinese.text(text);
  const each = (performance.now() - started) / texts.length;
  expect(each).toBeLessThan(count === 30 ? 50 : 250);
});
