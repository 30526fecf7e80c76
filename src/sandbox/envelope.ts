import { findResultCode, SUCCESS } from '../protocol/result-codes.ts';

/** The answer to every operation (D1 2.2). */
export interface Envelope {
  readonly code: number;
  /** At most 64 characters. */
  readonly message: string;
  readonly data: object;
}

const MAX_MESSAGE_LENGTH = 64;

/** The answer to an operation that was carried out. */
export function success(data: object): Envelope {
  return envelope(SUCCESS, undefined, data);
}

/**
 * The answer to an operation that was not.
 *
 * @param code A result code of D1 section 7.
 * @param message What is wrong, cut to what an envelope holds; left out, the code's meaning.
 */
export function failure(code: number, message?: string, data: object = {}): Envelope {
  return envelope(code, message, data);
}

function envelope(code: number, message: string | undefined, data: object): Envelope {
  const text = message ?? findResultCode(code)?.meaning ?? `Code ${code}`;
  return { code, message: shortened(text), data };
}

function shortened(text: string): string {
  if (text.length <= MAX_MESSAGE_LENGTH) return text;
  // Half of a surrogate pair would not survive UTF-8.
  return `${text.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
