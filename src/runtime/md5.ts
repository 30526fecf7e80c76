import { hash } from 'node:crypto';

/**
 * The MD5 of Node, on its own: a program that only signs bundles no other digest. A build for browsers
 * replaces the files of this folder by those in `browser/`, so that `signing/` and `json/` import no
 * Node module.
 *
 * @returns The MD5 of bytes, or of a text in UTF-8, as lower-case hex.
 */
export function md5Hex(data: string | Uint8Array): string {
  return hash('md5', data, 'hex');
}
