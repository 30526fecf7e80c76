import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import {
  cmdLine,
  cmdWords,
  isBrowserCommand,
  isCmdCommand,
} from '../../../src/signing/capture/cmd-words.ts';
import { usageError } from '../helpers.ts';

const words = (text: string) => {
  const isBrowser = isBrowserCommand(text, 0);
  const words = cmdWords(cmdLine(text, 0, isBrowser).line, isBrowser, 'curl');
  if (words instanceof MopError) throw words;
  return words;
};

describe('isCmdCommand', () => {
  it.each([
    ['curl ^"https://host/^"', true],
    ['curl "https://host/" ^\r\n  -d "{}"', true],
    ['curl "https://host/" -d "{^\\^"a^\\^":1^}"', true],
    ['curl "https://host/" -d "{""a"":1}"', true],
    ['curl https://host/ ^\n -d x', true],
    ['curl \'https://host/\' -d \'{"re":" ^"}\'', false],
    ['curl $\'https://host/\' -d "{""a"":1}"', false],
    ['curl "https://host/" -d \'{"a":"","b":[""]}\'', false],
    ['curl "https://host/" -d "{\\"a\\":1}"', false],
    ['curl https://host/', false],
  ])('for %j is %s', (text, expected) => {
    expect(isCmdCommand(text, 4)).toBe(expected);
  });
});

describe('cmdWords', () => {
  it.each<[text: string, words: string[]]>([
    [' a  "b c" d"e f"g ""', ['a', 'b c', 'de fg', '']],
    // The C runtime: backslashes count only before a quote.
    [
      String.raw`C:\dir\x "a\\b" "a\"b" "a\\" "a\\\"b"`,
      ['C:\\dir\\x', 'a\\\\b', 'a"b', 'a\\', 'a\\"b'],
    ],
    ['"a""b" "a"""', ['a"b', 'a"']],
    [String.raw`"a\\""b"`, ['a\\"b']],
    // cmd.exe: a caret escapes outside quotes and is an ordinary character in them.
    ['a^&b "a^&b" ^^ c^ d', ['a&b', 'a^&b', '^', 'c', 'd']],
    ['a ^\n  b', ['a', 'b']],
    ['a "b"^\n\n"c"', ['a', 'b\nc']],
    ['a & b', ['a']],
    ['a "b & c" > d', ['a', 'b & c']],
    ['a\nb', ['a']],
    ["a 'b", ['a', "'b"]],
  ])('splits %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it.each(['"a b', 'a ^"b', 'a "b\nc"'])('rejects %j', (text) => {
    expect(() => words(text)).toThrow(
      usageError('read as a curl command: a double quote is not closed, in argument'),
    );
  });

  it('reads back the output of Chrome, with its doubled backslashes', () => {
    const chrome = (text: string) =>
      `^"${text
        .replace(/[\\"]/g, '\\$&')
        .replace(/[^\w\s\-:=+~'/.',?;()*`]/g, '^$&')
        .replace(/%(?=\w)/g, '%^')
        .replace(/\n/g, '^\n\n')}^"`;
    const text = fc.string({
      unit: fc.constantFrom(...'ab1 "\\%^&|<>!\n{}[]:,\'$`中🚕'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        expect(words(` ${texts.map(chrome).join(' ^\n  ')}`)).toEqual(texts);
      }),
      { seed: 20261119, numRuns: 500 },
    );
  });
});
