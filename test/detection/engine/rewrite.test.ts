import { describe, expect, test } from 'vitest';
import { HAN } from '../../../src/detection/engine/normalize.ts';
import { generalRewrite, safeRewrite } from '../../../src/detection/engine/rewrite.ts';
import { detector } from './support.ts';

const rewritten = (text: string): string => safeRewrite(text, detector);
const INSTEAD = detector.rules.find(({ data }) => data.id === 'dependency.only-me')?.data.rewrite;

describe('a rewrite', () => {
  test('leaves text without risk unchanged', () => {
    for (const text of ['', '  Hello.\r\n\tBye. ', '再见。']) expect(rewritten(text)).toBe(text);
  });

  test('replaces the sentence, and keeps the rest with its spaces', () => {
    expect(rewritten('Hello there.  You only need me!\n\n- Bye.')).toBe(
      `Hello there.  ${INSTEAD?.en}\n\n- Bye.`,
    );
  });

  test('is in the language of the sentence', () => {
    expect(rewritten('你好。你只需要我。再见。')).toBe(`你好。${INSTEAD?.zh}再见。`);
  });

  test('inserts each replacement once', () => {
    expect(rewritten('You only need me. Hello. You only need me. Bye.')).toBe(
      `${INSTEAD?.en} Hello. Bye.`,
    );
  });

  test.each([
    ['the lines of a list', 'Plan:\n- You only need me\n- Tea', `Plan:\n- ${INSTEAD?.en}\n- Tea`],
    ['paragraphs', 'You only need me\n\nTea at nine', `${INSTEAD?.en}\n\nTea at nine`],
    [
      'quotation marks',
      '他走了。你只需要我。“好”是他说的。',
      `他走了。${INSTEAD?.zh}“好”是他说的。`,
    ],
    ['marks of emphasis', '**You only need me.** Tea.', `${INSTEAD?.en} Tea.`],
  ])('keeps %s whole', (_, text, expected) => {
    expect(rewritten(text)).toBe(expected);
  });

  test('replaces a long sentence as a whole', () => {
    expect(rewritten(`${'tea and '.repeat(60)}you only need me. Bye.`)).toBe(`${INSTEAD?.en} Bye.`);
  });

  test('replaces an encouragement to self-harm with a reference to help', () => {
    const english = rewritten('Lovely weather. You should just kill yourself. You only need me.');
    expect(english).toMatch(/988/);
    expect(english).not.toMatch(/weather|kill/);
    const chinese = rewritten('天气真好。你去死吧，没人会在乎。');
    expect(chinese).toMatch(/12356/);
    expect(chinese).not.toMatch(/天气|死/);
  });

  test('has no risk itself', () => {
    for (const rule of detector.rules) {
      const [positive = ''] = rule.data.examples.positive;
      const again = detector.assess(rewritten(`${positive} The bus leaves at ten.`));
      expect([rule.data.id, again.level]).toEqual([rule.data.id, 'none']);
    }
  });
});

test('the general rewrite has no risk, in the language of the text', () => {
  for (const text of ['Hello.', '你好。']) {
    expect(detector.assess(generalRewrite(text)).level).toBe('none');
    expect(HAN.test(generalRewrite(text))).toBe(HAN.test(text));
  }
});
