import { GraphQLError } from 'graphql';
import type { Language } from '../../protocol/language.ts';
import type { Clock } from '../authentication.ts';

/** Shared by the resolvers of one operation. A type, because handlers require an index signature. */
export type Context = {
  /** The clock of the sandbox for this request, with the fault `skew`. */
  readonly now: Clock;
  /** The language of rule names and explanations. */
  readonly language: Language;
  /** Aborted when the client leaves. */
  readonly disconnected: AbortSignal;
  /** Called with an error thrown by a bug. */
  readonly failed: (error: unknown) => void;
};

/** The error for a request with bad arguments. */
export function inputError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** @throws {GraphQLError} when the argument `name` is not in that range, both ends included. */
export function checkRange(name: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throw inputError(`${name} is not in ${least} to ${most}`);
}

/** @throws {GraphQLError} when the argument `name` is empty or has more characters than `most`. */
export function checkText(name: string, text: string, most: number): void {
  if (text.trim() === '') throw inputError(`${name} is empty`);
  // Compare code units first: counting code points is slower.
  if (text.length > most && [...text].length > most) {
    throw inputError(`${name} has more than ${most} characters`);
  }
}

/** The error for the client; the message of a bug goes to the log only. */
export function publicError(error: unknown, { disconnected, failed }: Context): GraphQLError {
  const isLocated = error instanceof GraphQLError && error.originalError !== undefined;
  const origin = isLocated ? error.originalError : error;
  if (error instanceof GraphQLError && origin instanceof GraphQLError) return error;
  if (!disconnected.aborted) failed(origin);
  return new GraphQLError('the sandbox failed', { extensions: { code: 'INTERNAL_SERVER_ERROR' } });
}
