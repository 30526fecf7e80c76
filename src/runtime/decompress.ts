import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  // Some clients omit the header of zlib, whose first byte names the method, 8.
  deflate: (bytes, options) =>
    (bytes[0] ?? 0) % 16 === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
};

/**
 * Decompresses by the name of a coding (RFC 9110 8.4.1). Throws for another coding, invalid bytes,
 * or a result of more than `maxBytes`.
 */
export function decompress(coding: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  const decode = DECODERS[coding];
  if (decode === undefined) throw new Error('mop decodes gzip, deflate and br');
  return new Uint8Array(decode(bytes, { maxOutputLength: maxBytes }));
}
