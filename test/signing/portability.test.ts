import { describe, expect, it } from 'vitest';
import { portabilityWarnings } from '../../src/signing/portability.ts';
import { readBody } from '../../src/signing/value-text.ts';

const warnings = (text: string) => portabilityWarnings(readBody(text));

describe('portabilityWarnings', () => {
  const exponent = 'many languages print it without the exponent';
  const zero = 'many languages print it as 0';
  const zeros = 'many languages drop the trailing zeros';
  const digits = 'many languages round numbers with more than 15 digits';

  it.each([
    ['1e2', exponent],
    ['1.5E-3', exponent],
    ['0e0', exponent],
    ['-0', zero],
    ['-0.00', zero],
    ['1.0', zeros],
    ['0.0', zeros],
    ['30.10', zeros],
    ['3791411052119578828', digits],
    ['-1234567890123456', digits],
    ['0.1234567890123456', digits],
    ['123456789.0123456', digits],
  ])('warns about %s', (text, why) => {
    expect(warnings(`{"n":${text}}`)).toEqual([`n is ${text}: ${why}; it is signed as written`]);
  });

  it.each(['0.0000001', '-0.00000012'])('warns about %s, which JavaScript reprints', (text) => {
    expect(warnings(`{"n":${text}}`)).toHaveLength(1);
  });

  it.each([
    '0',
    '-1',
    '100',
    '1795132800',
    '30.27',
    '-120.5',
    '0.05',
    '123456789012345',
    '0.00123456789012345',
  ])('accepts %s', (text) => {
    expect(warnings(`{"n":${text}}`)).toEqual([]);
  });

  it.each(['"1.0"', '"1e2"', 'true', 'null', '{}', '[]'])('accepts %s', (text) => {
    expect(warnings(`{"n":${text}}`)).toEqual([]);
  });

  it('names the place of each number, in order', () => {
    const text = '{"z":1.0,"a":{"b":[1,-0,{"c":1e2}]},"ok":1,"l":[[2.0]]}';
    expect(warnings(text).map((warning) => warning.split(':')[0])).toEqual([
      'z is 1.0',
      'a.b[1] is -0',
      'a.b[2].c is 1e2',
      'l[0][0] is 2.0',
    ]);
  });

  it('names the first hundred numbers of a nested value, and counts the others', () => {
    const [first, ...rest] = warnings(
      JSON.stringify({ a: { b: 0 } }).replace('0', `[${'1.0, '.repeat(149)}1.0]`),
    );
    expect(first).toMatch(/^a\.b\[0\] is 1\.0: /);
    expect(rest).toHaveLength(100);
    expect(rest.at(-1)).toBe('a has 50 more numbers like these');
  });
});
