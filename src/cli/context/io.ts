import type { Readable } from 'node:stream';
import { abortedBySystem } from './signals.ts';
import { type OutputStream, StandardStream } from './standard-stream.ts';

/** The world outside, as a command sees it: no command asks the process itself. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Rejects with the signal's reason when it is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborted by SIGINT and SIGTERM, with the error to end with. */
  readonly signal: AbortSignal;
}

/** Whether the locale is UTF-8; the first variable that is set decides. */
export function isUtf8Locale({ LC_ALL, LC_CTYPE, LANG }: Io['env']): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/** The world of this process. Call it once: it listens for signals. */
export function processIo(): Io {
  return {
    env: process.env,
    // Opening it takes as long as a signature, and few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout: new StandardStream('stdout'),
    stderr: new StandardStream('stderr'),
    now: Date.now,
    sleep: abortableSleep,
    signal: abortedBySystem(),
  };
}

async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
