import process from 'node:process';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MopError } from '../errors.ts';
import { isGzip, withHead } from '../files/chunks.ts';
import { redactValues } from '../redaction/redact.ts';
import { appliedCodings } from './codings.ts';
import type { HttpRequest } from './request.ts';

/** Two occur when a proxy compresses again. With more, a small body could take a long time. */
const MAX_CODINGS = 2;

/** Loaded on first use: few servers ignore `Accept-Encoding: identity` and compress. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Opens a decoder for content that begins with these bytes. */
type OpenDecoder = (start: Uint8Array) => Transform;

/** A map: a server could name a member that every object has. */
const DECODERS = new Map<string, OpenDecoder>([
  ['gzip', () => zlib().createGunzip()],
  ['x-gzip', () => zlib().createGunzip()],
  ['br', () => zlib().createBrotliDecompress()],
  // Some servers omit the header of zlib, whose first byte names the method, 8.
  [
    'deflate',
    ([first = 0]) => (first % 16 === 8 ? zlib().createInflate() : zlib().createInflateRaw()),
  ],
]);

/**
 * Decodes the Content-Encoding of a body (RFC 9110 8.4) while it arrives. A body that begins like
 * gzip is decoded even without the header. For HTTP 300 and above, a fault only ends the body, or
 * leaves it unchanged: the status is the error to report.
 */
export async function* decodedBody(
  body: AsyncIterable<Uint8Array>,
  codings: string,
  status: number,
  { url, secrets = [] }: Pick<HttpRequest, 'url' | 'secrets'>,
): AsyncGenerator<Uint8Array> {
  const { head, all } = await withHead(body);
  const named = appliedCodings(codings);
  const names = named.length === 0 && isGzip(head) ? ['gzip'] : named;
  const isMislabelled = /^(?:x-)?gzip$/.test(names.at(-1) ?? '') && !isGzip(head);
  const shown = JSON.stringify(redactValues(codings || 'gzip', secrets));
  const isSupported = names.length <= MAX_CODINGS && names.every((name) => DECODERS.has(name));
  if (status >= 300 && (isMislabelled || !isSupported)) {
    yield* isMislabelled ? all : [Buffer.from(`(compressed with ${shown})`)];
    return;
  }
  if (!isSupported) throw unsupported(url.host, shown, status);
  try {
    yield* names.reduceRight(decoded, all);
  } catch (error) {
    const fault = decodingFault(error);
    if (fault === undefined) throw error;
    if (status < 300) throw faultyContent(url.host, shown, fault, error);
  }
}

async function* decoded(
  source: AsyncIterable<Uint8Array>,
  coding: string,
): AsyncGenerator<Uint8Array> {
  const { head, all } = await withHead(source, 1);
  const decoder = DECODERS.get(coding)?.(head);
  if (head.length > 0 && decoder) yield* through(all, decoder);
}

/** The output of a stream that transforms `source`. */
export async function* through(
  source: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncGenerator<Uint8Array> {
  const feeding = pipeline(source, transform);
  // The loop below throws the same failure; this only prevents an unhandled rejection.
  feeding.catch(() => {});
  try {
    // A decoder may end before its input, as with zeros after gzip: destroying it would fail feeding.
    yield* transform.iterator({ destroyOnReturn: false });
    await feeding;
  } finally {
    transform.destroy();
  }
}

type DecodingFault = 'truncated' | 'invalid';

/** The fault that a decoder found; undefined for any other error. */
export function decodingFault(error: unknown): DecodingFault | undefined {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'Z_BUF_ERROR') return 'truncated';
  // Codes of Brotli begin with ERR__.
  return /^(?:Z_|ERR__)/.test(code) ? 'invalid' : undefined;
}

function unsupported(host: string, codings: string, httpStatus: number): MopError {
  const message = `${host} answered with the Content-Encoding ${codings}, which is not supported`;
  const hint =
    'mop supports up to two of gzip, deflate and br; configure the server or its proxy to respect Accept-Encoding: identity';
  return new MopError('api', message, { hint, httpStatus });
}

function faultyContent(
  host: string,
  codings: string,
  fault: DecodingFault,
  cause: unknown,
): MopError {
  return fault === 'truncated'
    ? new MopError('network', `${host} sent compressed data (${codings}) that ends too early`, {
        hint: 'try again; if it persists, check the proxies and load balancers on the path to the server',
        cause,
      })
    : new MopError('api', `${host} sent compressed data that is not valid ${codings}`, {
        hint: 'disable compression on the server or its proxy; a trace (--verbose) shows the headers',
        cause,
      });
}
