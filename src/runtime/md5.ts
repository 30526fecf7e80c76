import { hash } from 'node:crypto';

/**
 * Lower-case hex. In its own file: a program that only signs bundles no other digest. A build for
 * browsers replaces this folder by `browser/`, so that `signing/` and `json/` import no Node
 * module.
 */
export function md5Hex(data: string | Uint8Array): string {
  return hash('md5', data, 'hex');
}
