import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** `md5Hex` of `runtime/md5.ts` in a browser. */
export function md5Hex(data: string | Uint8Array): string {
  return bytesToHex(md5(bytesOf(data)));
}

/** Bytes, or a text in UTF-8. */
export function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? utf8ToBytes(data) : data;
}
