import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decryptParameters, encryptParameters } from '../../src/sandbox/encryption.ts';
import { CHARACTER } from '../support/character.ts';
import { NOW } from './support.ts';

test('any encrypted text is decrypted', () => {
  const text = fc.oneof(fc.json({ stringUnit: CHARACTER }), fc.string({ unit: CHARACTER }));
  fc.assert(
    fc.property(text, fc.nat({ max: 9_999_999_999_999 }), (plaintext, now) => {
      const encrypted = encryptParameters(plaintext, now);
      expect(encrypted.encryptId).toMatch(/^\d{1,18}$/);
      expect(encrypted.encryptData).toMatch(/^[A-Za-z\d+/]+={0,2}$/);
      expect(decryptParameters(encrypted)).toBe(plaintext);
    }),
  );
});

test('the same text is encrypted differently each time', () => {
  const made = Array.from({ length: 20 }, () => encryptParameters('{}', NOW));
  expect(new Set(made.map(({ encryptData }) => encryptData)).size).toBe(20);
  expect(new Set(made.map(({ encryptId }) => encryptId)).size).toBeGreaterThan(1);
});

test('changed or truncated data, and data of another serial number, cannot be decrypted', () => {
  const { encryptData, encryptId } = encryptParameters('{"openId":"o-1"}', NOW);
  const bytes = Buffer.from(encryptData, 'base64');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(decryptParameters({ encryptData: changed.toString('base64'), encryptId })).toBe(
      undefined,
    );
    const cut = bytes.subarray(0, index).toString('base64');
    expect(decryptParameters({ encryptData: cut, encryptId })).toBe(undefined);
  }
  expect(decryptParameters({ encryptData, encryptId: `${encryptId.slice(0, -1)}x` })).toBe(
    undefined,
  );
});
