import fc from 'fast-check';
import fastStringWidth from 'fast-string-width';
import { expect, it } from 'vitest';
import { wrapChinese } from '../../../src/cli/context/wrap-chinese.ts';

it.each([
  ['签名不匹配', 6, '签名不\n匹配'],
  ['先运行 mop config init', 12, '先运行 mop\nconfig init'],
  ['缺少账单，请重试', 8, '缺少账\n单，请重\n试'],
  ['（可选值）', 6, '（可选\n值）'],
  ['见（mop help）', 12, '见\n（mop help）'],
  ['路径 /a/long/path/of/a/file', 10, '路径 /a/\nlong/path/\nof/a/file'],
  ['打开 https://host/requests', 14, '打开\nhttps://host/\nrequests'],
  ['路径 abcdefghijklm', 10, '路径 abcde\nfghijklm'],
  ['第一行\n第二行', 20, '第一行\n第二行'],
  ['', 5, ''],
])('wraps %j to %s columns', (text, width, expected) => {
  expect(wrapChinese(text, width)).toBe(expected);
});

it('loses no character, and exceeds no width', () => {
  const texts = fc.array(
    fc.constantFrom('签', '名', '，', '。', '（', '）', 'mop', ' ', '--lang', '1'),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 40 }), (parts, width) => {
      const text = `签${parts.join('').replaceAll(/[ ，。（）]*([ ，。（）])/g, '$1')}`;
      const lines = wrapChinese(text, width).split('\n');
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      for (const line of lines) expect(line).not.toMatch(/^[，。）]/u);
      // Punctuation stays at the end of its line.
      for (const line of lines) {
        expect(fastStringWidth(line.replace(/[，。（）]+/g, ''))).toBeLessThanOrEqual(width);
      }
    }),
  );
});
