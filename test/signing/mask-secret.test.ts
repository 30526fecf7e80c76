import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { maskSecret, secretHider } from '../../src/signing/mask-secret.ts';
import { caseOf, RICH_BODY, variantsOf } from './diagnosis/support.ts';

describe('maskSecret', () => {
  it.each([
    ['secret', 'MASK'],
    [' secret\n', ' MASK\n'],
    ['"secret"', '"MASK"'],
    ["\t'sec ret' ", "\t'MASK' "],
    ['"secret', 'MASK'],
    ['   ', 'MASK   '],
    ['', 'MASK'],
  ])('of %j is %j', (secret, masked) => {
    expect(maskSecret(secret, 'MASK')).toBe(masked);
  });
});

describe('secretHider', () => {
  it.each([
    ['unchanged', 'key=Top Secret+1&z'],
    ['in upper case', 'key=TOP SECRET+1&z'],
    ['in lower case', 'key=top secret+1&z'],
    ['percent-encoded', 'key=Top%20Secret%2B1&z'],
    ['in hex', `key=${Buffer.from('Top Secret+1').toString('hex')}&z`],
    ['in hex in upper case', `key=${Buffer.from('Top Secret+1').toString('hex').toUpperCase()}&z`],
    ['reversed', 'key=1+terceS poT&z'],
    ['as its MD5', `key=${hash('md5', 'Top Secret+1')}&z`],
    ['as its MD5 in upper case', `key=${hash('md5', 'Top Secret+1').toUpperCase()}&z`],
    ['as the Base64 of its MD5', `key=${hash('md5', 'Top Secret+1', 'base64')}&z`],
  ])('hides a secret %s', (_, text) => {
    expect(secretHider(['Top Secret+1'], '*')(text)).toBe('key=*&z');
  });

  it('hides a secret without the white space and quotes around it', () => {
    const hide = secretHider(['TopSecret \n', '"other"'], '*');
    expect(hide('a=TopSecret')).toBe('a=*');
    expect(hide('a=other')).toBe('a=*');
    expect(hide(`a=${hash('md5', '"other"')}&b=${hash('md5', 'other')}`)).toBe('a=*&b=*');
  });

  it('hides the longest of overlapping secrets', () => {
    expect(secretHider(['abcd', 'abcdef'], '*')('abcdef')).toBe('*');
  });

  it('ignores values that are too short for a secret', () => {
    const text = `a=abc&b=616263&c=${hash('md5', 'abc')}&d=${hash('md5', '')}&e=0000`;
    expect(secretHider(['abc', '', '30303030'], '*')(text)).toBe(text);
  });

  it('hides the transformations of a secret that signers append', () => {
    const secret = Buffer.from('a secret of 24 bytes, +/').toString('base64');
    const { evidence, right } = caseOf(RICH_BODY);
    const transformed = variantsOf('secret-joined', { ...evidence, secret })
      .map(({ change }) => change(right).steps.transformSecret)
      // Words such as null, and asterisks, are the same for every secret.
      .filter((transform) => transform(secret) !== transform('x'.repeat(secret.length)))
      .map((transform) => transform(secret))
      .filter(({ length }) => length >= 16);
    const hide = secretHider([secret], '*');
    expect(new Set(transformed).size).toBeGreaterThan(10);
    expect(transformed.filter((text) => hide(`a=1&b=2${text}`).includes(text))).toEqual([]);
  });
});
