import type { Diagnosis } from '../signing/diagnosis/diagnose.ts';

/** The findings about the signature of a request. */
export interface SignatureFindings {
  /**
   * Whether the signature was added by a proxy, is right, or is wrong; `unreadable` when the request
   * claims to be signed and cannot be checked. Undefined for a request that is not signed.
   */
  readonly signature?: 'added' | 'right' | 'wrong' | 'unreadable' | undefined;
  /** The mistakes of the signer, when the signature was refused. */
  readonly diagnosis?: readonly Diagnosis[] | undefined;
  /**
   * The extent of the search for mistakes: `cut-short` for a large request, `skipped` after 8
   * seconds or when the client has disconnected. Undefined when the signature was accepted.
   */
  readonly search?: 'complete' | 'cut-short' | 'skipped' | undefined;
  /**
   * The readings under which an accepted request is right, each `NAME=VALUE`: another value of the
   * same point refuses it.
   */
  readonly readings?: readonly string[] | undefined;
  /** Changes made by the network, and other reasons for which the platform may refuse the request. */
  readonly warnings?: readonly string[] | undefined;
}

/** One answered request. A public type: this file may not name types of hono. */
export interface LogEntry extends SignatureFindings {
  /** The time of the answer, in milliseconds since 1970 by the clock of the server. */
  readonly time: number;
  readonly method: string;
  /** Without the query, which may carry the authorization of a download. */
  readonly path: string;
  /** The HTTP status. */
  readonly status: number;
  /** The result code, when the answer is an envelope. */
  readonly code?: number | undefined;
  /** From the arrival of the request to the end of its answer. */
  readonly milliseconds: number;
  /** The error for which a proxy refused the request, or one thrown by a bug. */
  readonly error?: unknown;
}

/** The header of an answer that names the readings of a request (contract section 7). */
export function readingsHeader({ readings = [] }: SignatureFindings = {}): Record<string, string> {
  if (readings.length === 0) return {};
  const note = ' (another reading refuses this request: mop help readings)';
  return { 'X-Mop-Warning': readings.join(', ') + note };
}

export type Log = (entry: LogEntry) => void;
