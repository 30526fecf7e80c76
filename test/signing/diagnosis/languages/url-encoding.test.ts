import { describe, expect, it } from 'vitest';
import { encodeGbk } from '../../../../src/signing/diagnosis/languages/charset.ts';
import {
  URL_ENCODERS,
  urlDecoded,
} from '../../../../src/signing/diagnosis/languages/url-encoding.ts';

function encoderOf(name: string) {
  const encoder = URL_ENCODERS.find((candidate) => candidate.name === name);
  if (!encoder) throw new Error(`no encoder ${name}`);
  return encoder.apply;
}

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_, index) =>
  String.fromCharCode(0x20 + index),
).join('');
const TEXT = `${PRINTABLE}\n中é😀`;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const AFTER = '%0A%E4%B8%AD%C3%A9%F0%9F%98%80';

/** The encodings of the ASCII ranges before, between and after digits and letters. */
function encoded(before: string, middle: string, between: string, behind: string): string {
  return `${before}0123456789${middle}${LETTERS}${between}${LETTERS.toLowerCase()}${behind}${AFTER}`;
}

/** All of printable ASCII, a line end, 中, é and an emoji; by Node 20, PHP 8.2, Python 3.11, Go 1.19, Java 17. */
describe('URL_ENCODERS', () => {
  it.each([
    [
      'encodeURIComponent of JavaScript',
      encoded(
        "%20!%22%23%24%25%26'()*%2B%2C-.%2F",
        '%3A%3B%3C%3D%3E%3F%40',
        '%5B%5C%5D%5E_%60',
        '%7B%7C%7D~',
      ),
    ],
    [
      'RFC 3986 (rawurlencode of PHP)',
      encoded(
        '%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F',
        '%3A%3B%3C%3D%3E%3F%40',
        '%5B%5C%5D%5E_%60',
        '%7B%7C%7D~',
      ),
    ],
    [
      'quote of Python',
      encoded(
        '%20%21%22%23%24%25%26%27%28%29%2A%2B%2C-./',
        '%3A%3B%3C%3D%3E%3F%40',
        '%5B%5C%5D%5E_%60',
        '%7B%7C%7D~',
      ),
    ],
    [
      'quote_plus of Python (QueryEscape of Go)',
      encoded(
        '+%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F',
        '%3A%3B%3C%3D%3E%3F%40',
        '%5B%5C%5D%5E_%60',
        '%7B%7C%7D~',
      ),
    ],
    [
      'urlencode of PHP',
      encoded(
        '+%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F',
        '%3A%3B%3C%3D%3E%3F%40',
        '%5B%5C%5D%5E_%60',
        '%7B%7C%7D%7E',
      ),
    ],
    [
      'URLEncoder of Java',
      encoded(
        '+%21%22%23%24%25%26%27%28%29*%2B%2C-.%2F',
        '%3A%3B%3C%3D%3E%3F%40',
        '%5B%5C%5D%5E_%60',
        '%7B%7C%7D%7E',
      ),
    ],
    [
      'encodeURI of JavaScript',
      encoded("%20!%22#$%25&'()*+,-./", ':;%3C=%3E?@', '%5B%5C%5D%5E_%60', '%7B%7C%7D~'),
    ],
  ])('%s', (name, expected) => {
    expect(encoderOf(name)(TEXT)).toBe(expected);
  });

  // Not run: after the documentation of HttpUtility.UrlEncode, and of RFC 3986.
  it.each([
    ['UrlEncode of .NET', "a b/!*()'~中", 'a+b%2f!*()%27%7e%e4%b8%ad'],
    ['RFC 3986 in lower case', "a b/!*()'~中", 'a%20b%2f%21%2a%28%29%27~%e4%b8%ad'],
  ])('%s', (name, text, expected) => {
    expect(encoderOf(name)(text)).toBe(expected);
  });

  // By `URLEncoder.encode(text, "GBK")` and `quote(text, encoding='gbk')`.
  it.each([
    ['URLEncoder of Java', '%BA%BC%D6%DD+%A8%A6%2F%7E'],
    ['quote of Python', '%BA%BC%D6%DD%20%A8%A6/~'],
  ])('%s in GBK', (name, expected) => {
    expect(encoderOf(name)('杭州 é/~', encodeGbk)).toBe(expected);
  });

  it.each(URL_ENCODERS)('does not change letters and digits: $name', ({ apply }) => {
    expect(apply('')).toBe('');
    expect(apply('abcXYZ019')).toBe('abcXYZ019');
  });
});

describe('urlDecoded', () => {
  it.each([
    ['a%20b', 'a b'],
    ['a+b', 'a b'],
    ['%E4%B8%AD', '中'],
    ['%e4%b8%ad', '中'],
    ['a%2Bb', 'a+b'],
    ['plain', 'plain'],
    ['', ''],
    ['100%', '100%'],
    ['50%+10', '50%+10'],
    ['%BA%BC', '%BA%BC'],
  ])('%s means %s', (text, expected) => {
    expect(urlDecoded(text)).toBe(expected);
  });

  it.each(URL_ENCODERS.filter(({ name }) => !name.startsWith('encodeURI of')))(
    'undoes $name',
    ({ apply }) => {
      expect(urlDecoded(apply(TEXT))).toBe(TEXT);
    },
  );
});
