import { Gunzip, Inflate, Unzlib } from 'fflate';

/**
 * `decompress` of `runtime/decompress.ts` in a browser, which has no synchronous Brotli.
 *
 * @throws {Error} for another coding, invalid bytes, or a result of more than `maxBytes`.
 */
export function decompress(coding: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const decoder = decoderOf(coding, bytes);
  decoder.ondata = (part) => {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) throw new Error(`the content has more than ${maxBytes} bytes`);
  };
  // In parts, so that a small body cannot fill the memory in one step.
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    decoder.push(bytes.slice(at, at + PART_BYTES), at + PART_BYTES >= bytes.length);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const PART_BYTES = 4096;

function decoderOf(coding: string, bytes: Uint8Array): Gunzip | Unzlib | Inflate {
  if (coding === 'gzip' || coding === 'x-gzip') return new Gunzip();
  // Some clients omit the header of zlib, whose first byte names the method, 8.
  if (coding === 'deflate') return (bytes[0] ?? 0) % 16 === 8 ? new Unzlib() : new Inflate();
  throw new Error('a browser decodes gzip and deflate; mop sign verify also decodes br');
}
