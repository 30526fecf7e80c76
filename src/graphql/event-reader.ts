import { ByteQueue } from '../http/byte-queue.ts';

/** An event of a stream (HTML standard, server-sent events). */
export interface ServerEvent {
  /** Undefined without a name. */
  readonly name: string | undefined;
  /** Undefined without a line of data. The standard drops such an event; some servers send it. */
  readonly data: string | undefined;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const LINE_END = Buffer.of(LF);
const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');

/** Reads the events in the chunks of a stream, within a limit of bytes. */
export class EventReader {
  readonly #maxBytes: number;
  readonly #tooLarge: () => Error;
  /** The start of a line that has not ended. */
  readonly #line = new ByteQueue();
  readonly #data = new ByteQueue();
  #name: string | undefined;
  /** The bytes since the last event, with comments and unknown fields: they may be endless too. */
  #received = 0;
  #isFirstLine = true;
  #endsWithCr = false;

  /**
   * @param maxBytes The maximum size of an event.
   * @param tooLarge Makes the error for a larger one.
   */
  constructor(maxBytes: number, tooLarge: () => Error) {
    this.#maxBytes = maxBytes;
    this.#tooLarge = tooLarge;
  }

  /**
   * Yields the events that end in a chunk. Read all of them before the next chunk.
   *
   * @throws The given error for an event that is too large.
   */
  *read(chunk: Uint8Array): Generator<ServerEvent> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === LF && at === start && this.#endsWithCr) {
        // The second half of CR LF.
        this.#endsWithCr = false;
        this.#count(1);
        start = at + 1;
        continue;
      }
      if (byte !== LF && byte !== CR) continue;
      this.#endsWithCr = byte === CR;
      this.#count(at + 1 - start);
      const event = this.#endLine(chunk.subarray(start, at));
      if (event) yield event;
      start = at + 1;
    }
    if (start === chunk.length) return;
    this.#endsWithCr = false;
    this.#count(chunk.length - start);
    this.#line.append(chunk.subarray(start));
  }

  #count(bytes: number): void {
    this.#received += bytes;
    if (this.#received > this.#maxBytes) throw this.#tooLarge();
  }

  /** Reads the field of a line. Returns the event if the line is empty and thus ends it. */
  #endLine(end: Uint8Array): ServerEvent | undefined {
    const line = this.#withoutMark(this.#whole(end));
    if (line.length > 0) {
      this.#readField(line);
      return undefined;
    }
    const data = this.#data.length > 0 ? this.#data.take().toString().slice(0, -1) : undefined;
    const event = { name: this.#name, data };
    this.#name = undefined;
    this.#received = 0;
    return event.name === undefined && data === undefined ? undefined : event;
  }

  #whole(end: Uint8Array): Uint8Array {
    if (this.#line.length === 0) return end;
    this.#line.append(end);
    return this.#line.take();
  }

  #withoutMark(line: Uint8Array): Uint8Array {
    const isMarked = this.#isFirstLine && startsWith(line, BYTE_ORDER_MARK);
    this.#isFirstLine = false;
    return isMarked ? line.subarray(BYTE_ORDER_MARK.length) : line;
  }

  #readField(line: Uint8Array): void {
    const data = valueIn(line, DATA);
    if (data) {
      this.#data.append(data);
      this.#data.append(LINE_END);
    }
    const name = valueIn(line, EVENT);
    if (name) this.#name = Buffer.from(name).toString() || undefined;
  }
}

/** The value of a line if it has this field. */
function valueIn(line: Uint8Array, field: Uint8Array): Uint8Array | undefined {
  const { length } = field;
  if (!startsWith(line, field) || (line.length > length && line[length] !== COLON))
    return undefined;
  return line.subarray(line[length + 1] === SPACE ? length + 2 : length + 1);
}

function startsWith(line: Uint8Array, start: Uint8Array): boolean {
  return line.length >= start.length && start.every((byte, at) => line[at] === byte);
}
