import { integer, object, text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import type { JsonObject } from '../json/value.ts';
import { MAX_MESSAGE_LENGTH } from '../protocol/limits.ts';
import { findResultCode, SUCCESS } from '../protocol/result-codes.ts';

/** The answer of every operation (D1 2.2). */
export interface Envelope {
  readonly code: number;
  /** At most {@link MAX_MESSAGE_LENGTH} characters. */
  readonly message: string;
  /** Digits and the order of members are sent unchanged. */
  readonly data: JsonObject;
}

export function success(data: JsonObject): Envelope {
  return envelope(SUCCESS, undefined, data);
}

/**
 * The answer to a failed operation.
 *
 * @param code A result code of D1 section 7.
 * @param message The fault, truncated to the limit of an envelope. Default: the code's meaning.
 */
export function failure(code: number, message?: string, data: JsonObject = object({})): Envelope {
  return envelope(code, message, data);
}

export function printEnvelope({ code, message, data }: Envelope): string {
  return printJson(object({ code: integer(code), message: text(message), data }));
}

function envelope(code: number, message: string | undefined, data: JsonObject): Envelope {
  const reported = message ?? findResultCode(code)?.meaning ?? `Code ${code}`;
  return { code, message: shortened(reported), data };
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  // UTF-8 cannot encode half of a surrogate pair.
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
