import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sortedByName } from '../../../src/signing/canonical.ts';
import { contentMark, rightSigner, type Signer } from '../../../src/signing/diagnosis/signer.ts';
import { signedContent } from '../../../src/signing/received-request.ts';

const SECRET = 'abc';

function signerOf(body: object): Signer {
  return rightSigner(signedContent({ body: JSON.stringify({ ...body, sign: 'X' }) }), SECRET);
}

function md5(text: string | Uint8Array): string {
  return createHash('md5').update(text).digest('hex').toUpperCase();
}

const right = signerOf({ b: 'x y', a: 1, n: null, o: { k: ['中'] } });

describe('a signer', () => {
  it('signs step by step', () => {
    expect(right.pairs.map(({ name, value, position }) => [name, value, position])).toEqual([
      ['a', '1', 1],
      ['b', 'x y', 0],
      ['o', '{"k":["中"]}', 3],
    ]);
    expect(right.canonical).toBe('a=1&b=x y&o={"k":["中"]}');
    expect(right.message).toBe(`${right.canonical}abc`);
    expect(right.signature).toBe(md5(right.message));
  });

  it('of header mode signs headers too, and null as an empty value', () => {
    const content = signedContent({
      headers: [
        ['X-TMS-Sign', 'X'],
        ['X-TMS-Nonce', 'n'],
        ['Accept', '*/*'],
      ],
      body: '{"b":null}',
    });
    expect(rightSigner(content, SECRET).canonical).toBe('X-TMS-Nonce=n&b=');
  });

  it('of body mode signs no headers', () => {
    const headers = [['X-TMS-Nonce', 'n']] as const;
    const content = signedContent({ headers, body: '{"a":1,"sign":"X"}' });
    expect(rightSigner(content, SECRET).canonical).toBe('a=1');
  });

  it('without fields signs only the secret', () => {
    const { canonical, signature } = signerOf({});
    expect([canonical, signature]).toEqual(['', md5(SECRET)]);
  });

  it.each<[string, Signer, string]>([
    [
      'an edit after an edit',
      right
        .withEdit((pair) => ({ ...pair, value: `${pair.value}!` }))
        .withEdit((pair) => ({ ...pair, value: pair.value.toUpperCase() })),
      'a=1!&b=X Y!&o={"K":["中"]}!abc',
    ],
    [
      'a transformed secret among the pairs',
      right.with({
        secretName: 'key',
        append: (text) => text,
        transformSecret: (text) => `${text}!`,
      }),
      'a=1&b=x y&key=abc!&o={"k":["中"]}',
    ],
  ])('with %s', (_, signer, message) => {
    expect(signer.message).toBe(message);
    expect(signer.signature).toBe(md5(message));
  });

  it('with another charset', () => {
    const bytes = Uint8Array.of(1, 2);
    expect(right.with({ encode: () => bytes }).signature).toBe(md5(bytes));
  });

  it('with another digest in another printed form', () => {
    const digest = (bytes: string | Uint8Array, key: string): string => `${bytes}/${key}`;
    expect(right.with({ digest, write: (hex) => hex }).signature).toBe(`${right.message}/abc`);
    const transformed = right.with({
      digest,
      write: (hex) => hex,
      transformSecret: (text) => `${text}!`,
    });
    expect(transformed.signature).toBe(`${right.message}!/abc!`);
    expect(right.with({ write: (hex) => hex.slice(0, 8) }).signature).toBe(
      md5(right.message).slice(0, 8).toLowerCase(),
    );
  });

  it('replaces the marks of files with their bytes', () => {
    const files = signerOf({ b: '😀' }).withEdit((pair) => ({
      ...pair,
      value: `${contentMark(1)}${pair.value}${contentMark(0)}`,
    }));
    const contents = [Uint8Array.of(0xff), Uint8Array.of(0, 0x80)];
    const [first, second] = contents as [Uint8Array, Uint8Array];
    const around = [Buffer.from('b='), second, Buffer.from('😀'), first, Buffer.from(SECRET)];
    expect(files.with({ contents }).signature).toBe(md5(Buffer.concat(around)));
    const encode = (text: string): Uint8Array => Buffer.from(text.toUpperCase());
    const encoded = [Buffer.from('B='), second, Buffer.from('😀'), first, Buffer.from('ABC')];
    expect(files.with({ contents, encode }).signature).toBe(md5(Buffer.concat(encoded)));
  });
});

describe('a cached result', () => {
  it('is reused when no earlier step changed', () => {
    const { pairs } = right;
    expect(right.with({ secret: 'x' }).pairs).toBe(pairs);
    expect(right.with({ order: sortedByName }).pairs).toBe(pairs);
    expect(right.with({ append: (text) => text }).pairs).toBe(pairs);
    expect(right.with({ transformSecret: (text) => text }).pairs).toBe(pairs);
    expect(right.with({ write: (hex) => hex }).pairs).toBe(pairs);
    expect(right.withStyle({ nullText: '' }).pairs).not.toBe(pairs);
    expect(right.with({ encode: () => '' }).pairs).toBe(pairs);
    const changed = right.withEdit((pair) => pair);
    expect(changed.with({ encode: () => '' }).pairs).not.toBe(changed.pairs);
  });

  it('is computed again when the secret is among the pairs', () => {
    const sortedIn = right.with({ secretName: 'key', append: (text) => text });
    expect(sortedIn.canonical).toContain('key=abc');
    expect(sortedIn.with({ secret: 'xyz' }).canonical).toContain('key=xyz');
    expect(sortedIn.with({ transformSecret: (text) => `${text}!` }).canonical).toContain(
      'key=abc!',
    );
    expect(sortedIn.with({ secret: 'xyz' }).with({ secretName: undefined }).canonical).toBe(
      right.canonical,
    );
  });

  it('is not changed by derived signers', () => {
    const { signature } = right;
    right
      .with({ fields: [] })
      .withStyle({ nullText: 'x' })
      .withEdit((pair) => pair).signature;
    expect(right.signature).toBe(signature);
  });
});
