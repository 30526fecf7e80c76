import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asUtf8, type DetectedEncoding } from '../../src/reconciliation/encoding.ts';
import type { Encoding } from '../../src/reconciliation/rows-file.ts';
import { checkRows } from '../support/rows.ts';
import { failureOf, gb18030 } from './support.ts';

const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le');

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decoded(bytes: Buffer, size: number, given?: Encoding) {
  const detected: DetectedEncoding = { encoding: undefined };
  const parts: Buffer[] = [];
  for await (const part of asUtf8(chunksOf(bytes, size), given, 'rows', detected)) parts.push(part);
  return { text: Buffer.concat(parts).toString(), encoding: detected.encoding };
}

const text = fc
  .array(fc.constantFrom('a', '1', ',', '\n', '"', '订', '单', '号', '上', '海', '，', '￥'), {
    minLength: 20,
    maxLength: 60,
  })
  .map((each) => each.join(''));

it('decodes each encoding, in chunks that cut characters', () =>
  fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const all: readonly (readonly [Buffer, Encoding | undefined])[] = [
        [Buffer.from(`\ufeff${given}`), 'utf-8'],
        [utf16(given), 'utf-16le'],
        [utf16(given).swap16(), 'utf-16be'],
      ];
      for (const [bytes, encoding] of all) {
        expect(await decoded(bytes, size)).toEqual({ text: given, encoding });
      }
      expect((await decoded(Buffer.from(given), size)).text).toBe(given);
      expect((await decoded(gb18030(given), size)).text).toBe(given);
      expect((await decoded(gb18030(given), size, 'gb18030')).text).toBe(given);
      expect((await decoded(utf16(given, ''), size, 'utf-16le')).text).toBe(given);
    }),
    { seed: 20261128, numRuns: 60 },
  ));

it('detects the encoding at the first bytes that are not ASCII, wherever they are', async () => {
  for (const size of [100, 4096, 65_536]) {
    for (const ascii of [0, 1, 4095, 4096, 5000, 70_001]) {
      const start = 'x'.repeat(ascii);
      expect(await decoded(gb18030(`${start}金额\n`), size)).toEqual({
        text: `${start}金额\n`,
        encoding: 'gb18030',
      });
      expect((await decoded(Buffer.from(`${start}金额\n`), size)).encoding).toBe('utf-8');
    }
  }
  expect(await decoded(Buffer.from('id,a\n'), 3)).toEqual({ text: 'id,a\n', encoding: undefined });
});

it('follows a byte order mark rather than the given encoding', async () => {
  expect((await decoded(utf16('金'), 3, 'utf-8')).text).toBe('金');
  expect((await decoded(Buffer.from('\ufeff金'), 3, 'gb18030')).text).toBe('金');
});

it('decodes Windows-1252 when it is given', async () => {
  const bytes = Buffer.from([0x80, 0x35, 0xe9]);
  expect((await decoded(bytes, 1, 'windows-1252')).text).toBe('€5é');
});

const REFUSED = [
  ['UTF-16 without a mark', utf16('id,金额\n1,2.00\n', ''), /UTF-16/, 'utf-16le'],
  ['the other byte order', utf16('id,金额\n1,2.00\n', '').swap16(), /UTF-16/, 'utf-16be'],
  ['Latin-1', Buffer.from('numéro;été\n', 'latin1'), /neither UTF-8 nor GB18030/, 'windows-1252'],
  ['Shift JIS', Buffer.from([0x8b, 0xe0, 0x8a, 0x7a, 0x0a]), /neither UTF-8/, 'windows-1252'],
] as const;

it('refuses other encodings, with the option that names them', () =>
  checkRows(REFUSED, async ([, bytes, message, option]) => {
    const { code, message: found, details } = await failureOf(decoded(bytes, 7));
    expect({ code, found }).toEqual({ code: 'usage', found: expect.stringMatching(message) });
    expect(details.hint).toContain(`--encoding ${option}`);
  }));

it('returns the text before invalid bytes', async () => {
  const detected: DetectedEncoding = { encoding: undefined };
  const bytes = Buffer.concat([Buffer.from('金额\n1'), Buffer.from([0xff]), Buffer.from('2\n')]);
  for (const size of [1, 2, 5, 100]) {
    const parts: Buffer[] = [];
    const read = async () => {
      for await (const part of asUtf8(chunksOf(bytes, size), undefined, 'rows', detected)) {
        parts.push(part);
      }
    };
    expect((await failureOf(read())).message).toBe('the bytes are not valid UTF-8');
    expect(Buffer.concat(parts).toString()).toBe('金额\n1');
  }
});
