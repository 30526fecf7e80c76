import { MopError } from '../../errors.ts';
import { jsonObject } from '../../json/parse.ts';
import { member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue, type RequestBody } from '../header-mode.ts';
import FAULTS from './faults.json' with { type: 'json' };

export interface Content {
  readonly body: RequestBody;
  /** Losses and possible changes caused by the format, one sentence each. */
  readonly notes: readonly string[];
}

/** A captured request, as far as its format preserves it. */
export interface CapturedRequest extends Content {
  readonly format: CaptureFormat;
  /** Undefined when the format does not contain them. */
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** All headers, in their order, with names in the capture's spelling. */
  readonly headers: readonly Header[];
  /** The time of sending in Unix seconds, if the capture has it with its time zone. */
  readonly sentAt?: number | undefined;
  /** The error for a guessed body: it holds unless the signature proves to belong to the body. */
  readonly doubt?: MopError | undefined;
  /** Other readings of the text, in which the same signature belongs to other content. */
  readonly otherReadings?: () => Promise<readonly CapturedRequest[]>;
}

export const FORMAT_NAMES = {
  json: 'a JSON body',
  curl: 'a curl command',
  wget: 'a wget command',
  httpie: 'an HTTPie command',
  powershell: 'a PowerShell command',
  fetch: 'a call of fetch',
  har: 'a HAR file',
  'http-file': 'an .http file',
  http: 'an HTTP message',
  log: 'a log',
} as const;

export type CaptureFormat = keyof typeof FORMAT_NAMES;

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

export type FaultName = keyof typeof FAULTS;

/** The error for a fault of faults.json: its subject, in which `$1` is the first value, and its hint. */
export function captureFault(
  format: CaptureFormat,
  fault: FaultName,
  values: readonly unknown[] = [],
  cause?: unknown,
): MopError {
  const [subject = '', hint = ''] = FAULTS[fault];
  const named = subject.replace(/\$(\d)/g, (_, number) => String(values[number - 1]));
  return captureError(format, named, hint, cause);
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

/** A value in which a log replaced characters: `138****8000`, `0A1B2C******`, `••••`, `xxxxxx`. */
const MASK =
  /\*{3,}|[•●█]{2,}|(?<![\da-z])x{4,}(?![\da-z])|^[\da-f]{2,8}x{4,}|\[(?:REDACTED|FILTERED|MASKED)\]/i;
const MAX_NOTES = 5;
/** Characters of a value that are searched: masks are short. */
const MAX_VALUE = 1000;

function isMasked(value: string): boolean {
  return MASK.test(value.slice(0, MAX_VALUE));
}

export function signatureOf({ headers, body }: { headers: readonly Header[]; body: RequestBody }) {
  const header = headerValue(headers, SIGN_HEADERS.sign);
  if (header) return header;
  if (typeof body !== 'string') {
    const field = body.find(({ name }) => name === 'sign');
    return field && ('value' in field ? field.value : '');
  }
  const sign = member(jsonObject(body), 'sign');
  return sign && (sign.kind === 'string' ? sign.value : '');
}

export function maskedSignature(request: CapturedRequest): MopError | undefined {
  const sign = signatureOf(request);
  if (sign === undefined || !isMasked(sign)) return undefined;
  const name = headerValue(request.headers, SIGN_HEADERS.sign) ? SIGN_HEADERS.sign : 'sign';
  return captureError(
    request.format,
    `the log masks the signature (${name}=${sign.slice(0, 64)})`,
    `log ${name} unmasked for one request: remove it from the list of masked fields; a signature is not a secret`,
  );
}

export function withMaskNotes(request: CapturedRequest): CapturedRequest {
  const notes = valuesOf(request)
    .filter(([, value]) => isMasked(value))
    .slice(0, MAX_NOTES)
    .map(([name, value]) => {
      return `the log seems to mask ${name} (${shown(value)}): the signature covers the value that was sent`;
    });
  return notes.length === 0 ? request : { ...request, notes: [...request.notes, ...notes] };
}

function valuesOf({ headers, body }: CapturedRequest): readonly Header[] {
  const own = headers.filter(([name]) => /^x-tms-/i.test(name));
  const fields =
    typeof body === 'string'
      ? (jsonObject(body)?.members ?? []).flatMap(({ name, value }): Header[] =>
          value.kind === 'string' ? [[name, value.value]] : [],
        )
      : body.flatMap((field): Header[] => ('value' in field ? [[field.name, field.value]] : []));
  return [...own, ...fields];
}
