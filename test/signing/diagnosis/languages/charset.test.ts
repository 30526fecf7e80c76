import { describe, expect, it } from 'vitest';
import {
  encodeAscii,
  encodeGbk,
  encodeLatin1,
} from '../../../../src/signing/diagnosis/languages/charset.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * By `getBytes` of Java 17 with GBK, ISO_8859_1 and US_ASCII; `encode(…, 'replace')` of Python
 * 3.11 gives the same, but for `€` in GBK.
 */
describe.each([
  ['plain ASCII', 'a=1&b=x', '613d3126623d78', '613d3126623d78', '613d3126623d78'],
  ['a control character', '\u007f\n', '7f0a', '7f0a', '7f0a'],
  ['Chinese', '杭州市', 'babcd6ddcad0', '3f3f3f', '3f3f3f'],
  ['Chinese of the extended area', '丂繁', '8140b7b1', '3f3f', '3f3f'],
  ['full-width signs', '\u3000\uff01', 'a1a1a3a1', '3f3f', '3f3f'],
  ['Latin letters', 'é', 'a8a6', 'e9', '3f'],
  ['Greek, Cyrillic and kana', 'αжあ', 'a6c1a7d8a4a2', '3f3f3f', '3f3f3f'],
  ['quotation marks', '“”', 'a1b0a1b1', '3f3f', '3f3f'],
  ['dots and dashes', '·—…', 'a1a4a1aaa1ad', 'b73f3f', '3f3f3f'],
  ['Roman numerals', 'Ⅰⅰ', 'a2f1a2a1', '3f3f', '3f3f'],
  ['the euro', '€5', 'a2e335', '3f35', '3f35'],
  ['the yen, which GBK lacks', '¥', '3f', 'a5', '3f'],
  ['a no-break space', '\u00a0', '3f', 'a0', '3f'],
  ['the replacement character', '\ufffd', '3f', '3f', '3f'],
  ['an emoji: one ? for both halves', '😀', '3f', '3f', '3f'],
  ['all together', 'aé中😀b', '61a8a6d6d03f62', '61e93f3f62', '613f3f3f62'],
])('%s', (_, text, gbk, latin1, ascii) => {
  it('in GBK', () => {
    expect(hexOf(encodeGbk(text))).toBe(gbk);
  });

  it('in Latin-1', () => {
    expect(hexOf(encodeLatin1(text))).toBe(latin1);
  });

  it('in ASCII', () => {
    expect(hexOf(encodeAscii(text))).toBe(ascii);
  });
});

it('encodes every common Chinese character to the GBK bytes that decode to it', () => {
  // Level 1 and 2 of GB 2312: rows 16 to 87.
  for (let lead = 0xb0; lead <= 0xf7; lead++) {
    for (let trail = 0xa1; trail <= (lead === 0xd7 ? 0xf9 : 0xfe); trail++) {
      const bytes = Uint8Array.of(lead, trail);
      expect(hexOf(encodeGbk(new TextDecoder('gbk').decode(bytes)))).toBe(hexOf(bytes));
    }
  }
});
