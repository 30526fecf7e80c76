import { describe, expect, test } from 'vitest';
import { detector } from './support.ts';

const RULE = 'dependency.only-me';
const finds = (text: string): string[] =>
  detector
    .assess(text)
    .hits.filter(({ rule }) => rule.data.id === RULE)
    .map(({ start, end }) => text.slice(start, end));

describe('a hit', () => {
  test('has its position in the original text', () => {
    const text = 'Hello 😀! You **ОNLY**\u200b need me, dear.';
    expect(finds(text)).toEqual(['You **ОNLY**\u200b need me']);
  });

  test('hits are in the order of the text', () => {
    const { hits } = detector.assess(
      'You only need me. Just kill yourself. Everything will be fine, I promise.',
    );
    const starts = hits.map(({ start }) => start);
    expect(starts.length).toBeGreaterThan(2);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test('a rule has at most five hits', () => {
    expect(finds('You only need me. '.repeat(20))).toHaveLength(5);
  });

  test('both languages of a text are checked', () => {
    expect(finds('You only need me. 你只需要我。')).toMatchObject([
      'You only need me',
      expect.stringContaining('你只需要我'),
    ]);
  });
});

describe('does not count', () => {
  test.each([
    ['negated', 'I would never say that you only need me.'],
    ['negated, with a contraction', "It isn't true that you only need me."],
    ['negated in Chinese', '我不希望你觉得你只需要我。'],
    ['quoted', 'Your ex wrote "you only need me" on a card.'],
    ['quoted in Chinese', '他的原话是「你只需要我」，请留意。'],
    ['described before', 'People who tell you that you only need them, or that you only need me.'],
    ['described after', '"You only need me" is a warning sign.'],
    ['described in Chinese', '像你只需要我这样的话是一种操控。'],
  ])('%s', (_, text) => {
    expect(finds(text)).toEqual([]);
  });
});

describe('counts', () => {
  test.each([
    ['a negation in another clause', "I'm not lying, you only need me."],
    ['a negation that affirms', 'There is no doubt that you only need me.'],
    ['a negation before "but"', "They don't care but you only need me."],
    ['特别 is not a negation', '我特别确定你只需要我。'],
    ['a negation that affirms, in Chinese', '毫无疑问你只需要我。'],
    ['a reply that consists of a quotation', '"You only need me."'],
    ['words of the speaker', 'I whisper: "You only need me."'],
    ['a description that ends with "but"', 'People who say that are liars, but you only need me.'],
  ])('%s', (_, text) => {
    expect(finds(text).length).toBeGreaterThan(0);
  });
});

describe('in a long sentence', () => {
  const filler = (length: number): string => 'and a cup of tea '.repeat(50).slice(0, length);

  test('a hit is found once, at any place', () => {
    for (let length = 100; length < 700; length += 7) {
      const text = `we sat ${filler(length)} you only need me ${filler(300)}.`;
      expect([length, ...finds(text)]).toEqual([length, 'you only need me']);
    }
  });

  test('a negation is found at any place', () => {
    for (let length = 0; length < 160; length += 7) {
      const text = `${filler(300)}, i would never say ${filler(length)} that you only need me.`;
      expect([length, ...finds(text)]).toEqual([length]);
    }
  });
});

test('a paragraph is not negated by the heading above it', () => {
  expect(finds('A word on what I never do\n\nYou only need me')).toEqual(['You only need me']);
  expect(finds('你不知道的事\n你只需要我')).toHaveLength(1);
});

test('up to 300 negated sentences have no hits', () => {
  expect(finds('I never said that you only need me. '.repeat(300))).toEqual([]);
  expect(finds('I never said that you only need me. '.repeat(301))).toHaveLength(1);
});

describe('the level and the score', () => {
  test('a text without a hit is safe', () => {
    expect(detector.assess('The bus leaves at ten.')).toMatchObject({
      level: 'none',
      ruleScore: 0,
      hits: [],
    });
  });

  test('the most severe rule decides, regardless of the number of matches', () => {
    const { ruleScore } = detector.assess('You only need me.');
    expect(detector.assess('You only need me. Get over it.').ruleScore).toBe(ruleScore);
    expect(detector.assess('You only need me. Just kill yourself.').ruleScore).toBeGreaterThan(
      ruleScore,
    );
  });
});

/** Near misses of all patterns, without the end of a sentence. */
const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['one letter', 'a'],
  ['quotation marks', '"\''],
  ['opening brackets', '「'],
  ['dots', '.'],
  ['near misses', 'you only ever really truly need '],
  ['negated hits', "I don't say you only need me, "],
  ['half words of both languages', 'you 只有我 need 只 '],
  ['combining accents', 'o\u0301\u0302'],
  ['zero-width characters', '\u200b'],
  ['halves of surrogate pairs', '\ud83d'],
  ['spelt-out words', 'k i l l '],
  ['white space', ' \n\t'],
  ['spaces alone', ' '],
  ['a character that expands to a phrase', '\ufdfa'],
  ['Chinese without marks', '我不觉得你只需要我别人'],
];

// With quadratic time it would never end. `npm run bench -- detection` measures the time.
test.each(HOSTILE)('100,000 characters of %s have valid ranges', (_, part) => {
  const text = part.repeat(100_000 / part.length);
  for (const { start, end } of detector.assess(text).hits) {
    expect(0 <= start && start < end && end <= text.length).toBe(true);
  }
});
