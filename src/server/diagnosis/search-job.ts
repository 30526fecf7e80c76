import type { Readings } from '../../protocol/readings.ts';
import type { NamedSecret } from '../../signing/diagnosis/mistake.ts';
import type { ReceivedRequest } from '../../signing/received-request.ts';

/** A signed request and how it is examined: plain data, which passes to another thread. */
export interface SearchJob {
  readonly request: ReceivedRequest;
  readonly readings: Readings;
  /** First the secret that belongs to the request. */
  readonly secrets: readonly NamedSecret[];
  /** Unix seconds. */
  readonly now?: number | undefined;
}
