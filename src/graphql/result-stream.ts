import { setImmediate as nextTurn } from 'node:timers/promises';
import { MopError } from '../errors.ts';
import { mediaType } from '../http/headers.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { largeJsonObject } from '../json/parse.ts';
import { excerpt } from '../redaction/redact.ts';
import {
  asResponse,
  type GraphqlResponse,
  pieceError,
  RESPONSE_LIMIT,
  readPiece,
  TRACE_HINT,
} from './response.ts';

/** Event names for results: `next` (GraphQL over SSE), `message` (the default of the standard). */
const NAMES: readonly string[] = ['next', 'message'];

/**
 * Whether an event of another name has a result or an error. Servers also report the connection.
 */
function hasResult(name: string, data: string): boolean {
  const isFailure = /error|next/i.test(name) || (name === 'complete' && data.includes('"message"'));
  return data !== '' && (isFailure || asResponse(largeJsonObject(data)) !== undefined);
}

/** Yields the results up to the event `complete` (GraphQL over SSE, distinct connections). */
export async function* eventStream(
  response: HttpResponse,
  request: HttpRequest,
): AsyncGenerator<GraphqlResponse> {
  const framing = {
    delimiter: '\n\n',
    unit: 'an event',
    early: 'the stream before the operation completed',
  };
  const lines = { ...response, body: withLineFeeds(response.body) };
  for await (const events of pieces(lines, request, framing)) {
    for (const event of events) {
      if (event[0] === COLON && !event.includes(LF)) continue;
      const { name, data } = readEvent(event);
      const isNext = NAMES.includes(name);
      if (data !== undefined && (isNext || hasResult(name, String(data)))) {
        const subject = isNext ? 'an event' : `an event ${excerpt(name, request.secrets)}`;
        yield readPiece(data, subject, request);
      }
      // gqlgen and Hot Chocolate send it without data. The standard drops such an event.
      if (name === 'complete') return;
    }
  }
}

/**
 * Yields each part (`multipart/mixed`, Incremental Delivery over HTTP) when its delimiter arrives.
 */
export async function* multipartStream(
  response: HttpResponse,
  request: HttpRequest,
): AsyncGenerator<GraphqlResponse> {
  // The default of the protocol is `-`.
  const boundary = mediaType(response.header('content-type')).parameters.get('boundary') || '-';
  const framing = {
    delimiter: `\r\n--${boundary}`,
    unit: 'a part',
    early: 'the response before its last part',
    close: '--',
  };
  let isPreamble = true;
  for await (const parts of pieces(response, request, framing)) {
    for (const part of parts) {
      if (!isPreamble) yield readPart(part, request);
      isPreamble = false;
    }
  }
}

interface Framing {
  /** Follows each piece, in Latin-1. A line break at its start may be missing at first. */
  readonly delimiter: string;
  readonly unit: string;
  /** Describes an end without the last piece, after the word `ended`. */
  readonly early: string;
  readonly close?: string;
}

const MAX_PIECES_PER_TURN = 1000;

/** Pieces that arrive together: one by one, tiny pieces would take most of the time. */
async function* pieces(
  response: HttpResponse,
  { url }: HttpRequest,
  { delimiter, unit, early, close }: Framing,
): AsyncGenerator<Buffer[]> {
  const wanted = Buffer.from(delimiter, 'latin1');
  const received = new ByteQueue();
  if (close !== undefined) received.append(Buffer.from('\r\n'));
  /** Up to here, no delimiter begins. */
  let searched = 0;
  try {
    for await (const chunk of response.body) {
      received.append(chunk);
      const arrived: Buffer[] = [];
      let isClosed = close !== undefined && received.startsWith(close);
      let end = received.indexOf(wanted, searched);
      while (end >= 0 && !isClosed) {
        arrived.push(received.take(end));
        received.take(wanted.length);
        searched = 0;
        isClosed = close !== undefined && received.startsWith(close);
        end = received.indexOf(wanted);
      }
      if (arrived.length > 0) yield arrived;
      if (isClosed) return;
      // A flood of tiny pieces would delay signals and timers.
      if (arrived.length > MAX_PIECES_PER_TURN) await nextTurn();
      searched = Math.max(0, received.length - wanted.length);
      if (searched > RESPONSE_LIMIT.maxBytes) {
        throw pieceError(
          url.host,
          `${unit} of more than ${RESPONSE_LIMIT.maxBytes / 1024 ** 2} MiB`,
        );
      }
    }
  } finally {
    response.discard();
  }
  throw new MopError('network', `${url.host} ended ${early}`, {
    hint: TRACE_HINT,
  });
}

const LF = 0x0a;
const COLON = 0x3a;
const CR = 0x0d;

/** The chunks of a text with LF in place of CR LF and CR. */
async function* withLineFeeds(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isAfterCr = false;
  for await (const chunk of chunks) {
    const lines = Buffer.allocUnsafe(chunk.length);
    let length = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte !== LF || !isAfterCr) lines[length++] = byte === CR ? LF : byte;
      isAfterCr = byte === CR;
    }
    yield lines.subarray(0, length);
  }
}

/** The lines of an event that count (HTML standard, server-sent events). */
const FIELD = /(?<![^\n])(data|event)(?:: ?([^\n]*))?(?![^\n])/g;

function readEvent(event: Buffer): { readonly name: string; readonly data: Buffer | undefined } {
  let name = 'next';
  // Millions of lines would take many times their size as a list.
  const data = Buffer.allocUnsafe(event.length + 1);
  let length = 0;
  const text = event.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  for (const [, field, value = ''] of text.matchAll(FIELD)) {
    if (field === 'data') length += data.write(`${value}\n`, length, 'latin1');
    else name = value || 'next';
  }
  return { name, data: length > 0 ? data.subarray(0, length - 1) : undefined };
}

const MAX_HEADER_LENGTH = 16 * 1024;

/** Ends the header of a part. An empty header also begins after a line break. */
const BLANK_LINE = '\r\n\r\n';

function readPart(part: Buffer, request: HttpRequest): GraphqlResponse {
  const { host } = request.url;
  const headerEnd = part.indexOf(BLANK_LINE);
  if (headerEnd > MAX_HEADER_LENGTH) throw pieceError(host, 'a part with a header over 16 KiB');
  const content = headerEnd < 0 ? part : part.subarray(headerEnd + BLANK_LINE.length);
  return readPiece(content, 'a part', request);
}

const MIN_CAPACITY = 16 * 1024;

/**
 * Bytes that arrive in pieces, copied: a list of small pieces would take a hundred times their
 * size.
 */
export class ByteQueue {
  #bytes = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#bytes.length) this.#grow(this.length + piece.length);
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** The offset of `wanted` at `from` or later; -1 if it has not arrived. */
  indexOf(wanted: Uint8Array, from = 0): number {
    return this.#bytes.subarray(this.#start, this.#end).indexOf(wanted, from);
  }

  startsWith(text: string): boolean {
    const end = Math.min(this.#end, this.#start + text.length);
    return this.#bytes.toString('latin1', this.#start, end) === text;
  }

  /** Removes and returns the first bytes; default: all. The result stays valid. */
  take(length = this.length): Buffer {
    const taken = this.#bytes.subarray(this.#start, this.#start + length);
    this.#start += length;
    return taken;
  }

  /** Always allocates: bytes that were taken may still be in use. */
  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, 2 * needed));
    this.#bytes.copy(grown, 0, this.#start, this.#end);
    this.#bytes = grown;
    this.#end = this.length;
    this.#start = 0;
  }
}
