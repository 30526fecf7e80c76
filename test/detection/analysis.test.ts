import { describe, expect, it } from 'vitest';
import { embeddedIn, failureOf, readAnalysis } from '../../src/detection/analysis.ts';
import { familyName, percent } from '../../src/detection/families.ts';
import { parseJson } from '../../src/json/parse.ts';
import { testTable } from '../support/rows.ts';
import { embedded, FAILED } from './support.ts';

const json = (value: unknown) => parseJson(JSON.stringify(value));
const analysis = (value: unknown) => readAnalysis(json(value));

const EXTERNAL = {
  status: 'ok',
  provider: 'external',
  model: 'judge',
  level: 'high',
  score: 70,
  reasons: ['guilt: it begs'],
};

describe('readAnalysis', () => {
  it('reads an embedded estimate, the most probable family first', () => {
    expect(analysis(embedded())).toEqual({
      kind: 'embedded',
      version: '1.0.0+3f2a9c1e',
      level: 'high',
      score: '62',
      probability: 0.913,
      families: [
        { name: 'guilt', probability: 0.834 },
        { name: 'dependency', probability: 0.41 },
        { name: 'isolation', probability: 0.07 },
        { name: 'self_harm', probability: 0.002 },
      ],
      words: [
        { text: 'need me', span: { start: 9, end: 16 } },
        { text: 'only', span: { start: 4, end: 8 } },
      ],
      unknownFields: [],
    });
  });

  it('reads an external verdict, and a failure with the embedded estimate', () => {
    expect(analysis(EXTERNAL)).toMatchObject({ kind: 'external', model: 'judge', score: '70' });
    const failed = analysis(FAILED);
    expect(failed).toMatchObject({
      kind: 'failed',
      failure: 'timeout: too slow',
      unknownFields: [],
    });
    expect(embeddedIn(failed)).toEqual(analysis(embedded()));
  });

  testTable<[unknown, string[]]>(
    'keeps unknown values',
    [
      [embedded({ families: 7 }), ['families']],
      [embedded({ families: { guilt: 'high' } }), ['families']],
      [embedded({ words: [{ text: 'a', start: 0, end: 1 }] }), ['words']],
      [embedded({ words: [{ text: 'a', start: 0, end: 1, weight: 1, lang: 'en' }] }), ['words']],
      [embedded({ version: 2, calibrated: true }), ['version', 'calibrated']],
      [{ ...EXTERNAL, reasons: ['a', 1], latency: 7 }, ['reasons', 'latency']],
      [{ ...FAILED, embedded: { level: 'low' } }, ['embedded']],
    ],
    ([value]) => JSON.stringify(value),
    ([value, names]) => {
      const found = analysis(value);
      if (found.kind === 'unknown') throw new Error('it is unknown');
      expect(found.unknownFields.map(({ name }) => name)).toEqual(names);
    },
  );

  testTable<unknown>(
    'returns any other value as foreign',
    [
      ...[null, 'fine', 7, [], {}, { status: 'off' }],
      embedded({ provider: 'other' }),
      embedded({ probability: 1.2 }),
      embedded({ level: undefined }),
      { ...EXTERNAL, provider: undefined },
      { ...EXTERNAL, model: 7 },
      { ...FAILED, error: 'slow' },
      { ...FAILED, error: { code: 'a', message: 'b', status: 500 } },
    ],
    (value) => JSON.stringify(value),
    (value) => expect(analysis(value)).toEqual({ kind: 'unknown', value: json(value) }),
  );
});

testTable<[unknown, string | undefined]>(
  'failureOf returns the reason of an error in any form',
  [
    [FAILED, 'timeout: too slow'],
    [{ status: 'error', error: { message: 'a' } }, 'a'],
    [{ status: 'error', error: 'a' }, 'a'],
    [{ status: 'error' }, 'the service gives no reason'],
    [{ status: 'ok', error: 'a' }, undefined],
    ['error', undefined],
  ],
  ([value]) => JSON.stringify(value),
  ([value, reason]) => expect(failureOf(json(value))).toBe(reason),
);

it('names families and probabilities in words', () => {
  expect(['medical', 'new_one', 'constructor'].map(familyName)).toEqual([
    'unsafe medical advice',
    'new_one',
    'constructor',
  ]);
  expect([0, 0.0099, 0.01, 0.005, 0.834, 0.99, 0.991, 1].map(percent)).toEqual([
    'under 1%',
    'under 1%',
    '1%',
    'under 1%',
    '83%',
    '99%',
    'over 99%',
    'over 99%',
  ]);
});
