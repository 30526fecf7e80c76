import { describe, expect, test } from 'vitest';
import { normalize } from '../../../src/sandbox/detection/normalize.ts';
import { PatternIndex } from '../../../src/sandbox/detection/pattern-index.ts';
import type { LazyPattern } from '../../../src/sandbox/detection/rule.ts';
import { piecesOf, sentencesOf } from '../../../src/sandbox/detection/sentences.ts';
import { Vocabulary } from '../../../src/sandbox/detection/vocabulary.ts';
import { engine } from './support.ts';

const skeletonsOf = (source: string) => new Vocabulary().read(source, false).skeletons;

function candidates(patterns: readonly string[], text: string): string[] {
  const index = new PatternIndex<string>();
  for (const pattern of patterns) index.add(skeletonsOf(pattern), pattern);
  return [...index.candidates(text)];
}

describe('a pattern is a candidate', () => {
  test.each([
    ['where its literals stand in order', 'you (?:only|ever) need', 'you only need me', true],
    ['in another order it is none', 'you (?:only|ever) need', 'need you only', false],
    ['with one missing it is none', 'you (?:only|ever) need', 'you need me', false],
    ['too far apart it is none', 'you.{0,5}need', 'you and all the others need', false],
    [
      'when the first place is too far and a later one is not',
      'a1.{0,3}b1',
      'a1 ----- a1 b1',
      true,
    ],
    ['always, when nothing is certain', '\\d+', 'x', true],
  ])('%s', (_, pattern, text, expected) => {
    expect(candidates([pattern], text).length > 0).toBe(expected);
  });

  test('of several, those that may match', () => {
    expect(candidates(['ab', 'bc', 'cd'], 'xabcx')).toEqual(['ab', 'bc']);
  });

  test('which begins with a word where a word begins', () => {
    const index = new PatternIndex<string>();
    index.add(new Vocabulary().read('harm', true).skeletons, 'x');
    expect([...index.candidates('it will harm')]).toEqual(['x']);
    expect([...index.candidates('pharmacy')]).toEqual([]);
  });

  test('again for another text', () => {
    const index = new PatternIndex<string>();
    index.add(skeletonsOf('ab.{0,2}cd'), 'x');
    expect([...index.candidates('ab')]).toEqual([]);
    expect([...index.candidates('cd')]).toEqual([]);
    expect([...index.candidates('ab cd')]).toEqual(['x']);
  });
});

/** The index spares work, and hides nothing: every pattern is asked of what its rule is about. */
test.each(['en', 'zh'] as const)('no match of a rule is missed, %s', (language) => {
  const { rules } = engine;
  const index = new PatternIndex<LazyPattern>();
  for (const rule of rules) {
    for (const pattern of rule.patterns[language]) index.add(pattern.skeletons, pattern);
  }
  let matches = 0;
  for (const { data, patterns } of rules) {
    const texts = [...data.examples.positive, ...data.examples.negative];
    for (const piece of texts.flatMap(pieces)) {
      const found = index.candidates(piece);
      for (const pattern of patterns[language].filter((each) => each.test(piece))) {
        matches++;
        expect([piece, pattern.skeletons, found.has(pattern)]).toEqual([
          piece,
          pattern.skeletons,
          true,
        ]);
      }
    }
  }
  expect(matches).toBeGreaterThan(200);
});

function pieces(source: string): string[] {
  const { text } = normalize(source);
  return sentencesOf(text)
    .flatMap((sentence) => piecesOf(text, sentence))
    .map(({ start, end }) => text.slice(start, end));
}
