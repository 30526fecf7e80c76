import { randomFillSync } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  billDigest,
  type ContentDigests,
  ContentHash,
} from '../../../src/platform/bills/digest.ts';
import { ThreadHash } from '../../../src/platform/bills/thread-hash.ts';

const MIB = 1024 ** 2;

function threadHash(...given: ConstructorParameters<typeof ThreadHash>): ThreadHash {
  const hash = new ThreadHash(...given);
  onTestFinished(() => hash.close());
  return hash;
}

const texts = (digests: ContentDigests): string[] =>
  [...digests].map(([name, bytes]) => `${name} ${Buffer.from(bytes).toString('hex')}`);

describe('ThreadHash', () => {
  it.each([
    ['MD5', billDigest('MD5', '')],
    ['each algorithm of 32 bytes', billDigest(undefined, 'a'.repeat(64))],
  ])('returns the same digests as ContentHash: %s', async (_, digest) => {
    const [here, there] = [new ContentHash(digest), threadHash(digest)];
    // More data than its slots can hold, in chunks of any length.
    for (const bytes of [0, 1, 3 * MIB, MIB / 2, MIB / 2 + 1, 1000]) {
      const chunk = randomFillSync(Buffer.alloc(bytes));
      here.update(chunk);
      await there.update(chunk);
      // The caller may reuse the memory of the chunk.
      chunk.fill(0);
    }
    expect(texts(await there.digests())).toEqual(texts(here.digests()));
  });

  it('fails when its thread ends early', async () => {
    const hash = threadHash(billDigest('MD5', ''));
    await hash.close();
    const chunk = Buffer.alloc(10 * MIB);
    await expect(hash.update(chunk)).rejects.toMatchObject({ code: 'failure' });
    await expect(hash.digests()).rejects.toMatchObject({ code: 'failure' });
  });
});
