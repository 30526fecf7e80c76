import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { DOWNLOAD_LINK_SECONDS } from '../protocol/limits.ts';
import type { TarType } from '../protocol/operations.ts';
import { type Bill, billContent } from './bill-content.ts';
import { type SandboxEnv, wait } from './exchange.ts';
import type { FaultPlan } from './faults.ts';

export const DOWNLOAD_PATH = '/download/bill';

export interface BillFile extends Bill {
  readonly tar: TarType;
}

interface DownloadLink {
  /** The path and query below the sandbox's address. */
  readonly path: string;
  /** The value for the header `Authorization`. */
  readonly authorization: string;
}

/**
 * Links to bills, valid for 30 seconds and only with their authorization (D1 2.3, 4.1 rule 6). A
 * link contains its parameters, and the authorization signs them.
 */
export class DownloadLinks {
  readonly #key = randomBytes(32);

  /** @param now The start of the 30 seconds, in milliseconds since 1970. */
  issue({ date, type, tar }: BillFile, now: number): DownloadLink {
    const expires = String(now + DOWNLOAD_LINK_SECONDS * 1000);
    return {
      path: `${DOWNLOAD_PATH}?${new URLSearchParams({ date, type, tar, expires })}`,
      authorization: this.#authorization({ date, type, tar, expires }),
    };
  }

  /** The file that a request may download, or the reason of the refusal; `now` in milliseconds. */
  redeem(
    query: Readonly<Record<string, string>>,
    authorization: string | undefined,
    now: number,
  ): BillFile | string {
    const expected = Buffer.from(this.#authorization(query));
    const given = Buffer.from(authorization ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return 'not authorized: send the authorization of this link in the header Authorization';
    }
    if (now > Number(query.expires)) return 'the link has expired: request a new one';
    // Only issued links have a valid authorization.
    return { date: query.date, type: query.type, tar: query.tar } as BillFile;
  }

  #authorization({ date, type, tar, expires }: Readonly<Record<string, string>>): string {
    const content = JSON.stringify([date, type, tar, expires]);
    return createHmac('sha256', this.#key).update(content).digest('base64url');
  }
}

type Bytes = AsyncIterable<Buffer>;

/** Serves the downloads of links (D1 4.1 rule 6); a refusal is HTTP 403. */
export function downloadRoutes(
  rows: number,
  links: DownloadLinks,
  faults: FaultPlan,
): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>().all('/', async (c) => {
    if (c.req.method !== 'GET') return c.text('not authorized: download with GET', 403);
    const file = links.redeem(c.req.query(), c.req.header('authorization'), c.get('now')());
    if (typeof file === 'string') return c.text(file, 403);
    await sendBill(c.env.outgoing, file, rows, faults, c.req.raw.signal);
    return RESPONSE_ALREADY_SENT;
  });
}

/** Streams a bill while it is generated, until it is complete or the client is `disconnected`. */
async function sendBill(
  outgoing: ServerResponse,
  file: BillFile,
  rows: number,
  faults: FaultPlan,
  disconnected: AbortSignal,
): Promise<void> {
  const cut = faults.take('drop') ? 'drop' : faults.take('truncate') ? 'truncate' : undefined;
  const bytesPerSecond = faults.take('slow');

  let bytes: Bytes = billContent(file, rows);
  if (faults.take('corrupt')) bytes = corrupted(bytes);
  if (file.tar === 'gzip') bytes = gzipped(bytes);
  if (cut) bytes = halved(bytes);
  if (bytesPerSecond) bytes = throttled(bytes, bytesPerSecond, disconnected);

  outgoing.writeHead(200, {
    'Content-Type': file.tar === 'gzip' ? 'application/gzip' : 'text/csv; charset=utf-8',
  });
  try {
    await pipeline(bytes, outgoing, { end: false });
  } catch (error) {
    if (isDisconnect(error)) return;
    throw error;
  }
  // Flush the written bytes, but do not end the answer.
  if (cut === 'drop') outgoing.socket?.destroySoon();
  else outgoing.end();
}

/** Changes one byte, at a position that every bill has. */
async function* corrupted(bytes: Bytes): AsyncGenerator<Buffer> {
  let done = false;
  for await (const chunk of bytes) {
    if (!done) {
      const middle = Math.floor(chunk.length / 2);
      chunk.writeUInt8(chunk.readUInt8(middle) ^ 1, middle);
      done = true;
    }
    yield chunk;
  }
}

function gzipped(bytes: Bytes): Bytes {
  const gzip = createGzip({ level: 1, chunkSize: 64 * 1024 });
  // The reader of `gzip` receives its errors. Ending `gzip` ends the source.
  pipeline(bytes, gzip).catch(() => {});
  return gzip;
}

const HALVED_BYTES = 64 * 1024;

/** Half of the content, or 32 KiB of a larger one. */
async function* halved(bytes: Bytes): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= HALVED_BYTES) break;
  }
  const start = Buffer.concat(chunks).subarray(0, HALVED_BYTES);
  yield start.subarray(0, Math.floor(start.length / 2));
}

const PIECES_PER_SECOND = 20;

async function* throttled(
  bytes: Bytes,
  bytesPerSecond: number,
  disconnected: AbortSignal,
): AsyncGenerator<Buffer> {
  const pieceBytes = Math.ceil(bytesPerSecond / PIECES_PER_SECOND);
  const started = performance.now();
  let sent = 0;
  for await (const chunk of bytes) {
    for (let offset = 0; offset < chunk.length; offset += pieceBytes) {
      const piece = chunk.subarray(offset, offset + pieceBytes);
      sent += piece.length;
      const due = started + (sent / bytesPerSecond) * 1000;
      await wait(due - performance.now(), disconnected);
      yield piece;
    }
  }
}

function isDisconnect(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(code);
}
