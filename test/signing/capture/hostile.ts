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

/** Whether a capture can be read. An error of another kind than `usage` is a bug. */
export async function accepts(input: string | Uint8Array): Promise<boolean> {
  try {
    await readCapture(input);
    return true;
  } catch (error) {
    if (!(error instanceof MopError) || error.code !== 'usage') throw error;
    expect(error.details.hint).toBeTypeOf('string');
    expect(error.message.length).toBeLessThan(400);
    return false;
  }
}
