import { isUtf8 } from 'node:buffer';
import { MopError } from '../errors.ts';
import { ByteQueue } from '../http/byte-queue.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { type GraphqlResponse, pieceError, RESPONSE_LIMIT, readPiece } from './response.ts';

const MAX_HEADER_LENGTH = 16 * 1024;

/** Ends the header of a part. An empty header also begins after a line break. */
const BLANK_LINE = '\r\n\r\n';

/**
 * Yields the parts of a multipart response (`multipart/mixed`, Incremental Delivery over HTTP),
 * each when the delimiter after it arrives. No line of a JSON text begins like a delimiter.
 *
 * @throws {MopError} `network` when the response ends before the closing delimiter, `api` for a
 *   part that is too long or not a GraphQL response.
 */
export async function* multipartStream(
  response: HttpResponse,
  request: HttpRequest,
): AsyncGenerator<GraphqlResponse> {
  const { host } = request.url;
  const boundary = boundaryIn(response.header('content-type') ?? '');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const received = new ByteQueue();
  // The first delimiter may be the first line.
  received.append(Buffer.from('\r\n'));
  let isPreamble = true;
  /** Up to here, no delimiter begins. */
  let searched = 0;
  try {
    for await (const chunk of response.body) {
      received.append(chunk);
      for (;;) {
        if (!isPreamble && searched === 0 && received.startsWith('--')) return;
        const end = received.indexOf(delimiter, searched);
        if (end < 0) break;
        const part = received.take(end);
        received.take(delimiter.length);
        searched = 0;
        if (!isPreamble) yield readPart(part, request);
        isPreamble = false;
      }
      searched = Math.max(0, received.length - delimiter.length);
      if (searched > RESPONSE_LIMIT.maxBytes) throw pieceError(host, 'a part of more than 64 MiB');
    }
  } finally {
    response.discard();
  }
  throw new MopError('network', `${host} ended the response before its last part`, {
    hint: 'run it again; --verbose shows the exchange',
  });
}

/** The boundary in a content type; the default of the protocol is `-`. */
function boundaryIn(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? '-';
}

function readPart(part: Buffer, request: HttpRequest): GraphqlResponse {
  const { host } = request.url;
  const headerEnd = part.indexOf(BLANK_LINE);
  if (headerEnd > MAX_HEADER_LENGTH) throw pieceError(host, 'a part with a header over 16 KiB');
  const content = headerEnd < 0 ? part : part.subarray(headerEnd + BLANK_LINE.length);
  if (!isUtf8(content)) throw pieceError(host, 'a part that is not UTF-8');
  return readPiece(content.toString(), 'a part', request);
}
