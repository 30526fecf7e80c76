import { MopError } from '../errors.ts';
import { NONCE_LENGTH } from '../protocol/limits.ts';

/** The credentials of a signer. The secret is never part of a request. */
export interface Credentials {
  readonly apiKey: string;
  readonly secret: string;
}

/** Values that replace values of the body and generated values. */
export interface RequestFields {
  /** Replaces an `api_key` in the body. `Credentials.apiKey` only fills in a missing one. */
  readonly apiKey?: string | undefined;
  /** Unix time, an integer; sent exactly as given. */
  readonly timestamp?: number | string | undefined;
  readonly nonce?: string | undefined;
  readonly seqId?: string | undefined;
}

/**
 * Generates missing values. The default, {@link freshFields}, is the only part of `signing/` that
 * reads the clock and random numbers of the system.
 */
export interface FieldSource {
  /** Milliseconds since 1970. */
  now(): number;
  nonce(): string;
  seqId(): string;
}

const NONCE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Fresh values for each request: the clock, a UUID v4, 10 characters from a CSPRNG. */
export const freshFields: FieldSource = {
  now: Date.now,
  seqId: () => crypto.randomUUID(),
  nonce() {
    let nonce = '';
    // Six bits are uniform; values beyond the alphabet are dropped.
    while (nonce.length < NONCE_LENGTH) nonce += NONCE_ALPHABET[randomByte() & 63] ?? '';
    return nonce;
  },
};

/** Random bytes in reserve: a call for each nonce takes longer than the signature. */
const POOL = new Uint8Array(1024);
let used = POOL.length;

function randomByte(): number {
  if (used === POOL.length) {
    crypto.getRandomValues(POOL);
    used = 0;
  }
  return POOL[used++] ?? 0;
}

/**
 * Each common field as given, and a generator of a missing one. `unit` is that of the timestamp, in
 * milliseconds. @throws {MopError} `usage` unless a given timestamp is an integer of 0 or more.
 */
export function commonValues(
  { apiKey, seqId, timestamp, nonce }: RequestFields,
  credentials: Credentials,
  source: FieldSource,
  unit = 1000,
) {
  const time = timestamp === undefined ? undefined : timestampText(timestamp);
  return {
    api_key: { given: apiKey, generate: () => credentials.apiKey },
    seq_id: { given: seqId, generate: () => source.seqId() },
    timestamp: { given: time, generate: () => String(Math.floor(source.now() / unit)) },
    nonce: { given: nonce, generate: () => source.nonce() },
  };
}

function timestampText(timestamp: number | string): string {
  const text = String(timestamp);
  if (/^(?:0|[1-9]\d{0,18})$/.test(text)) return text;
  throw new MopError('usage', `the timestamp ${JSON.stringify(text)} is not a whole number`, {
    hint: 'give Unix time, such as the output of: date +%s',
  });
}
