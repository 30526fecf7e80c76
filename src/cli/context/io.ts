import type { Readable } from 'node:stream';
import { abortedBySystem } from './signals.ts';
import { type OutputStream, StandardStream } from './standard-stream.ts';

/** Environment, streams, clock and signals. Commands use these instead of the process itself. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Rejects with the signal's reason if the signal is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborted by SIGHUP, SIGINT and SIGTERM. The reason is the error to report. */
  readonly signal: AbortSignal;
}

/** Whether the locale is UTF-8, by the first variable that is set. */
export function isUtf8Locale({ LC_ALL, LC_CTYPE, LANG }: Io['env']): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

/** The {@link Io} of this process. Call it only once: it adds signal listeners. */
export function processIo(): Io {
  return {
    env: process.env,
    // Open it only when needed: few commands read it, and opening takes as long as a signature.
    get stdin() {
      return process.stdin;
    },
    stdout: new StandardStream('stdout'),
    stderr: new StandardStream('stderr'),
    now: Date.now,
    // Loaded on demand: few commands wait.
    sleep: async (ms, signal) => (await import('../../http/retry.ts')).sleepFor(ms, signal),
    signal: abortedBySystem(),
  };
}
