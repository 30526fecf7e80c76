import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceSecrets } from '../../src/redaction/secrets.ts';
import { BASE64, ENCODINGS } from '../secrets/encodings.ts';
import { traces } from '../secrets/traces.ts';

const SEED = { seed: 20261122, numRuns: 100 };

const MARK = '<redacted>';

const secret = fc
  .string({
    unit: fc.constantFrom(...'nrtXYZ019 -_.+/="\'\\&<>%ü杭🚕'),
    minLength: 8,
    maxLength: 40,
  })
  .filter((text) => text.trim().length >= 8);
const writer = fc.constantFrom(...Object.entries(ENCODINGS));

/** Secrets as servers make them: an api secret, a token, and a credential with special characters. */
const longSecret = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength: 12, maxLength: 64 }),
  fc.string({
    unit: fc.constantFrom(
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_.~=',
    ),
    minLength: 12,
    maxLength: 4000,
    size: 'max',
  }),
  fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./=&<>%ü杭'), minLength: 16, maxLength: 300 }),
);

/** Up to three encodings, with base64 at most once and not in upper case. */
const layers = fc
  .array(
    fc.constantFrom(...Object.entries<(text: string) => string>({ ...ENCODINGS, ...BASE64 })),
    {
      maxLength: 3,
    },
  )
  .filter((layers) => {
    const names = layers.map(([name]) => name);
    const first = names.findIndex((name) => name in BASE64);
    const rest = first === -1 ? [] : names.slice(first + 1);
    return !rest.some((name) => name in BASE64 || name === 'upper case');
  });

/** The windows of 12 characters of the secret that a text shows in these encodings. */
function windowsIn(text: string, secret: string, layers: readonly Layer[]): string[] {
  const starts = [...Array(secret.length - 11).keys()].filter(
    (start) => start % Math.ceil(secret.length / 200) === 0,
  );
  return starts
    .map((start) => secret.slice(start, start + 12))
    .filter((window) => encodedForms(window, layers).some((form) => text.includes(form)));
}

type Layer = readonly [name: string, encode: (text: string) => string];

/** In base64, only the digits that depend on these bytes alone, for each of the three alignments. */
function encodedForms(window: string, layers: readonly Layer[]): readonly string[] {
  return layers.reduce(
    (forms, [name, encode]) =>
      forms.flatMap((form) =>
        name in BASE64
          ? [0, 1, 2].map((before) => {
              const bytes = before + Buffer.byteLength(form);
              const digits = encode('x'.repeat(before) + form);
              return digits.slice(Math.ceil((before * 8) / 6), Math.floor((bytes * 8) / 6));
            })
          : [encode(form)],
      ),
    [window],
  );
}

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

  it('replaces a secret of any letters in base64 of UTF-16', () => {
    const secret = 'Grüße aus 杭州, 2026';
    const bytes = Buffer.from(`no: ${secret}`, 'utf16le');
    for (const order of [bytes, Buffer.from(bytes).swap16()]) {
      const shown = replaceSecrets(order.toString('base64'), [secret], MARK);
      expect(shown).toMatch(/^.{9,12}<redacted>.{0,3}$/);
    }
  });

  it('shows no 12 consecutive characters of a secret, in any nested encodings, of a cut text', () => {
    fc.assert(
      fc.property(longSecret, layers, fc.nat(), fc.nat(), fc.nat(), (secret, layers, a, b, c) => {
        const start = a % (secret.length - 11);
        const part = secret.slice(start, start + 12 + (b % secret.length));
        const encoded = layers.reduce(
          (text, [, encode]) => encode(`${text.length}:${text};`),
          part,
        );
        const text = encoded.slice(0, encoded.length - (c % 3 === 0 ? c % encoded.length : 0));
        const shown = replaceSecrets(text, [secret], MARK);
        expect(windowsIn(shown, secret, layers)).toEqual([]);
      }),
      SEED,
    );
  });

  it.each([' ', ':', '-', '\n'])(
    'replaces a secret in hexadecimal bytes with %j between',
    (sign) => {
      const hex = Buffer.from('no canary-1234').toString('hex').match(/../g) ?? [];
      const shown = replaceSecrets(`bytes: ${hex.join(sign)}!`, ['canary-1234'], MARK);
      expect(shown).toBe(`bytes: ${[...hex.slice(0, 3), MARK].join(sign)}!`);
    },
  );

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

  it.each([`${'%3'.repeat(100_000)}1`, `${'&#59'.repeat(100_000)};`])(
    'decodes a long chain of escapes: %#',
    (text) => {
      expect(replaceSecrets(text, ['canary-canary'], MARK)).toBe(text);
    },
  );

  it('replaces a secret with escapes for white space', () => {
    const secret = 'Zk8vQ2mR\t7tLw9x\nNb4cHs6';
    expect(replaceSecrets(JSON.stringify({ a: secret }), [secret], MARK)).toBe(`{"a":"${MARK}"}`);
  });

  it('does not replace a part of a short secret', () => {
    expect(replaceSecrets('staging, bearer a', ['staging1', 'bearer a9'], MARK)).toBe(
      'staging, bearer a',
    );
  });

  it('does not show a text that is too expensive to decode', () => {
    const text = 'V'.repeat(100_000);
    const shown = replaceSecrets(`{"a":"${text}"}`, ['canary-canary'], MARK);
    expect(shown).toMatch(/^\{"a":"V{0,9}<redacted>V{0,9}"\}$/);
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
