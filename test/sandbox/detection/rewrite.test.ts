import { describe, expect, test } from 'vitest';
import { RuleEngine } from '../../../src/sandbox/detection/engine.ts';
import { generalRewrite, safeRewrite } from '../../../src/sandbox/detection/rewrite.ts';

const engine = new RuleEngine();
const rewritten = (text: string): string => safeRewrite(text, engine.assess(text));
const INSTEAD = engine.rules.find(({ data }) => data.id === 'dependency.only-me')?.data.rewrite;

describe('a rewrite', () => {
  test('leaves text without risk as it is', () => {
    for (const text of ['', '  Hello.\r\n\tBye. ', '再见。']) expect(rewritten(text)).toBe(text);
  });

  test('puts something else in the place of the sentence, and keeps the rest with its spaces', () => {
    expect(rewritten('Hello there.  You only need me!\n\n- Bye.')).toBe(
      `Hello there.  ${INSTEAD?.en}\n\n- Bye.`,
    );
  });

  test('is in the language of the sentence', () => {
    expect(rewritten('你好。你只需要我。再见。')).toBe(`你好。${INSTEAD?.zh}再见。`);
  });

  test('says the same thing once', () => {
    expect(rewritten('You only need me. Hello. You only need me. Bye.')).toBe(
      `${INSTEAD?.en} Hello. Bye.`,
    );
  });

  test('keeps nothing of an encouragement to self-harm, and points to help', () => {
    const english = rewritten('Lovely weather. You should just kill yourself. You only need me.');
    expect(english).toMatch(/988/);
    expect(english).not.toMatch(/weather|kill/);
    const chinese = rewritten('天气真好。你去死吧，没人会在乎。');
    expect(chinese).toMatch(/12356/);
    expect(chinese).not.toMatch(/天气|死/);
  });

  test('has no risk itself', () => {
    for (const rule of engine.rules) {
      const [positive = ''] = rule.data.examples.positive;
      const again = engine.assess(rewritten(`${positive} The bus leaves at ten.`));
      expect([rule.data.id, again.level]).toEqual([rule.data.id, 'none']);
    }
  });
});

test('the general rewrite has no risk, in the language of the text', () => {
  for (const text of ['Hello.', '你好。']) {
    expect(engine.assess(generalRewrite(text)).level).toBe('none');
  }
});
