import { appliedCodings } from '../../http/codings.ts';
import { decompress } from '../../runtime/decompress.ts';
import { compressedBody } from '../body-fault.ts';
import { captureError, shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';

/** Maximum size of a decompressed body, far above any request of the platform. */
const MAX_BYTES = 8 * 1024 * 1024;
/** With more, a small body could take much time. */
const MAX_CODINGS = 2;

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
  const codings = appliedCodings(contentEncoding).reverse();
  try {
    // An unknown coding has a better message than too many ones.
    const known = codings.length <= MAX_CODINGS ? codings : [''];
    return known.reduce((bytes, coding) => decompress(coding, bytes, MAX_BYTES), body);
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
