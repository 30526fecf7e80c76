import type WebSocket from 'ws';

/** Unread messages pause the socket when they take more bytes than this. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** Memory of a message beside its text: empty messages count too. */
const MESSAGE_OVERHEAD = 100;

/**
 * Reads a WebSocket of any server within a limit of memory. Open the socket with
 * `autoPong: false`: this class answers pings.
 *
 * After each received chunk, the socket pauses until the next turn of the event loop. Otherwise Node
 * reads up to 2 MiB at once. In small frames, this would delay signals and timers for seconds.
 */
export class SocketReader {
  readonly #socket: WebSocket;
  #unread: string[] = [];
  #unreadBytes = 0;
  #isClosed = false;
  #error: Error | undefined;
  /** No messages are stored any more. */
  #isDone = false;
  #wake = (): void => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    const pongs = new LatestReply<Buffer>((data, written) => socket.pong(data, undefined, written));
    socket
      .on('message', (data) => this.#store(String(data)))
      .on('ping', (data) => pongs.send(data))
      .on('error', (error) => {
        this.#error = error;
        this.#wake();
      })
      .on('close', () => {
        this.#isClosed = true;
        this.#wake();
      });
    for (const frame of ['message', 'ping', 'pong']) socket.on(frame, this.#pause);
  }

  /** Whether the socket is paused because its messages are not read. */
  get isBehind(): boolean {
    return this.#unreadBytes > MAX_UNREAD_BYTES;
  }

  /**
   * Yields the messages up to the close of the connection.
   *
   * @throws The error of the socket, after the messages before it; immediately the reason of the
   *   signal.
   */
  async *messages(signal: AbortSignal | undefined): AsyncGenerator<string> {
    const abort = (): void => this.#wake();
    signal?.addEventListener('abort', abort);
    try {
      while (this.#unread.length > 0 || !this.#isClosed) {
        const messages = this.#unread;
        this.#unread = [];
        for (const message of messages) {
          signal?.throwIfAborted();
          this.#unreadBytes -= sizeOf(message);
          yield message;
        }
        signal?.throwIfAborted();
        if (this.#unread.length > 0) continue;
        if (this.#error) throw this.#error;
        await this.#more();
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#isDone = true;
      this.#unread = [];
    }
  }

  #store(message: string): void {
    if (this.#isDone) return;
    this.#unread.push(message);
    this.#unreadBytes += sizeOf(message);
    this.#wake();
  }

  async #more(): Promise<void> {
    if (this.#isClosed) return;
    this.#socket.resume();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  readonly #pause = (): void => {
    if (this.#socket.isPaused) return;
    this.#socket.pause();
    setImmediate(() => {
      if (this.#isDone || !this.isBehind) this.#socket.resume();
    });
  };
}

function sizeOf(message: string): number {
  return message.length + MESSAGE_OVERHEAD;
}

/**
 * Sends replies one by one. While one is being written, only the latest of the others is kept: a
 * server that asks faster than it reads would fill the memory.
 */
export class LatestReply<T> {
  readonly #send: (reply: T, written: () => void) => void;
  #isWriting = false;
  #next: { readonly reply: T } | undefined;

  constructor(send: (reply: T, written: () => void) => void) {
    this.#send = send;
  }

  send(reply: T): void {
    if (this.#isWriting) {
      this.#next = { reply };
      return;
    }
    this.#isWriting = true;
    this.#send(reply, () => {
      this.#isWriting = false;
      const next = this.#next;
      this.#next = undefined;
      if (next) this.send(next.reply);
    });
  }
}
