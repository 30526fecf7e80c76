import type { MopError } from '../errors.ts';
import type { Gate } from './gate.ts';
import type { Detection } from './result.ts';

/**
 * How the texts are arranged in the input: one text that is all of it, one in a JSON document, one a
 * line, or one in each JSON line.
 */
export type Arrangement = 'whole' | 'document' | 'lines' | 'records';

export interface ReportOptions {
  /** The source of the texts: a relative address, or a word such as `stdin`. */
  readonly source: string;
  readonly arrangement: Arrangement;
  readonly gate: Gate;
  /** Whether the report may quote the texts. */
  readonly includeText: boolean;
}

export type Examined =
  | {
      /** From 1. */
      readonly line: number;
      readonly text: string;
      readonly detection: Detection;
    }
  | { readonly line: number; readonly error: MopError };

/** Takes texts one by one, and keeps no more of each than it will print. */
export interface Report {
  add(examined: Examined): void;
  /** The file in pieces: as one string it would be too long for some batches. */
  content(): Iterable<string>;
}

/** The failure, without the message of the service: it may quote the text. */
export function errorText(error: MopError, includeText: boolean): string {
  const { httpStatus } = error.details;
  if (includeText || httpStatus === undefined) return error.message;
  return `the service answered HTTP ${httpStatus}`;
}
