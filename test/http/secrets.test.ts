import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceSecrets } from '../../src/http/secrets.ts';
import { ENCODINGS } from '../secrets/encodings.ts';
import { traces } from '../secrets/traces.ts';

const SEED = { seed: 20261122, numRuns: 60 };

const MARK = '<redacted>';

const secret = fc
  .string({
    unit: fc.constantFrom(...'abcXYZ019 -_.+/="\'\\&<>%ü杭🚕'),
    minLength: 8,
    maxLength: 40,
  })
  .filter((text) => text.trim().length >= 8);
const writer = fc.constantFrom(...Object.entries(ENCODINGS));

describe('replaceSecrets', () => {
  it('replaces a secret in each encoding and in each pair of nested encodings', () => {
    fc.assert(
      fc.property(secret, writer, writer, (secret, [, inner], [, outer]) => {
        const text = outer(`{"a":"${inner(`no: ${secret}!`)}"}`);
        expect(traces(replaceSecrets(text, [secret], MARK), secret)).toEqual([]);
      }),
      SEED,
    );
  });

  it('replaces a secret in base64, in either alphabet, at any offset', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (secret, before, after) => {
        const bytes = Buffer.from(before + secret + after);
        for (const text of [bytes.toString('base64'), bytes.toString('base64url')]) {
          expect(traces(replaceSecrets(text, [secret], MARK), secret)).toEqual([]);
        }
      }),
      SEED,
    );
  });

  it('replaces a secret that contains another one as a whole', () => {
    expect(replaceSecrets('a-canary-1', ['canary', 'a-canary-1'], MARK)).toBe(MARK);
    expect(replaceSecrets('A-CANARY-1', ['a-canary-1'], MARK)).toBe(MARK);
    // The replacement is not searched for other secrets.
    expect(replaceSecrets('canary', ['canary', 'redacted'], MARK)).toBe(MARK);
  });

  it('finds a secret of any length', () => {
    const long = 'a="/&+ '.repeat(10_000);
    expect(replaceSecrets(`no: ${long.trim()}!`, [long], MARK)).toBe(`no: ${MARK}!`);
  });

  it('changes no other text', () => {
    const text = 'order_id,amount\n1,2.50\n"a\\\\b"';
    expect(replaceSecrets(text, ['canary-1', ''], MARK)).toBe(text);
    expect(replaceSecrets(text, ['', '  ', '1', '2.5'], MARK)).toBe(text);
  });

  it.each(['\\', '%25', '&amp;', '\\\\u00', '&#0000', 'canary'])(
    'takes linear time for a million of %j',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      const secrets = ['a\\\\"/canary-1', '"&/\\', '/\\"a', 'canary-canary-canary-1'];
      expect(replaceSecrets(text, secrets, MARK)).toBe(text);
    },
  );
});
