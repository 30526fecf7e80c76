import { createHmac, getHashes, hash } from 'node:crypto';

export type HashName = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sm3';

/** The digest of bytes, or of a text in UTF-8, as lower-case hex. */
export function hashHex(name: HashName, data: string | Uint8Array): string {
  return hash(name, data, 'hex');
}

export function hmacHex(
  name: HashName,
  key: string | Uint8Array,
  data: string | Uint8Array,
): string {
  return createHmac(name, key).update(data).digest('hex');
}

/** Whether this runtime has the hash: OpenSSL may be built without SM3. */
export function hasHash(name: HashName): boolean {
  return getHashes().includes(name);
}
