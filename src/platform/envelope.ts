import { type ErrorDetails, type FailureCode, MopError } from '../errors.ts';
import { isUnauthorized } from '../http/response.ts';
import { type Contract, contractViolation } from '../json/fields.ts';
import { largeJsonObject } from '../json/parse.ts';
import { describe, type JsonValue, member, memberText } from '../json/value.ts';
import {
  ALREADY_ISSUED,
  API_KEY_INVALID,
  AUTHENTICATION_ERROR,
  findResultCode,
  resultHint,
  SUCCESS,
  TIMESTAMP_INVALID,
} from '../protocol/result-codes.ts';

/** The answer to every operation (D1 2.2). */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  /** The data with unchanged digits and order; undefined when absent or null. */
  readonly data: JsonValue | undefined;
  readonly json: JsonValue;
}

/** Undefined when the text is not a JSON object; throws `api` for one that violates D1 2.2. */
export function readEnvelope(text: string): Envelope | undefined {
  const json = largeJsonObject(text);
  if (!json) return undefined;

  for (const name of ['code', 'data']) {
    // Parsers disagree whether the first or the last one counts.
    const count = json.members.filter((each) => each.name === name).length;
    if (count > 1) throw platformViolation(name, `occurs ${count} times`);
  }
  const code = member(json, 'code');
  if (code?.kind !== 'number' || !/^-?\d{1,11}$/.test(code.text)) {
    throw platformViolation('code', code ? 'is not an integer' : 'is missing');
  }
  const data = member(json, 'data');
  const envelope: Envelope = {
    code: Number(code.text),
    message: memberText(json, 'message') ?? '',
    data: data?.kind === 'null' ? undefined : data,
    json,
  };
  // The data of a failure may have any type.
  if (isSuccess(envelope) && envelope.data && envelope.data.kind !== 'object') {
    throw platformViolation('data', `is not an object but ${describe(envelope.data)}`);
  }
  return envelope;
}

/** The answers of the platform (D1 section 2). */
export const PLATFORM_CONTRACT: Contract = {
  sender: 'platform',
  hint: 'report the answer to the platform; a trace (--verbose) shows it',
  isStrict: false,
  wrongKind: (kind) => `is not ${describe({ kind })}`,
};

export function platformViolation(field: string, fault: string, details?: ErrorDetails): MopError {
  return contractViolation(PLATFORM_CONTRACT, field, fault, details);
}

/** Whether an envelope reports success. 2303, "already issued", is a success (D1 section 7). */
export function isSuccess({ code }: Pick<Envelope, 'code'>): boolean {
  return code === SUCCESS || code === ALREADY_ISSUED;
}

export function envelopeError(
  { code, message }: Pick<Envelope, 'code' | 'message'>,
  details: ErrorDetails,
): MopError {
  const known = findResultCode(code);
  const words = [message, known?.meaning].filter(Boolean);
  const reasons = words[0]?.toLowerCase() === words[1]?.toLowerCase() ? words.slice(1) : words;
  const text = `the platform answered ${[code, reasons.join(' — ')].filter((part) => part !== '').join(': ')}`;
  return new MopError(errorCode(code), text, {
    systematic:
      isUnauthorized(details.httpStatus ?? 0) || CREDENTIAL_CODES.includes(code)
        ? 'credentials'
        : undefined,
    ...details,
    hint: details.hint ?? codeHint(code),
    platformCode: code,
  });
}

export function errorCode(code: number): FailureCode {
  if (AUTH_CODES.includes(code)) return 'auth';
  // The same call may succeed later, like after a failed connection.
  return findResultCode(code)?.retry === 'as-is' ? 'network' : 'api';
}

/** The hint for a result code, which the documents may not list. */
function codeHint(code: number): string {
  const row = findResultCode(code);
  return row ? resultHint(row) : 'the documents do not list this code: ask the platform';
}

const CREDENTIAL_CODES: readonly number[] = [AUTHENTICATION_ERROR, API_KEY_INVALID];
const AUTH_CODES: readonly number[] = [...CREDENTIAL_CODES, TIMESTAMP_INVALID];
