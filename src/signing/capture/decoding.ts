import { parseMembers } from '../../json/parse.ts';
import { JsonSyntaxError } from '../../json/reader.ts';
import type { JsonValue } from '../../json/value.ts';
import { textFault, valueFault } from '../body-fault.ts';
import { byteLength, strictUtf8Text } from '../bytes.ts';
import { type CaptureFormat, captureError, captureFault } from './captured-request.ts';

/** @throws {MopError} `usage` for other bytes than UTF-8. A byte order mark is kept. */
export function utf8Text(bytes: Uint8Array, subject: string, format: CaptureFormat): string {
  const text = strictUtf8Text(bytes);
  if (text !== undefined) return text;
  throw captureFault(format, 'not-utf-8', [subject]);
}

/**
 * @throws {MopError} `usage`; `subject` names the text. Objects and arrays in it keep their text.
 */
export function captureJson(text: string, subject: string, format: CaptureFormat): JsonValue {
  try {
    return parseMembers(text, 'as-written');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { form, hint } = textFault(text, error);
    const wrapped = isWrapped(text, error) ? `; ${WRAPPED}` : '';
    throw captureError(format, `${subject} ${form}`, hint + wrapped, error);
  }
}

const WRAPPED = 'if a terminal wrapped the line, copy the text from a file';

function isWrapped(text: string, { offset }: JsonSyntaxError): boolean {
  const isInString = /^"(?:[^"\\\r\n]|\\.)*\r?\n/.test(text.slice(offset));
  return isInString || /[\w.]\r?\n$/.test(text.slice(Math.max(0, offset - 10), offset));
}

const MAX_BODY_BYTES = 64 * 1024 ** 2;
/** The search for mistakes examines every field. */
const MAX_FIELDS = 10_000;

/** @throws {MopError} `usage` unless the text is an object of at most 64 MiB and 10,000 fields. */
export function assertObject(text: string, subject: string, format: CaptureFormat): void {
  if (byteLength(text) > MAX_BODY_BYTES)
    throw captureFault(format, 'too-large', [subject, '64 MiB']);
  const value = captureJson(text, subject, format);
  if (value.kind !== 'object') {
    const { form, hint } = valueFault(value);
    throw captureError(format, `${subject} ${form}`, hint);
  }
  if (value.members.length > MAX_FIELDS)
    throw captureFault(format, 'too-large', [subject, '10,000 fields']);
}
