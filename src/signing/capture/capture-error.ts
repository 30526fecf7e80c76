import { MopError } from '../../errors.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../json.ts';
import { type CaptureFormat, FORMAT_NAMES } from './captured-request.ts';

/** The error for a capture that cannot be read: what it was taken for, and where it broke. */
export function captureError(
  format: CaptureFormat,
  what: string,
  hint: string,
  cause?: unknown,
): MopError {
  return new MopError('usage', `taken for ${FORMAT_NAMES[format]}: ${what}`, { hint, cause });
}

/** Where `offset` is in `text`, for a message; both count from 1. */
export function place(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `line ${before.split('\n').length} column ${offset - before.lastIndexOf('\n')}`;
}

/** Foreign text for a message: in quotes, cut short, control and invisible characters escaped. */
export function shown(text: string): string {
  const start = text.slice(0, 40);
  const visible = JSON.stringify(start.toWellFormed()).replace(
    /[^\P{C}\n]|[\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return start.length < text.length ? `${visible}…` : visible;
}

/**
 * The text of UTF-8 bytes, character by character: a byte order mark stays.
 *
 * @throws {MopError} `usage` for other bytes; `what` names them.
 */
export function utf8Text(bytes: Uint8Array, what: string, format: CaptureFormat): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw captureError(
      format,
      `${what} is not UTF-8 text`,
      'the platform takes UTF-8: convert it, for example with iconv -f GBK -t UTF-8',
      error,
    );
  }
}

/**
 * The value of a JSON text that belongs to a capture.
 *
 * @throws {MopError} `usage`; `what` names the text.
 */
export function captureJson(text: string, what: string, format: CaptureFormat): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw captureError(
      format,
      `${what} is not JSON: ${error.message}`,
      'check the quoting, and that the text was copied whole',
      error,
    );
  }
}
