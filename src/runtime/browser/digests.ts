import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import sm3 from 'sm-crypto/src/sm3/index.js';
import type { HashName } from '../digests.ts';
import { bytesOf } from './md5.ts';

const HASHES = { md5, sha1, sha224, sha256, sha384, sha512 };

export function hashHex(name: HashName, data: string | Uint8Array): string {
  const bytes = bytesOf(data);
  return name === 'sm3' ? sm3(bytes) : bytesToHex(HASHES[name](bytes));
}

export function hmacHex(
  name: HashName,
  key: string | Uint8Array,
  data: string | Uint8Array,
): string {
  const [keyBytes, bytes] = [bytesOf(key), bytesOf(data)];
  if (name === 'sm3') return sm3(bytes, { mode: 'hmac', key: keyBytes });
  return bytesToHex(hmac(HASHES[name], keyBytes, bytes));
}

/** Every hash is part of the bundle. */
export function hasHash(_name: HashName): boolean {
  return true;
}
