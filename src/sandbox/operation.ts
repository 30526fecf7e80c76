import { MopError } from '../errors.ts';
import { integer, object, text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import { describe, type JsonMember, type JsonObject, type JsonValue } from '../json/value.ts';
import { MAX_MESSAGE_LENGTH } from '../protocol/limits.ts';
import { type AllReadings, READINGS, type ReadingName } from '../protocol/readings.ts';
import { findResultCode, PARAMETER_ERROR, SUCCESS } from '../protocol/result-codes.ts';
import type { FormFile } from '../server/form.ts';
import type { SignatureFindings } from '../server/log-entry.ts';
import { badRequest } from '../server/request-body.ts';
import { missingName } from '../signing/verification/request-checks.ts';

/** Milliseconds since 1970. */
export type Clock = () => number;

/**
 * Carries out an authenticated request, given its business fields. An error of `badRequest` becomes
 * the answer 1001; any other error is a bug.
 */
export type OperationHandler = (fields: Fields, call: Call) => Promise<Envelope>;

interface Call {
  /** The files of a form; undefined when the body is JSON. */
  readonly files: readonly FormFile[] | undefined;
  /** The address of the sandbox in the request, without a trailing slash. */
  readonly origin: string;
  readonly now: Clock;
}

/** The answer of every operation (D1 2.2). */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  /** Digits and the order of members are sent unchanged. */
  readonly data: JsonObject;
}

export function success(data: JsonObject): Envelope {
  return failure(SUCCESS, undefined, data);
}

/** An answer with a result code of D1 section 7; the message is by default its meaning. */
export function failure(code: number, message?: string, data: JsonObject = object({})): Envelope {
  const reported = message ?? findResultCode(code)?.meaning ?? `Code ${code}`;
  return { code, message: shortened(reported), data };
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  // UTF-8 cannot encode half of a surrogate pair.
  return `${message.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function printEnvelope({ code, message, data }: Envelope): string {
  return printJson(object({ code: integer(code), message: text(message), data }));
}

/** The answer 1001 to an error of `badRequest`; throws any other error again. */
export function parameterError(error: unknown): Envelope {
  if (!(error instanceof MopError && error.code === 'usage')) throw error;
  return failure(PARAMETER_ERROR, error.message);
}

/** The points on which a request can be refused, apart from the string to sign. */
type RulePoint = Extract<ReadingName, 'nonce' | 'types' | 'modes' | 'replay' | 'window'>;

/** The open points of D1 that one request meets. */
export class OpenPoints {
  readonly #chosen: AllReadings;
  /** The warnings by reading. */
  readonly #needed = new Map<string, string>();

  constructor(chosen: AllReadings) {
    this.#chosen = chosen;
  }

  /** The fault of the request under the chosen reading; notes another reading that has a fault. */
  faultOf<Name extends RulePoint, Fault extends { readonly message: string }>(
    name: Name,
    check: (reading: AllReadings[Name]) => Fault | undefined,
  ): Fault | undefined {
    const fault = check(this.#chosen[name]);
    if (fault !== undefined) return fault;
    const values: readonly string[] = READINGS[name].values;
    for (const value of values as readonly AllReadings[Name][]) {
      const other = check(value);
      if (other === undefined) continue;
      const warning = `${other.message} (refused under the reading ${name}=${value})`;
      this.#needed.set(`${name}=${this.#chosen[name]}`, warning);
      break;
    }
    return undefined;
  }

  /** The findings about an accepted request, with the noted readings. */
  addTo({ readings = [], warnings = [], ...findings }: SignatureFindings): SignatureFindings {
    return {
      ...findings,
      readings: [...readings, ...this.#needed.keys()],
      warnings: [...warnings, ...this.#needed.values()],
    };
  }
}

export interface Fields extends ReadonlyMap<string, JsonValue> {
  readonly points: OpenPoints;
  /** Whether the fields come from a form, which can send a number only as a text. */
  readonly isForm: boolean;
}

export function fieldsOf(
  members: readonly JsonMember[],
  points: OpenPoints,
  isForm = false,
): Fields {
  const fields = new Map(members.map(({ name, value }) => [name, value]));
  return Object.assign(fields, { points, isForm });
}

/** The value of a field; undefined when it is missing or null. */
export function field(fields: Fields, name: string): JsonValue | undefined {
  const value = fields.get(name);
  return value?.kind === 'null' ? undefined : value;
}

/** @throws {MopError} `usage` unless the field is missing or a string. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = field(fields, name);
  if (value !== undefined && value.kind !== 'string') throw wrongType(name, value, 'a string');
  return value?.value;
}

/** @throws {MopError} `usage` when the field is missing, empty, too long or not a string. */
export function requiredText(fields: Fields, name: string, maxLength?: number): string {
  return requirePresent(name, textField(fields, name), fields.keys(), maxLength);
}

/** A text that is not empty; `names` may contain a misspelling. @throws {MopError} `usage` */
export function requirePresent(
  name: string,
  text: string | undefined,
  names: Iterable<string>,
  maxLength = Number.POSITIVE_INFINITY,
): string {
  if (text === undefined || text === '') throw badRequest(missingName(name, names));
  if (text.length > maxLength) throw badRequest(`${name} has more than ${maxLength} characters`);
  return text;
}

/** The digits of an int. @throws {MopError} `usage` when the field is missing or not an int. */
export function requiredInt(fields: Fields, name: string): string {
  const value = field(fields, name);
  if (value === undefined) throw badRequest(missingName(name, fields.keys()));
  const digits = numberText(fields, name, value, 'an int');
  if (!/^-?\d+$/.test(digits)) throw wrongType(name, value, 'an int');
  return digits;
}

/** @throws {MopError} `usage` unless the field is missing or in -limit to limit. */
export function degrees(fields: Fields, name: string, limit: number): number | undefined {
  const value = field(fields, name);
  if (value === undefined) return undefined;
  const number = Number(numberText(fields, name, value, 'a number'));
  if (Math.abs(number) <= limit) return number;
  throw badRequest(`${name} is not in -${limit} to ${limit}`);
}

/** The characters of a number, or of its decimal text if the reading `types` accepts that. */
function numberText(fields: Fields, name: string, value: JsonValue, type: string): string {
  if (value.kind === 'number') return value.text;
  const wrong = wrongType(name, value, type);
  if (value.kind !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(value.value)) throw wrong;
  const { points, isForm } = fields;
  const fault = isForm
    ? undefined
    : points.faultOf('types', (types) => (types === 'strict' ? wrong : undefined));
  if (fault) throw fault;
  return value.value;
}

/** @param type The documented type, with its article. */
function wrongType(name: string, value: JsonValue, type: string): MopError {
  const given = value.kind === 'number' && type === 'an int' ? value.text : describe(value);
  return badRequest(`${name} is ${given}, not ${type}`);
}
