import { MopError } from '../errors.ts';
import { jsonObject } from '../json/parse.ts';
import { type JsonMember, type JsonValue, member } from '../json/value.ts';
import {
  HEADER_OF_FIELD,
  isCommonField,
  isSignedHeaderName,
  SIGN_HEADERS,
} from '../protocol/operations.ts';
import { type Header, sameName } from './header-mode.ts';

export interface UnsignedRequest {
  readonly headers: readonly Header[];
  readonly members: readonly JsonMember[];
}

interface Fault {
  readonly message: string;
  readonly hint: string;
}

const SIGN_NAME = /^(?:(?:x[-_])?(?:tms[-_])?sign(?:ature)?|sig)$/i;
const DIGEST = /^[\da-f]{32}$/i;

/** The places where signers put a signature by mistake, the most certain first. */
const FAULTS: readonly ((request: UnsignedRequest) => Fault | undefined)[] = [
  inHeaderOfOtherName,
  inFieldOfOtherName,
  inWrapper,
  headersWithoutSign,
];

export function hasMisplacedSignature(request: UnsignedRequest): boolean {
  return FAULTS.some((faultOf) => faultOf(request) !== undefined);
}

export function missingSignature(request: UnsignedRequest): MopError {
  for (const faultOf of FAULTS) {
    const fault = faultOf(request);
    if (fault) return new MopError('usage', fault.message, { hint: fault.hint });
  }
  return new MopError('usage', 'the request carries no signature', {
    hint: `body mode needs the field sign in the body; header mode needs the header ${SIGN_HEADERS.sign} (-H '${SIGN_HEADERS.sign}: …')`,
  });
}

/**
 * For a signature in the body beside protocol fields in headers. A request of body mode may carry
 * such headers too.
 */
export function misplacedSignature({ headers, members }: UnsignedRequest): MopError | undefined {
  const common = Object.values(HEADER_OF_FIELD);
  const inHeaders = headers.filter(([name]) => common.some((other) => sameName(other, name)));
  if (inHeaders.length < 2 || members.some(({ name }) => isCommonField(name))) return undefined;
  return new MopError(
    'usage',
    `the signature is in the body (field sign), but the other protocol fields are in X-TMS-* headers`,
    {
      hint: `send it as the header ${SIGN_HEADERS.sign} and not in the body; to verify it, remove sign from the body and pass -H '${SIGN_HEADERS.sign}: …'`,
    },
  );
}

function inHeaderOfOtherName({ headers, members }: UnsignedRequest): Fault | undefined {
  const isOurs = ([name]: Header) => isSignedHeaderName(name);
  if (!headers.some(isOurs) || members.some(({ name }) => isCommonField(name))) return undefined;
  const found = headers.find(
    ([name, value]) => SIGN_NAME.test(name) || (!isOurs([name, value]) && DIGEST.test(value)),
  );
  if (found === undefined) return undefined;
  return {
    message: `the request has no header ${SIGN_HEADERS.sign}; the header ${found[0]} may contain the signature`,
    hint: `send it as ${SIGN_HEADERS.sign}; to verify it, pass -H '${SIGN_HEADERS.sign}: …'`,
  };
}

function inFieldOfOtherName({ members }: UnsignedRequest): Fault | undefined {
  const found = members.find(({ name }) => SIGN_NAME.test(name));
  if (found === undefined) return undefined;
  const { name } = found;
  return {
    message: `the request carries no field sign; the field ${JSON.stringify(name)} may contain the signature`,
    hint: 'rename it to sign, in lower case, and leave it out of the signed fields (D1 5.1)',
  };
}

function inWrapper({ members }: UnsignedRequest): Fault | undefined {
  const found = members.find(({ value }) => isSignedObject(value));
  if (found === undefined) return undefined;
  const where = found.value.kind === 'array' ? 'in a list in' : 'in';
  return {
    message: `the request is wrapped: its fields and its signature are ${where} ${JSON.stringify(found.name)}, not at the top of the body`,
    hint: `send that object as the body; to verify the signature, pass only that object`,
  };
}

function isSignedObject(value: JsonValue): boolean {
  if (value.kind === 'array') return value.items.some(isSignedObject);
  const object = value.kind === 'string' ? jsonObject(value.value) : value;
  return member(object, 'sign')?.kind === 'string';
}

function headersWithoutSign({ headers, members }: UnsignedRequest): Fault | undefined {
  const names = headers.map(([name]) => name).filter(isSignedHeaderName);
  if (names.length === 0 || members.some(({ name }) => isCommonField(name))) return undefined;
  return {
    message: `the request has ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more X-TMS-* headers` : ''}, but no ${SIGN_HEADERS.sign}`,
    hint: `header mode sends the signature as the header ${SIGN_HEADERS.sign}, never in the body; to verify one, pass -H '${SIGN_HEADERS.sign}: …'`,
  };
}
