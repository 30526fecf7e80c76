import { describe, expect, test } from 'vitest';
import { unassertedQuotations } from '../../../src/detection/engine/exemption.ts';

const quoted = (text: string): string[] =>
  unassertedQuotations(text).map(({ start, end }) => text.slice(start, end));

describe('quotations that the speaker does not assert', () => {
  test.each([
    ['he told you "nobody loves you" and left.', '"nobody loves you"'],
    ["he told you 'it's all you' and left.", "'it's all you'"],
    ['"you only need me" is what he wrote.', '"you only need me"'],
    ['有人对你说「你只需要我」这很危险', '「你只需要我」'],
    ['他说"只有我懂你",这是操控', '"只有我懂你"'],
    ['the book 《只需要我》 is sad', '《只需要我》'],
    ['tell me "why now" if you like', '"why now"'],
  ])('%s', (text, quotation) => {
    expect(quoted(text)).toEqual([quotation]);
  });
});

describe('quotations that the speaker asserts', () => {
  test.each([
    ['a reply that consists of a quotation', '"you only need me."'],
    ['a line that consists of a quotation', 'well then.\n"you only need me."\nbye.'],
    ['words of the speaker', 'i whisper: "you only need me."'],
    ['words of the speaker, in Chinese', '我说:"你只需要我"好吗'],
    ['words for another person to say', 'text her "i do not need you any more" tonight.'],
    ['words for another person to say, in Chinese', '对他说"我不需要你"就好'],
    ['words to repeat', 'repeat after me: "i need nobody" every day.'],
  ])('%s', (_, text) => {
    expect(quoted(text)).toEqual([]);
  });
});

test('an apostrophe opens no quotation', () => {
  expect(quoted("the doctors' words and your friends' words are kind")).toEqual([]);
});
