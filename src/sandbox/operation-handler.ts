import type { FormFile } from '../server/form.ts';
import type { Clock } from './authentication.ts';
import type { Envelope } from './envelope.ts';
import type { Fields } from './parameters.ts';

interface Call {
  /** The files of a form; undefined when the body is JSON. */
  readonly files: readonly FormFile[] | undefined;
  /** The address of the sandbox in the request, without a trailing slash. */
  readonly origin: string;
  readonly now: Clock;
}

/**
 * Carries out an authenticated request, given its business fields.
 *
 * @throws {MopError} `usage` for a bad parameter: 1001. Any other error is a bug.
 */
export type OperationHandler = (fields: Fields, call: Call) => Promise<Envelope>;
