import { ESTIMATE_PATH } from '../protocol/operations.ts';
import type { Operation } from './operation.ts';

/** The start of a ride. The documents name only these two fields (D1 4.3). */
export interface EstimateRequest {
  readonly city: string;
  /** Degrees. */
  readonly lat: number;
  readonly [field: string]: unknown;
}

/** The call that estimates prices (D1 4.3). A JSON text keeps the digits of numbers. */
export function estimateOperation(request: EstimateRequest | string): Operation {
  const body = typeof request === 'string' ? request : JSON.stringify(request);
  return { path: ESTIMATE_PATH, body, repeatable: true };
}
