import type { Diagnosis } from '../signing/diagnosis/diagnose.ts';

/** One answered request. A public type: this file may not name types of hono. */
export interface LogEntry {
  readonly method: string;
  /** Without the query, which may carry the authorization of a download. */
  readonly path: string;
  /** The HTTP status. */
  readonly status: number;
  /** The result code, when the answer is an envelope. */
  readonly code?: number | undefined;
  /** The mistakes of the signer, when the signature was refused. */
  readonly diagnosis?: readonly Diagnosis[] | undefined;
  /** From the arrival of the request to the end of its answer. */
  readonly milliseconds: number;
  /** An error thrown by a bug in the sandbox. */
  readonly error?: unknown;
}

export type Log = (entry: LogEntry) => void;
