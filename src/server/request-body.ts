import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { MopError, withDetails } from '../errors.ts';
import { isCompressed } from '../http/codings.ts';
import type { JsonMember } from '../json/value.ts';
import { bytesFault, compressedBody } from '../signing/body-fault.ts';
import { readBody } from '../signing/value-text.ts';
import { ownTurn } from './turns.ts';

/** The error for a request that a server cannot accept. */
export function badRequest(message: string, cause?: unknown, hint?: string): MopError {
  return new MopError('usage', message, { cause, hint });
}

const MIB = 1024 * 1024;

/** Bytes of a refused body to discard: a client that is still sending would not see the answer. */
export const DISCARDED_BYTES = 64 * MIB;

/**
 * The body of a request.
 *
 * @throws {MopError} `usage` when it has more than `maxMib` MiB (`httpStatus` 413), or is incomplete.
 */
export async function readBytes(incoming: IncomingMessage, maxMib: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Ending the iteration must not end the connection: the answer needs it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes <= maxMib * MIB) chunks.push(chunk);
      else if (bytes > DISCARDED_BYTES) break;
    }
  } catch (error) {
    throw badRequest('the body is incomplete', error);
  }
  if (bytes > maxMib * MIB) {
    const hint = 'send less data; for files, send a multipart form to /api/open';
    const error = badRequest(`the body has more than ${maxMib} MiB`, undefined, hint);
    throw withDetails(error, { httpStatus: 413 });
  }
  // The check of a large body may take long.
  if (bytes > 0) await ownTurn();
  return Buffer.concat(chunks);
}

/** @throws {MopError} `usage` for bytes that are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const { form = 'is not UTF-8', hint = 'encode the body as UTF-8' } = bytesFault(bytes) ?? {};
    throw badRequest(`the body ${form}`, error, hint);
  }
}

/** The body as text. @throws {MopError} `usage` as {@link readBytes} and {@link utf8Text} do. */
export async function readBodyText(incoming: IncomingMessage, maxMib = 1): Promise<string> {
  return utf8Text(await readBytes(incoming, maxMib));
}

export interface JsonBody {
  readonly body: string;
  readonly members: readonly JsonMember[];
}

/**
 * The body of a request, a JSON object in UTF-8 (D1 section 1). `received` gets the text before it
 * is checked.
 *
 * @throws {MopError} `usage` when it is compressed, a urlencoded form, or not a JSON object.
 */
export async function readJsonBody(
  incoming: IncomingMessage,
  received: (body: string) => void,
): Promise<JsonBody> {
  const encoding = incoming.headers['content-encoding'] ?? '';
  try {
    const body = await readBodyText(incoming);
    received(body);
    return { body, members: readBody(body) };
  } catch (error) {
    if (!(error instanceof MopError) || error.details.httpStatus !== undefined) throw error;
    // Check this last: some clients declare a compression that they do not apply.
    if (isCompressed(encoding)) throw badRequest(compressedBody(encoding), error);
    throw error;
  }
}

/** The reason to refuse a Content-Type that is not JSON in UTF-8 (D1 section 1). */
export function jsonTypeFault(contentType: string | undefined): MopError | undefined {
  if (!contentType) return badRequest('Content-Type is missing: send application/json');
  const type = mimeType(contentType);
  if (type?.essence !== 'application/json') {
    return badRequest(`Content-Type is not JSON: ${contentType}`);
  }
  if (!/^utf-?8$/i.test(type.params.get('charset') ?? 'utf-8')) {
    return badRequest(`Content-Type is not UTF-8: ${contentType}`);
  }
  return undefined;
}

function mimeType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}
