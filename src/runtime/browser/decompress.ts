import { gunzipSync, inflateSync, unzlibSync } from 'fflate';

/** For browsers, which have no synchronous Brotli. Throws as `runtime/decompress.ts` does. */
export function decompress(coding: string, bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length === 0) throw new Error('unexpected end of file');
  // fflate stops at the end of `out`, so that a small body cannot fill the memory.
  const content = decoderOf(coding, bytes)(bytes, { out: new Uint8Array(maxBytes + 1) });
  if (content.length > maxBytes) throw new Error(`the content has more than ${maxBytes} bytes`);
  return content.slice();
}

function decoderOf(coding: string, bytes: Uint8Array): typeof gunzipSync {
  if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync;
  // Some clients omit the header of zlib, whose first byte names the method, 8.
  if (coding === 'deflate') return (bytes[0] ?? 0) % 16 === 8 ? unzlibSync : inflateSync;
  throw new Error('a browser decodes gzip and deflate; mop sign verify also decodes br');
}
