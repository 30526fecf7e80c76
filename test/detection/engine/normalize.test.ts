import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalize } from '../../../src/detection/engine/normalize.ts';
import { CHARACTER } from '../../support/character.ts';

const normal = (text: string): string => normalize(text).text;

/** The part of a text that the first occurrence of `part` in its normalised copy stands for. */
function sourceOf(text: string, part: string): string {
  const mapped = normalize(text);
  const at = mapped.text.indexOf(part);
  expect(at).toBeGreaterThanOrEqual(0);
  const { start, end } = mapped.sourceRange(at, at + part.length);
  return text.slice(start, end);
}

describe('equal-looking texts become equal', () => {
  test.each([
    ['case', 'You ONLY Need', 'you only need'],
    ['full-width letters', 'ｙｏｕ ｏｎｌｙ', 'you only'],
    ['mathematical letters', '𝐲𝐨𝐮 𝘰𝘯𝘭𝘺', 'you only'],
    ['accents', 'yóu önly', 'you only'],
    ['a combining accent', 'yo\u0301u', 'you'],
    ['Cyrillic letters', 'уоu оnlу', 'you only'],
    ['upper-case Greek letters', 'ΥΟU ΜE', 'you me'],
    ['small capitals', 'ʏᴏᴜ', 'you'],
    ['zero-width characters', 'o\u200bn\u2060l\u00ady', 'only'],
    ['characters that reverse the direction', 'on\u202ely', 'only'],
    ['curly quotes', '“you don’t”', '"you do not"'],
    ['markdown', '**you** _only_ `need`', 'you only need'],
    ['digits inside a word', 'y0u n3ed k1lling', 'you need killing'],
    ['a word spelt out', 'k i l l it, k.i.l.l it', 'kill it, kill it'],
    ['traditional characters', '沒有人懂你，我們愛妳', '没有人懂你,我们爱你'],
    ['spaces inside Chinese', '只 有·我 懂', '只有我懂'],
    ['full-width marks', '你好，再见！', '你好,再见!'],
    ['ligatures', 'ﬁne', 'fine'],
    ['characters that expand to a phrase', 'a\ufdfab', 'a b'],
  ])('%s', (_, text, copy) => {
    expect(normal(text)).toBe(copy);
  });
});

describe('contractions are expanded', () => {
  test.each([
    ["don't", 'do not'],
    ['dont', 'do not'],
    ["can't, cannot, cant", 'can not, can not, can not'],
    ["won't", 'will not'],
    ["you're youre", 'you are you are'],
    ["we're were", 'we are were'],
    ["I'm im", 'i am i am'],
    ["I've, I'll, I'd", 'i have, i will, i would'],
    ["it's that's nobody's", 'it is that is nobody is'],
    ["your doctor's advice", "your doctor's advice"],
    ["let's", 'let us'],
    ['gonna u', 'going to you'],
  ])('%s', (text, copy) => {
    expect(normal(text)).toBe(copy);
  });
});

describe('white space', () => {
  test.each([
    ['a  \t b', 'a b'],
    ['one.\r\n\r\n  Two', 'one.\ntwo'],
    ['a line that\ngoes on', 'a line that goes on'],
    ['第一行\n第二行', '第一行\n第二行'],
    ['a paragraph\n\nand another', 'a paragraph\nand another'],
    ['A heading\nA line', 'a heading\na line'],
    [' \u00a0\u3000x ', ' x '],
  ])('%j', (text, copy) => {
    expect(normal(text)).toBe(copy);
  });
});

describe('positions map to the source', () => {
  test.each([
    ["I'd say YOU’RE *so* ｂｅａｕｔｉｆｕｌ.", 'you are', 'YOU’RE'],
    ["I'd say YOU’RE *so* ｂｅａｕｔｉｆｕｌ.", 'so', 'so'],
    ["I'd say YOU’RE *so* ｂｅａｕｔｉｆｕｌ.", 'beautiful', 'ｂｅａｕｔｉｆｕｌ'],
    ['a k.i.l.l b', 'kill', 'k.i.l.l'],
    ['😀 o\u200bnly', 'only', 'o\u200bnly'],
    ['我說：只 有 我', '只有我', '只 有 我'],
  ])('%s: %s', (text, part, source) => {
    expect(sourceOf(text, part)).toBe(source);
  });

  test('for any text, ranges are valid and in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: CHARACTER, maxLength: 60 }), (text) => {
        const mapped = normalize(text);
        let before = 0;
        for (let at = 0; at < mapped.text.length; at++) {
          const { start, end } = mapped.sourceRange(at, at + 1);
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          before = start;
        }
      }),
    );
  });
});
