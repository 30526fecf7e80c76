import type { Clock, Fields } from './authentication.ts';
import type { Envelope } from './envelope.ts';

/** What an operation may know of a request besides its fields. */
interface Call {
  /** Where the caller reaches the sandbox, without a trailing slash. */
  readonly origin: string;
  readonly now: Clock;
}

/** Carries out an authenticated request. Anything that it throws is a bug. */
export type OperationHandler = (fields: Fields, call: Call) => Promise<Envelope>;
