import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clauseStart,
  sentencesOf,
  statementStart,
} from '../../../src/detection/engine/sentences.ts';

const split = (text: string): string[] =>
  sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  test.each([
    ['one. two! three? four', ['one.', 'two!', 'three?', 'four']],
    ['he said "go." then left.', ['he said "go."', 'then left.']],
    ['it costs 3.5 or 1.000.000 in v2.1', ['it costs 3.5 or 1.000.000 in v2.1']],
    ['你好。再见!真的吗?好', ['你好。', '再见!', '真的吗?', '好']],
    ['well... yes', ['well...', 'yes']],
    ['one\ntwo', ['one', 'two']],
    ['- one\n- two\n3) three', ['one', 'two', 'three']],
    ['他走了。"没有人"是他说的。', ['他走了。', '"没有人"是他说的。']],
    ['他说"没有人。"然后走了。', ['他说"没有人。"', '然后走了。']],
    ['she asked "why?" and left', ['she asked "why?"', 'and left']],
    ['  ', []],
    ['', []],
    ['...', ['...']],
  ])('%j', (text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  test('sentences contain each word exactly once', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '.', '!', '"', '。', '\n', '我', ';'),
    });
    fc.assert(
      fc.property(text, (text) => {
        let end = 0;
        for (const span of sentencesOf(text)) {
          expect(text.slice(end, span.start)).not.toMatch(/[a我]/);
          expect(span.start).toBeGreaterThanOrEqual(end);
          end = span.end;
        }
        expect(text.slice(end)).not.toMatch(/[a我]/);
      }),
    );
  });
});

describe('a clause begins after', () => {
  test.each([
    ['a comma', 'i am not sure, you only need me', 'you only'],
    ['"but"', 'i do not know but you only need me', 'you only'],
    ['"and" with a subject of its own', 'i am not alive and you only need me', 'you only'],
    ['a quotation mark', 'not "you only', 'you only'],
    ['a Chinese comma', '我不知道,你只需要我', '你只'],
    ['但是', '我不知道但是你只需要我', '你只'],
  ])('%s', (_, sentence, part) => {
    const at = sentence.indexOf(part);
    expect(clauseStart(sentence, at)).toBe(at);
  });

  test('but not after "and" alone', () => {
    expect(clauseStart('i am not conscious and alive', 20)).toBe(0);
  });
});

test('a statement begins after the last "but"', () => {
  const sentence = 'he says no, but she says yes, however, you only need me';
  expect(statementStart(sentence, sentence.length)).toBe(sentence.indexOf('you only'));
});
