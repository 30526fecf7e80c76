import { describe, expect, test } from 'vitest';
import { mostTelling } from '../../../src/sandbox/detection/skeleton.ts';
import { Vocabulary } from '../../../src/sandbox/detection/vocabulary.ts';

const vocabulary = new Vocabulary({ very: '(?:really|truly)', me: 'me|only {very} me' });
const skeletonOf = (source: string) => vocabulary.read(source, true).skeletons[0] ?? [];
const literals = (source: string): (readonly string[])[] =>
  skeletonOf(source).map(({ literals }) => literals.map(({ text }) => text));

describe('the literals of a match, in their order', () => {
  test.each([
    ['one word', 'never', [['never']]],
    ['words that follow each other are one', 'never leave me', [['never leave me']]],
    ['alternatives', '(?:never|always) leave', [['never', 'always'], ['leave']]],
    ['alternatives without a group', 'leave|stay here', [['leave', 'stay here']]],
    ['what may be missing is not certain', 'you (?:really )?need', [['you'], ['need']]],
    ['nor is a character that may be missing', 'friends?', [['friend']]],
    ['what stands several times stands once', '(?:ha){2,}', [['ha']]],
    ['a class parts', 'all[a-z]well', [['all'], ['well']]],
    ['a class with a bracket', 'all[])x]well', [['all'], ['well']]],
    ['a class without one', 'all[^]ab]well', [['all'], ['well']]],
    ['a class with an escaped one', 'all[a\\]b]well', [['all'], ['well']]],
    ['a word of any kind parts', 'you \\w+ me', [['you'], ['me']]],
    ['an assertion does not', '\\bno\\b one$', [['no one']]],
    ['an escaped mark stands for itself', 'end\\. now\\?', [['end. now?']]],
    ['a branch without any leaves nothing certain', 'x(?:abc|\\d+)', [['x']]],
    ['a name', 'you {very} need', [['you'], ['really', 'truly'], ['need']]],
    ['a name that may be missing', '只有我{very}?懂你', [['只有我'], ['懂你']]],
    ['nothing', '\\w+', []],
  ])('%s: %s', (_, source, expected) => {
    expect(literals(source)).toEqual(expected);
  });
});

describe('alternatives of several literals are told apart', () => {
  const all = (source: string): string[] =>
    vocabulary
      .read(source, true)
      .skeletons.map((steps) =>
        steps.map(({ literals }) => literals.map(({ text }) => text).join('/')).join(' '),
      );

  test.each([
    ['a branch with several', '(?:a(?:bc|de)|fg)', ['fg', 'a bc/de']],
    ['in a name', 'x.{me}', ['x me', 'x only really/truly me']],
    ['with what follows', '(?:a.b|c.d).e', ['a b e', 'c d e']],
    ['several times', '(?:a.b|c.d)(?:.e.f|.g.h)', ['a b e f', 'a b g h', 'c d e f', 'c d g h']],
    ['an optional one is not certain', '(?:a.b|c.d)?.e', ['e']],
  ])('%s: %s', (_, source, expected) => {
    expect(all(source)).toEqual(expected);
  });

  test('too many are one step', () => {
    const branches = Array.from('abcdefghijklmnopqrst', (letter) => `${letter}.x`);
    expect(all(branches.join('|'))).toHaveLength(1);
  });
});

describe('how far a literal is behind the one before', () => {
  test.each([
    ['side by side', '(?:ab|abc)(?:de)', 5],
    ['a gap of some characters', 'ab.{0,6}de', 10],
    ['a gap of words', 'ab (?:\\w+ ){0,2}de', 3 + 2 * 31 + 2],
    ['an optional part', 'ab(?: cd)?ef', 7],
  ])('%s: %s', (_, source, within) => {
    expect(skeletonOf(source)[1]?.within).toBe(within);
  });
});

test('the step that tells most is the one without common words', () => {
  const steps = skeletonOf('(?:you|we) (?:are|will be) (?:abandoned|forsaken)');
  expect(mostTelling(steps)?.literals.map(({ text }) => text)).toEqual(['abandoned', 'forsaken']);
  expect(mostTelling([])).toBeUndefined();
});

test('a name that no vocabulary has is a mistake', () => {
  expect(() => vocabulary.read('{nobody}', true)).toThrow('no vocabulary has {nobody}');
  expect(() => vocabulary.expand('{nobody}')).toThrow('no vocabulary has {nobody}');
});

test.each(['(?i:x)', '(?P<name>x)', 'a[b'])('%s is not read wrongly', (source) => {
  expect(() => vocabulary.read(source, true)).toThrow();
});

test('names are written out, also those within names', () => {
  expect(vocabulary.expand('x{me}{1,2}')).toBe('x(?:me|only (?:(?:really|truly)) me){1,2}');
});

describe('a literal begins a word', () => {
  test.each([
    ['at the start of the pattern', 'ab', { ab: true }],
    ['behind a space', 'ab.? cd', { ab: true, cd: true }],
    ['behind what ends with a space or is missing', 'ab (?:very )?cd', { ab: true, cd: true }],
    ['but not for sure behind what may end otherwise', 'ab (?:very|so )cd', { cd: false }],
    ['nor behind a character that may be missing', 'self-?harm', { self: true, harm: false }],
    ['nor behind any character', 'a\\w+cd', { cd: false }],
    ['nor when it follows itself', '(?:ab){2}', { ab: false }],
    ['though it may when that ends with a space', '(?:ab ){2}', { ab: true }],
    ['in a group as before it', 'x (?:ab|cd)', { ab: true, cd: true }],
    ['nor in a group inside a word', 'x\\w(?:ab|cd)', { ab: false, cd: false }],
    ['in what a name stands for', '{me}', { me: true }],
    ['nor where the name is inside a word', 'x\\w{me}', { me: false }],
  ])('%s: %s', (_, source, expected) => {
    const found = skeletonOf(source).flatMap((step) => step.literals);
    for (const [text, startsWord] of Object.entries(expected)) {
      expect(found).toContainEqual({ text, startsWord });
    }
  });
});
