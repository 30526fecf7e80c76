import { expect } from 'vitest';
import type { Credentials, FieldSource } from '../../src/signing/request-fields.ts';

export const credentials: Credentials = {
  apiKey: 'key-of-credentials',
  secret: '0123456789abcdef0123456789abcdef',
};

/** What a request gets that brings no common field of its own. */
export const fakeSource: FieldSource = {
  now: () => 1_795_132_800_999,
  seqId: () => 'generated-seq-id',
  nonce: () => 'generated!',
};

/** A source that needs its `this`: it counts what it is asked for. */
export class CountingSource implements FieldSource {
  #count = 0;

  now(): number {
    return this.#next() * 1000;
  }

  seqId(): string {
    return String(this.#next());
  }

  nonce(): string {
    return String(this.#next());
  }

  #next(): number {
    this.#count++;
    return this.#count;
  }
}

/** Matches an error that says `message` and that a change of the input can mend. */
export function usageError(message: string) {
  return expect.objectContaining({
    name: 'MopError',
    code: 'usage',
    message: expect.stringContaining(message),
    details: expect.objectContaining({ hint: expect.any(String) }),
  });
}
