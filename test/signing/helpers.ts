import { expect } from 'vitest';
import type { JsonMember } from '../../src/json/value.ts';
import { type Collected, type NullAs, signFields } from '../../src/signing/canonical.ts';
import type { Header } from '../../src/signing/header-mode.ts';
import type { Credentials, FieldSource } from '../../src/signing/request-fields.ts';

export const credentials: Credentials = {
  apiKey: 'key-of-credentials',
  secret: '0123456789abcdef0123456789abcdef',
};

/** The signed fields of a body in body mode. */
export function collectBody(members: readonly JsonMember[]): Collected {
  const { entries, omitted } = signFields(
    { mode: 'body', headers: [], members, nullAs: 'omit' },
    '',
  );
  return { entries, omitted };
}

/** The signed fields of a request in header mode. */
export function collectHeaders(
  headers: readonly Header[],
  members: readonly JsonMember[],
  nullAs: NullAs = 'empty',
): Collected {
  const { entries, omitted } = signFields({ mode: 'header', headers, members, nullAs }, '');
  return { entries, omitted };
}

/** The generated common fields of a request. */
export const fakeSource: FieldSource = {
  now: () => 1_795_132_800_999,
  seqId: () => 'generated-seq-id',
  nonce: () => 'generated!',
};

/** A source that needs its `this`: it counts its calls. */
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

/** Matches a usage error with `message`. */
export function usageError(message: string) {
  return expect.objectContaining({
    name: 'MopError',
    code: 'usage',
    message: expect.stringContaining(message),
    details: expect.objectContaining({ hint: expect.any(String) }),
  });
}
