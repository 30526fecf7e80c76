import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { appliedCodings } from '../../http/codings.ts';
import { compressedBody } from '../body-fault.ts';
import { captureError, shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';

/** Maximum size of a decompressed body, far above any request of the platform. */
const MAX_BYTES = 8 * 1024 * 1024;
/** With more, a small body could take much time. */
const MAX_CODINGS = 2;

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
 * Decompresses a body by its Content-Encoding.
 *
 * @throws {MopError} `usage` when it cannot be decompressed, or has more than 8 MiB.
 */
export function decompressed(
  body: Uint8Array,
  contentEncoding: string,
  format: CaptureFormat,
): Uint8Array {
  const codings = appliedCodings(contentEncoding);
  const decoders = codings.reverse().flatMap((name) => DECODERS[name] ?? []);
  const isKnown = decoders.length === codings.length && codings.length <= MAX_CODINGS;
  try {
    if (!isKnown) throw new Error('mop decodes gzip, deflate and br');
    const options = { maxOutputLength: MAX_BYTES };
    return new Uint8Array(decoders.reduce((bytes, decode) => decode(bytes, options), body));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw captureError(
      format,
      `${compressedBody(shown(contentEncoding))}, but cannot be decompressed: ${reason}`,
      'send it uncompressed, or save it decoded: most tools can',
      error,
    );
  }
}
