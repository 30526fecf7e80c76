import type { MopError } from '../errors.ts';
import type { Content } from './contents/contents.ts';
import type { Gate } from './gate.ts';
import type { Detection } from './result.ts';

/**
 * The form of the input: one text, a text in a JSON document, a text on each line, or a text in
 * each JSON line.
 */
export type InputForm = 'whole' | 'document' | 'lines' | 'records';

export interface ReportOptions {
  /** The source of the texts: a relative address, or a word such as `stdin`. */
  readonly source: string;
  readonly inputForm: InputForm;
  readonly gate: Gate;
  /** Whether the report may quote the texts. */
  readonly includeText: boolean;
}

export type Examined =
  | {
      /** The line, from 1. */
      readonly line: number;
      readonly text: string;
      readonly detection: Detection;
      /** The text inside {@link text} that the detection is for. */
      readonly content?: Content | undefined;
    }
  | { readonly line: number; readonly error: MopError };

/** Receives texts one by one, and keeps only the parts that it prints. */
export interface Report {
  add(examined: Examined): void;
  /** The report in chunks: for large batches it exceeds the longest string. */
  content(): Iterable<string>;
}

/** The failure, without the message of the service: it may quote the text. */
export function errorText(error: MopError, includeText: boolean): string {
  const { httpStatus } = error.details;
  if (includeText || httpStatus === undefined) return error.message;
  return `the service answered HTTP ${httpStatus}`;
}
