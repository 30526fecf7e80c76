import type { Diagnosis } from '../signing/diagnosis/search.ts';

/** One request, as it was answered. */
export interface LogEntry {
  readonly method: string;
  /** Without the query, which may carry what authorizes a download. */
  readonly path: string;
  /** The HTTP status. */
  readonly status: number;
  /** The result code, when the answer is an envelope. */
  readonly code?: number | undefined;
  /** What the signer did wrong, when the signature was refused. */
  readonly diagnosis?: readonly Diagnosis[] | undefined;
  /** From the arrival of the request to its answer; of a download or a stream of events, to its end. */
  readonly milliseconds: number;
  /** What a bug in the sandbox threw. */
  readonly error?: unknown;
}
