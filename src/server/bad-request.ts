import { MopError } from '../errors.ts';

/** The error for a request that a server cannot accept. */
export function badRequest(message: string, cause?: unknown): MopError {
  return new MopError('usage', message, { cause });
}
