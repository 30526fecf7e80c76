import { MopError } from '../errors.ts';

/** The error for a request that a server cannot accept. */
export function badRequest(message: string, cause?: unknown, hint?: string): MopError {
  return new MopError('usage', message, { cause, hint });
}
