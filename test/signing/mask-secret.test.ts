import { describe, expect, it } from 'vitest';
import { hideSecrets, maskSecret } from '../../src/signing/mask-secret.ts';

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

describe('hideSecrets', () => {
  it.each([
    ['as it is', 'key=Top Secret+1&z'],
    ['in upper case', 'key=TOP SECRET+1&z'],
    ['in lower case', 'key=top secret+1&z'],
    ['percent-encoded', 'key=Top%20Secret%2B1&z'],
  ])('hides a secret %s', (_, text) => {
    expect(hideSecrets(text, ['Top Secret+1'], '*')).toBe('key=*&z');
  });

  it('hides a secret without the white space and quotes around it', () => {
    expect(hideSecrets('a=TopSecret', ['TopSecret \n', '"other"'], '*')).toBe('a=*');
    expect(hideSecrets('a=other', ['"other"'], '*')).toBe('a=*');
  });

  it('hides the longest of those that hold each other', () => {
    expect(hideSecrets('abcdef', ['abcd', 'abcdef'], '*')).toBe('*');
  });

  it('leaves alone what is too short to be a secret', () => {
    expect(hideSecrets('a=abc', ['abc', ''], '*')).toBe('a=abc');
  });
});
