import type { Readings } from '../../protocol/readings.ts';
import type { NamedSecret } from '../../signing/diagnosis/mistake.ts';
import type { ReceivedRequest } from '../../signing/received-request.ts';

/** A signed request and the options of its examination: plain data, to send to another thread. */
export interface SearchJob {
  readonly request: ReceivedRequest;
  readonly readings: Readings;
  /** The secret that belongs to the request comes first. */
  readonly secrets: readonly NamedSecret[];
  /** Unix seconds. */
  readonly now?: number | undefined;
}
