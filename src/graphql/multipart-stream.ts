import { MopError } from '../errors.ts';
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
  const delimiter = `\r\n--${boundaryIn(response.header('content-type') ?? '')}`;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isPreamble = true;
  /**
   * The text since the last delimiter. `rest` is its end, which may contain the start of the next
   * delimiter.
   */
  let searched: string[] = [];
  let length = 0;
  // The first delimiter may be the first line.
  let rest = '\r\n';
  try {
    for await (const chunk of response.body) {
      rest += decode(decoder, chunk, host);
      for (;;) {
        if (!isPreamble && length === 0 && rest.startsWith('--')) return;
        const end = rest.indexOf(delimiter);
        if (end < 0) break;
        const part = searched.join('') + rest.slice(0, end);
        rest = rest.slice(end + delimiter.length);
        searched = [];
        length = 0;
        if (!isPreamble) yield readPart(part, request);
        isPreamble = false;
      }
      const kept = Math.max(0, rest.length - delimiter.length);
      searched.push(rest.slice(0, kept));
      rest = rest.slice(kept);
      length += kept;
      if (length > RESPONSE_LIMIT.maxBytes) throw pieceError(host, 'a part of more than 64 MiB');
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

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array,
  host: string,
): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw pieceError(host, 'a part that is not UTF-8');
  }
}

function readPart(part: string, request: HttpRequest): GraphqlResponse {
  const headerEnd = part.indexOf(BLANK_LINE);
  if (headerEnd > MAX_HEADER_LENGTH)
    throw pieceError(request.url.host, 'a part with a header over 16 KiB');
  const content = headerEnd < 0 ? part : part.slice(headerEnd + BLANK_LINE.length);
  return readPiece(content, 'a part', request);
}
