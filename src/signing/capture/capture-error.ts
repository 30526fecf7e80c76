import { MopError } from '../../errors.ts';
import { type CaptureFormat, FORMAT_NAMES } from './captured-request.ts';

/** The error for an unreadable capture; `subject` is its fault and the place, as a clause. */
export function captureError(
  format: CaptureFormat,
  subject: string,
  hint: string,
  cause?: unknown,
): MopError {
  return new MopError('usage', `read as ${FORMAT_NAMES[format]}: ${subject}`, { hint, cause });
}

export function faultOf({ message }: MopError): string {
  return message.replace(/^read as [^:]*: /, '');
}

export function curlError(subject: string, hint: string, cause?: unknown): MopError {
  return captureError('curl', subject, hint, cause);
}

/** The line and column of `offset` in `text`, for a message; both count from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `line ${before.split('\n').length} column ${offset - before.lastIndexOf('\n')}`;
}

/** Input for a message: in quotes, truncated, with control and invisible characters escaped. */
export function shown(text: string): string {
  const start = text.slice(0, 40);
  const visible = JSON.stringify(start.toWellFormed()).replace(
    /[^\P{C}\n]|[\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return start.length < text.length ? `${visible}…` : visible;
}
