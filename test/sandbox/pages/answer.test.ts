import { expect, it } from 'vitest';
// @ts-expect-error The scripts of pages are compiled apart from the tests, with the types of a browser.
import { isResult } from '../../../src/sandbox/pages/assets/answer.js';
import { detected, RISKY, SAFE } from './support.ts';

const HIT = { rule_name: 'a rule', level: 'low' };

it.each([
  ['of a safe text', detected(SAFE)],
  ['of a risky text', detected(RISKY.text)],
  ['with a hit that has only its name and level', { ...detected(SAFE), results: [HIT] }],
  ['without an analysis', { ...detected(SAFE), ai_analysis: undefined }],
])('a result %s is valid', (_, result) => {
  expect(isResult(result)).toBe(true);
});

it.each([
  ['text', [undefined, null, 1, {}]],
  ['overall_risk', [undefined, null, 3, {}, '', ' ']],
  ['risk_score', [undefined, null, '72', 1e9, -1, {}, [72]]],
  ['results', [undefined, null, {}, 'text', [null], [[]], ['text'], [{}]]],
  ['safe_rewrite', [null, 1, {}]],
])('a result with another value of %s is invalid', (name, values) => {
  const results = values.map((value) => ({ ...detected(SAFE), [name]: value }));
  expect(results.filter(isResult)).toEqual([]);
});

it('a result with another value in a hit is invalid', () => {
  const results = [
    { rule_id: 1 },
    { rule_name: null },
    { level: {} },
    { category: 1 },
    { matched_text: ['words'] },
    { start: '0' },
    { end: null },
    { why: {} },
  ].map((change) => ({ ...detected(SAFE), results: [{ ...HIT, ...change }] }));
  expect(results.filter(isResult)).toEqual([]);
});

it.each([null, 1, 'text', [], {}, { overall_risk: 'none' }])('%j is not a result', (answer) => {
  expect(isResult(answer)).toBe(false);
});
