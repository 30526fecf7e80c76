import type { IncomingMessage } from 'node:http';
import { badParameter } from './fields.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The body of a request as text.
 *
 * @throws {MopError} `usage` when it has more than 1 MiB, of which no more is kept, is not UTF-8, or
 *   does not arrive whole.
 */
export async function readBodyText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Ending the iteration must not end the connection: it has an answer to carry.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw badParameter('the body did not arrive whole', error);
  }
  if (bytes > MAX_BODY_BYTES) throw badParameter('the body has more than 1 MiB');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw badParameter('the body is not UTF-8', error);
  }
}
