import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export function md5Hex(data: string | Uint8Array): string {
  return bytesToHex(md5(bytesOf(data)));
}

export function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? utf8ToBytes(data) : data;
}
