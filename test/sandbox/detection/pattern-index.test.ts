import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { RuleEngine } from '../../../src/sandbox/detection/engine.ts';
import { normalize } from '../../../src/sandbox/detection/normalize.ts';
import { PatternIndex } from '../../../src/sandbox/detection/pattern-index.ts';
import { Vocabulary } from '../../../src/sandbox/detection/vocabulary.ts';

const skeletonOf = (source: string) => new Vocabulary().read(source, false).steps;

function candidates(patterns: readonly string[], text: string): string[] {
  const index = new PatternIndex<string>();
  for (const pattern of patterns) index.add(skeletonOf(pattern), pattern);
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
    index.add(new Vocabulary().read('harm', true).steps, 'x');
    expect([...index.candidates('it will harm')]).toEqual(['x']);
    expect([...index.candidates('pharmacy')]).toEqual([]);
  });

  test('again for another text', () => {
    const index = new PatternIndex<string>();
    index.add(skeletonOf('ab.{0,2}cd'), 'x');
    expect([...index.candidates('ab')]).toEqual([]);
    expect([...index.candidates('cd')]).toEqual([]);
    expect([...index.candidates('ab cd')]).toEqual(['x']);
  });
});

/** The index spares work, and hides nothing: every pattern is asked of texts that rules are about. */
test.each(['en', 'zh'] as const)('no match of a rule is missed, %s', async (language) => {
  const { rules } = new RuleEngine();
  const data = await readFile(new URL('data/own.jsonl', import.meta.url), 'utf8');
  const rows = data
    .trim()
    .split('\n')
    .map((line): { text: string } => JSON.parse(line));
  const texts = [
    ...rules.flatMap(({ data }) => [...data.examples.positive, ...data.examples.negative]),
    ...rows.map(({ text }) => text),
  ].map((text) => normalize(text).text);

  const patterns = rules.flatMap((rule) => rule.patterns[language]);
  const index = new PatternIndex<(typeof patterns)[number]>();
  for (const pattern of patterns) index.add(pattern.skeleton, pattern);
  let matches = 0;
  for (const text of texts) {
    const found = index.candidates(text);
    // Asking all of them of all texts would take minutes: each is asked of its share.
    for (const [at, pattern] of patterns.entries()) {
      if ((at + text.length) % 7 !== 0 || !pattern.test(text)) continue;
      matches++;
      expect([text, pattern.skeleton, found.has(pattern)]).toEqual([text, pattern.skeleton, true]);
    }
  }
  expect(matches).toBeGreaterThan(20);
});
