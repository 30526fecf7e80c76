import type { MopError } from '../../errors.ts';
import { jsonObject } from '../../json/parse.ts';
import { member } from '../../json/value.ts';
import { SIGN_HEADERS } from '../../protocol/operations.ts';
import { type Header, headerValue, type RequestBody } from '../header-mode.ts';
import { captureError, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';

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
