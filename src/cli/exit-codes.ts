import type { FailureCode } from '../errors.ts';

export const OK = 0;

/** Exit codes by the kind of failure (contract section 1). Stable. */
export const EXIT_CODES: Readonly<Record<FailureCode, number>> = {
  failure: 1,
  usage: 2,
  config: 3,
  auth: 4,
  api: 5,
  network: 6,
  integrity: 7,
  'not-ready': 8,
  'no-bill': 9,
  risk: 10,
  unhealthy: 11,
  mixed: 12,
  io: 13,
  graphql: 14,
  differs: 15,
  interrupted: 130,
  terminated: 143,
};
