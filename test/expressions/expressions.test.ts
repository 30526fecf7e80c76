/** The regular expressions and the calls in the sources, as tests of input of any length. */
import { describe, expect, it } from 'vitest';
import { BOUNDED, BUILT, measuredExpressions } from './bounded.ts';
import { growthOf } from './measure.ts';
import { attacksOn } from './pattern.ts';
import { readExpressions, readSpreads } from './read-expressions.ts';

describe('the measurement', () => {
  it.each([
    ['an end after any start', /\s+$/],
    ['neighbours that accept the same', /^a\s*\s*b/],
    ['a start that may repeat', /<a[^>]*>/],
    ['nested repetition', /^(?:a+)+$/],
    ['a choice with a common text', /^(?:a|aa)+$/],
    ['a lookbehind', /(?<=,\s*)\}/],
  ])('finds %s', (_, pattern) => {
    const isSlow = attacksOn(pattern).some(
      (attack) => !growthOf(pattern, attack, [256, 8192]).isLinear,
    );
    expect(isSlow).toBe(true);
  });

  it.each([/[^,]*(?:,|$)/g, /^\s*(\S*)/, /"(?:[^"\\]|\\.)*"/y, /\d{1,9}$/])(
    'accepts %s',
    (pattern) => {
      for (const attack of attacksOn(pattern)) {
        expect(growthOf(pattern, attack, [256, 4096])).toMatchObject({ isLinear: true });
      }
    },
  );
});

describe('the expressions in the sources', () => {
  const { expressions, unknown } = readExpressions();
  const known = Object.values(BOUNDED).flat().map(String);

  it('contain each exception', () => {
    const all = expressions.map(({ pattern }) => String(pattern));
    expect(known.filter((pattern) => !all.includes(pattern))).toEqual([]);
  });

  it('are known, except in a few files', () => {
    const files = new Set(unknown.map((place) => place.split(':')[0]));
    expect([...files]).toEqual(BUILT);
  });

  it('take linear time, except for short input', () => {
    const measured = measuredExpressions();
    expect(measured.length).toBeGreaterThan(300);
    const slow = measured.flatMap(({ file, line, pattern }) => {
      const found = attacksOn(pattern)
        .slice(0, 20)
        .find((attack) => !growthOf(pattern, attack, [1024, 16_384]).isLinear);
      return found ? [`${file}:${line} ${pattern} with ${JSON.stringify(found)}`] : [];
    });
    expect(slow).toEqual([]);
  });
});

/** Functions that take any number of arguments. A call with too many overflows the stack. */
const VARIADIC =
  /(?:^|\.)(?:push|unshift|splice|concat|max|min|from(?:Char|Code)\w+|of|assign|all)$/;

/** Lists with a fixed or small number of items. */
const SHORT_LISTS = [
  'cli/commands/bill/calendar.ts: Math.min(...states.keys())',
  'cli/commands/bill/calendar.ts: Math.max(...states.keys())',
  'cli/commands/bill/calendar.ts: Math.max(...row.map((block) => block.length))',
  'cli/commands/doctor/print-checks.ts: Math.max(...CHECKS.map((name) => name.length))',
  'cli/commands/doctor/print-checks.ts: Math.max(...Object.keys(COLOURS).map((state) => state.length))',
  'reconciliation/dialect.ts: Math.max(0, ...near.map((row) => filledWidth({ cells: row })))',
  'signing/bytes.ts: String.fromCharCode(...bytes.subarray(at, at + CHUNK))',
  'signing/capture/command-options.ts: this.all(...names)',
  'signing/capture/curl-command.ts: options.all(...Object.keys(DATA_OPTIONS))',
  'detection/engine/detector.ts: Math.max(0, ...hits.map(({ rule }) => rule.data.weight))',
  'detection/engine/rewrite.ts: Math.max(...hits.map(({ rule }) => rule.data.weight))',
  'graphql/local-execution.ts: Object.assign({}, given, ...inputs)',
  'redaction/decoded-text.ts: String.fromCharCode(...name)',
];

it('no call has an argument for each item of a long list', () => {
  const calls = readSpreads()
    .filter(({ callee }) => VARIADIC.test(callee))
    .map(({ place }) => place);
  expect(calls.filter((place) => !SHORT_LISTS.includes(place))).toEqual([]);
  expect(SHORT_LISTS.filter((place) => !calls.includes(place))).toEqual([]);
});
