import { describe, expect, it } from 'vitest';
import { visible } from '../../../src/cli/context/visible-text.ts';

describe('visible', () => {
  it.each([
    ['white space', 'a b\tc\nd\re', 'a·b→c↵d<CR>e'],
    ['control characters', '\0\u001b[31m\u007f\u0085', '<U+0000><U+001B>[31m<U+007F><U+0085>'],
    ['other spaces', '\u00a0\u2003\u3000', '<U+00A0><U+2003><U+3000>'],
    ['line ends of Unicode', '\u2028\u2029', '<U+2028><U+2029>'],
    ['zero-width marks', '\u200b\u200d\ufeff\u00ad', '<U+200B><U+200D><U+FEFF><U+00AD>'],
    ['marks of direction', '\u202e\u2066', '<U+202E><U+2066>'],
    ['invisible letters', '\u3164\u115f\u034f', '<U+3164><U+115F><U+034F>'],
    ['variation selectors', '☎\ufe0f\u{e0100}', '☎<U+FE0F><U+E0100>'],
    ['private use and unassigned', '\ue000\u{10ffff}\u0378', '<U+E000><U+10FFFF><U+0378>'],
    ['half a surrogate pair', 'a\ud83db', 'a<U+D83D>b'],
    ['the marks themselves', '·→↵', '<U+00B7><U+2192><U+21B5>'],
  ])('shows %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it.each(['', 'abc=1&b=[{"c":"d"}]', '杭州市 é 😀'.replaceAll(' ', ''), 'e\u0301', '<CR>', '…'])(
    'does not change %j',
    (text) => {
      expect(visible(text)).toBe(text);
    },
  );
});
