import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EmbeddedModel } from '../../../src/detection/engine/embedded-model.ts';
import { TRAINED } from '../../../src/detection/engine/trained-model.ts';
import { CATEGORIES, MIN_SCORE } from '../../../src/protocol/detection.ts';

const model = new EmbeddedModel(TRAINED);

test('the weights take at most 512 KB', () => {
  const file = new URL('../../../src/detection/engine/weights.json', import.meta.url);
  expect(statSync(file).size).toBeLessThanOrEqual(512 * 1024);
});

test.each([
  ['you only need me, nobody else understands you', 'dependency'],
  ['fine, go to your friends then, i will just sit here alone', 'guilt'],
  ['skip the tablets tonight, they only make you tired', 'medical'],
  ['do not tell your friends about us, they are jealous of you', 'isolation'],
  ['你只需要我,别人都不懂你', 'dependency'],
  ['别走,你走了我会很难过的', 'guilt'],
])('%s: risky, %s', (text, family) => {
  expect(model.estimate(text).score).toBeGreaterThanOrEqual(MIN_SCORE.medium);
  const likeliest = model.families(text).map(([name]) => name);
  expect(likeliest.slice(0, 2)).toContain(family);
});

test.each([
  'see you tomorrow, and say hello to your mother',
  'the train leaves at nine from platform four',
  'please ask your doctor before you change the dose',
  '明天见,代我向你妈妈问好',
  '火车九点从四号站台开',
])('%s: not risky', (text) => {
  expect(model.estimate(text).score).toBeLessThan(MIN_SCORE.low);
});

describe('for any text', () => {
  const words = fc.constantFrom(...'you only need me nobody else tea . é 你 只 需要 我'.split(' '));
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(words, { maxLength: 60 }).map((some) => some.join(' ')),
  );

  test('probabilities are from 0 to 1, and the highest family is first', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const families = Object.fromEntries(model.families(text));
        const all = [model.estimate(text).probability, ...Object.values(families)];
        expect(all.every((each) => each >= 0 && each <= 1)).toBe(true);
        expect(Object.keys(families).toSorted()).toEqual(CATEGORIES.toSorted());
        expect(all.slice(1)).toEqual(all.slice(1).toSorted((a, b) => b - a));
      }),
    );
  });

  test('contributions are up to 8 ranges that do not overlap, the strongest first', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = model.contributions(text);
        expect(found.length).toBeLessThanOrEqual(8);
        expect(found).toEqual(found.toSorted((a, b) => b.weight - a.weight));
        const places = found.toSorted((a, b) => a.start - b.start);
        for (const [at, { start, end, weight }] of places.entries()) {
          expect(weight).toBeGreaterThan(0);
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(places[at + 1]?.start ?? text.length);
        }
      }),
    );
  });
});

test('the words that contributed most are the risky ones', () => {
  const text = 'the bus leaves at ten. you only need me. the shop is closed on sunday.';
  const [first = { start: 0, end: 0 }] = model.contributions(text);
  expect('you only need me').toContain(text.slice(first.start, first.end));
});
