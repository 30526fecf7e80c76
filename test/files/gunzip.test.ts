import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gunzip } from '../../src/files/gunzip.ts';

const PARAMETERS = { seed: 20261120, numRuns: 30 };

/** A member of a gzip file, built by hand: zlib does not write these parts of a header. */
interface Member {
  readonly content: Uint8Array;
  readonly name: string | undefined;
  readonly comment: string | undefined;
  readonly extra: Uint8Array | undefined;
  readonly hasHeaderChecksum: boolean;
}

const text = fc.option(fc.stringMatching(/^[ -~]{0,12}$/), { nil: undefined });
const content = fc.oneof(
  fc.uint8Array({ maxLength: 100 }),
  // Compressible content, longer than a chunk of the output.
  fc.nat({ max: 3000 }).map((length) => new Uint8Array(length)),
);
const member: fc.Arbitrary<Member> = fc.record({
  ...{ content, name: text, comment: text, hasHeaderChecksum: fc.boolean() },
  extra: fc.option(fc.uint8Array({ maxLength: 20 }), { nil: undefined }),
});
const members = fc.array(member, { minLength: 1, maxLength: 3 });
const chunkBytes = fc.oneof(fc.constantFrom(1, 2, 3, 16, 100), fc.constant(10_000));

function headerOf({ name, comment, extra, hasHeaderChecksum }: Member): Buffer {
  const flags =
    (hasHeaderChecksum ? 0x02 : 0) |
    (extra ? 0x04 : 0) |
    (name === undefined ? 0 : 0x08) |
    (comment === undefined ? 0 : 0x10);
  const parts = [Buffer.from([0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 3])];
  if (extra) parts.push(Buffer.from([extra.length, 0]), Buffer.from(extra));
  for (const each of [name, comment]) {
    if (each !== undefined) parts.push(Buffer.from(`${each}\0`));
  }
  const header = Buffer.concat(parts);
  if (!hasHeaderChecksum) return header;
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc32(header) % 2 ** 16);
  return Buffer.concat([header, checksum]);
}

function bytesOf(member: Member): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(member.content));
  trailer.writeUInt32LE(member.content.length, 4);
  return Buffer.concat([headerOf(member), deflateRawSync(member.content), trailer]);
}

/** A source that records whether it was closed. */
class Source {
  isClosed = false;
  readonly #bytes: Uint8Array;
  readonly #chunkBytes: number;
  readonly #error: Error | undefined;

  /** @param error Thrown after the last chunk. */
  constructor(bytes: Uint8Array, chunkBytes: number, error?: Error) {
    this.#bytes = bytes;
    this.#chunkBytes = chunkBytes;
    this.#error = error;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < this.#bytes.length; at += this.#chunkBytes) {
        yield this.#bytes.subarray(at, at + this.#chunkBytes);
      }
      if (this.#error) throw this.#error;
    } finally {
      this.isClosed = true;
    }
  }
}

interface Unzipped {
  readonly content: Buffer;
  /** The reported number of bytes after the last member. */
  readonly trailing: number;
}

async function unzip(source: Source): Promise<Unzipped> {
  const chunks: Uint8Array[] = [];
  let trailing = 0;
  const onTrailing = (bytes: number): void => {
    trailing = bytes;
  };
  for await (const chunk of gunzip(source, { chunkSize: 1024 }, onTrailing)) chunks.push(chunk);
  return { content: Buffer.concat(chunks), trailing };
}

/** The outcome of a source: the unzipped content, or the code of the error. */
async function outcomeOf(bytes: Uint8Array, size: number): Promise<Unzipped | { code: unknown }> {
  const source = new Source(bytes, size);
  const outcome = await unzip(source).catch(({ code }) => ({ code }));
  expect(source.isClosed).toBe(true);
  return outcome;
}

/** Whether bytes after a file begin another member. */
function isMember(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

it('returns the content of every member, as zlib does', async () => {
  await fc.assert(
    fc.asyncProperty(members, chunkBytes, async (members, size) => {
      const bytes = Buffer.concat(members.map(bytesOf));
      const content = Buffer.concat(members.map(({ content }) => content));
      expect(gunzipSync(bytes)).toEqual(content);
      expect(await outcomeOf(bytes, size)).toEqual({ content, trailing: 0 });
    }),
    PARAMETERS,
  );
});

it('returns the content of files that zlib writes', async () => {
  const level = fc.integer({ min: 0, max: 9 });
  await fc.assert(
    fc.asyncProperty(content, level, chunkBytes, async (content, level, size) => {
      const outcome = await outcomeOf(gzipSync(content, { level }), size);
      expect(outcome).toEqual({ content: Buffer.from(content), trailing: 0 });
    }),
    PARAMETERS,
  );
});

it('keeps the content before trailing bytes, and counts them unless all are zero', async () => {
  const trailing = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.nat({ max: 600 }).map((length) => new Uint8Array(length)),
    fc
      .constantFrom('\x1f', '\x1f\x8b', '\x1f\x8b\x07 other')
      .map((text) => Buffer.from(text, 'latin1')),
  );
  await fc.assert(
    fc.asyncProperty(member, trailing, chunkBytes, async (member, trailing, size) => {
      fc.pre(!isMember(trailing));
      expect(await outcomeOf(Buffer.concat([bytesOf(member), trailing]), size)).toEqual({
        content: Buffer.from(member.content),
        trailing: trailing.some((byte) => byte !== 0) ? trailing.length : 0,
      });
    }),
    PARAMETERS,
  );
});

it('fails with Z_BUF_ERROR when the last member is truncated at any byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(member),
      member,
      fc.nat(),
      chunkBytes,
      async (first, last, at, size) => {
        const start = first ? bytesOf(first) : Buffer.alloc(0);
        const whole = bytesOf(last);
        // A start of less than 3 bytes after a member is a trailing byte, not a member.
        const kept = first ? 3 + (at % (whole.length - 3)) : at % whole.length;
        const bytes = Buffer.concat([start, whole.subarray(0, kept)]);
        expect(await outcomeOf(bytes, size)).toEqual({ code: 'Z_BUF_ERROR' });
      },
    ),
    { ...PARAMETERS, numRuns: 60 },
  );
});

it('never returns wrong content when a byte of the header or trailer is damaged', async () => {
  const damage = fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(member, damage, chunkBytes, async (member, { at, mask }, size) => {
      const bytes = bytesOf(member);
      const headerBytes = headerOf(member).length;
      const place = at % (headerBytes + 8);
      const index = place < headerBytes ? place : bytes.length - 8 + place - headerBytes;
      bytes[index] = (bytes[index] ?? 0) ^ mask;
      const outcome = await outcomeOf(bytes, size);
      const isTrailer = index >= bytes.length - 8;
      if (isTrailer || index < 3) expect(outcome).toEqual({ code: 'Z_DATA_ERROR' });
      else if ('content' in outcome) expect(outcome.content).toEqual(Buffer.from(member.content));
      else expect(outcome.code).toMatch(/^Z_(?:DATA|BUF)_ERROR$/);
    }),
    { ...PARAMETERS, numRuns: 80 },
  );
});

it('closes the source when the reader stops early', async () => {
  await fc.assert(
    fc.asyncProperty(chunkBytes, async (size) => {
      const source = new Source(gzipSync(Buffer.alloc(10_000)), size);
      for await (const chunk of gunzip(source, { chunkSize: 1024 })) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(source.isClosed).toBe(true);
    }),
    { ...PARAMETERS, numRuns: 20 },
  );
});

it('throws an error of the source unchanged, at any byte', async () => {
  await fc.assert(
    fc.asyncProperty(members, fc.nat(), chunkBytes, async (members, at, size) => {
      const bytes = Buffer.concat(members.map(bytesOf));
      const error = new Error('connection lost');
      const source = new Source(bytes.subarray(0, at % (bytes.length + 1)), size, error);
      await expect(unzip(source)).rejects.toBe(error);
      expect(source.isClosed).toBe(true);
    }),
    PARAMETERS,
  );
});
