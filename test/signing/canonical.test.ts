import { describe, expect, it } from 'vitest';
import { canonicalString, digest, type Entry, sortedByName } from '../../src/signing/canonical.ts';
import { vectors } from './vectors.ts';

const entriesOf = (pairs: readonly (readonly [string, string])[]): readonly Entry[] =>
  pairs.map(([name, value]) => ({ name, value, source: 'business' }));

describe('sortedByName', () => {
  it.each([
    ['digits by character', ['2', '10', '1'], ['1', '10', '2']],
    ['upper case, "_", lower case', ['b', '_', 'B', 'a', 'A'], ['A', 'B', '_', 'a', 'b']],
    ['a prefix before longer names', ['ab', 'a', 'a_', ''], ['', 'a', 'a_', 'ab']],
    ['accents after ASCII', ['é', 'z', 'e'], ['e', 'z', 'é']],
    ['surrogate pairs by code unit', ['\uff5e', '🚕', '杭'], ['杭', '🚕', '\uff5e']],
    ['names of prototypes', ['constructor', '__proto__'], ['__proto__', 'constructor']],
  ])('puts %s', (_, names, sorted) => {
    const entries = entriesOf(names.map((name) => [name, '']));
    expect(sortedByName(entries).map(({ name }) => name)).toEqual(sorted);
  });

  it('does not change its argument', () => {
    const entries = Object.freeze(
      entriesOf([
        ['b', ''],
        ['a', ''],
      ]),
    );
    expect(sortedByName(entries)).not.toBe(entries);
    expect(entries.map(({ name }) => name)).toEqual(['b', 'a']);
  });
});

describe('canonicalString', () => {
  it.each(vectors)('of vector $title, body mode', ({ bodyMode }) => {
    expect(canonicalString(bodyMode.entries)).toBe(bodyMode.canonical);
  });

  it.each(vectors)('of vector $title, header mode', ({ headerMode }) => {
    const headers = entriesOf(headerMode.headers);
    expect(canonicalString([...headerMode.businessEntries, ...headers])).toBe(headerMode.canonical);
  });

  it.each([
    ['nothing', [], ''],
    ['an empty value', [['a', '']], 'a='],
    [
      'separators and white space, unescaped',
      [
        ['b', ' a=1&c\n'],
        ['a', '%20'],
      ],
      'a=%20&b= a=1&c\n',
    ],
  ] satisfies [string, [string, string][], string][])('of %s', (_, pairs, expected) => {
    expect(canonicalString(entriesOf(pairs))).toBe(expected);
  });
});

describe('digest', () => {
  it.each(vectors)('of vector $title, body mode', ({ bodyMode, credentials }) => {
    expect(digest(bodyMode.canonical, credentials.secret)).toBe(bodyMode.sign);
  });

  it.each(vectors)('of vector $title, header mode', ({ headerMode, credentials }) => {
    expect(digest(headerMode.canonical, credentials.secret)).toBe(headerMode.sign);
  });

  // The test suite of RFC 1321.
  it.each([
    ['', '', 'D41D8CD98F00B204E9800998ECF8427E'],
    ['a', '', '0CC175B9C0F1B6A831C399E269772661'],
    ['a', 'bc', '900150983CD24FB0D6963F7D28E17F72'],
    ['message ', 'digest', 'F96B697D7CB7938D525A2F31AAF161D0'],
  ])('is the upper-case MD5 of %j and %j, joined without separator', (canonical, secret, sign) => {
    expect(digest(canonical, secret)).toBe(sign);
  });
});
