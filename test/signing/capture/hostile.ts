import fc from 'fast-check';
import { expect } from 'vitest';
import { MopError } from '../../../src/errors.ts';
import { readCapture } from '../../../src/signing/capture/read-capture.ts';

/** Samples with inserted, removed and repeated pieces. */
export function mutated(samples: readonly string[], pieces: readonly string[]) {
  const edit = fc.record({
    /** In thousandths: a random double between 0 and 1 is nearly always almost 0. */
    at: fc.integer({ min: 0, max: 1000 }),
    remove: fc.constantFrom(0, 1, 2, 30, 1000),
    insert: fc.constantFrom('', '\n', '\u0000', '\ud83d', ...pieces),
  });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([sample, edits]) =>
      edits.reduce((now, { at, remove, insert }) => {
        const start = Math.floor((at / 1000) * now.length);
        return now.slice(0, start) + insert + now.slice(start + remove);
      }, sample),
    );
}

/** Reads a file that contains its own path. A path of even length is missing. */
async function readFile(path: string): Promise<Uint8Array> {
  if (path.length % 2 === 0) throw new Error('missing');
  return new TextEncoder().encode(path);
}

/** Whether a capture can be read. An error of another kind than `usage` is a bug. */
export async function accepts(input: string | Uint8Array): Promise<boolean> {
  try {
    await readCapture(input, { readFile });
    return true;
  } catch (error) {
    if (!(error instanceof MopError) || error.code !== 'usage') throw error;
    expect(error.details.hint).toBeTypeOf('string');
    expect(error.message.length).toBeLessThan(400);
    return false;
  }
}

/**
 * Asserts that {@link accepts} holds for random captures, and that it accepts and refuses some:
 * otherwise the property proves little.
 */
export async function expectBothOutcomes(captures: fc.Arbitrary<string>): Promise<void> {
  const outcomes = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(captures, fc.boolean(), async (text, asBytes) => {
      const isAccepted = await accepts(asBytes ? Buffer.from(text, 'latin1') : text);
      outcomes[isAccepted ? 'accepted' : 'refused']++;
    }),
    { seed: 20261122, numRuns: 400 },
  );
  expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(20);
}
