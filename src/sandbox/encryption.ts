import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { SANDBOX_CREDENTIALS } from '../protocol/sandbox.ts';

/** The encrypted parameters of a mini-program, for `/param/decode` (D1 4.2). */
export interface EncryptedParameters {
  /** Base64. */
  readonly encryptData: string;
  /** A serial number of at most 18 digits. */
  readonly encryptId: string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text for `/param/decode` of any sandbox: the key is derived from the published secret
 * and the serial number.
 *
 * @param now Milliseconds since 1970, the start of the serial number.
 *
 * @example
 * ```ts
 * import { encryptParameters } from 'mop-cli';
 *
 * const { encryptData, encryptId } = encryptParameters('{"openId":"o-1"}', Date.now());
 * console.log(encryptData.length > 0, encryptId.length);
 * // true 18
 * ```
 */
export function encryptParameters(text: string, now: number): EncryptedParameters {
  const encryptId = `${now}${String(randomInt(100_000)).padStart(5, '0')}`;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(encryptId), iv, { authTagLength: TAG_BYTES });
  const bytes = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return { encryptData: Buffer.concat(bytes).toString('base64'), encryptId };
}

/** The plaintext; undefined when the data does not belong to the id. */
export function decryptParameters({
  encryptData,
  encryptId,
}: EncryptedParameters): string | undefined {
  const bytes = Buffer.from(encryptData, 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(encryptId), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(encryptId: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', SANDBOX_CREDENTIALS.secret, '', encryptId, 32));
}
