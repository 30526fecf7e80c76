import { MopError } from '../errors.ts';
import { describe, type JsonMember, type JsonValue } from '../json/value.ts';
import { PARAMETER_ERROR } from '../protocol/result-codes.ts';
import { badRequest } from '../server/bad-request.ts';
import { missingName } from '../signing/verification/request-checks.ts';
import { type Envelope, failure } from './envelope.ts';
import type { OpenPoints } from './open-points.ts';

/** Fields of a request by name, in its order. */
export interface Fields extends ReadonlyMap<string, JsonValue> {
  readonly points: OpenPoints;
  /** The values of a form are texts: any of them may be a number. */
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

/**
 * @param names All names of the request: one may be a misspelling of the missing name.
 * @throws {MopError} `usage` when the text of `name` is missing, empty or too long.
 */
export function requirePresent(
  name: string,
  text: string | undefined,
  names: Iterable<string>,
  maxLength = Number.POSITIVE_INFINITY,
): string {
  if (text === undefined || text === '') throw badRequest(missingName(name, names));
  if (text.length > maxLength) {
    throw badRequest(`${name} has more than ${maxLength} characters`);
  }
  return text;
}

/**
 * The digits of an int.
 *
 * @throws {MopError} `usage` when the field is missing or not an int.
 */
export function requiredInt(fields: Fields, name: string): string {
  const value = field(fields, name);
  if (value === undefined) throw badRequest(missingName(name, fields.keys()));
  const digits = numberText(fields, name, value, 'an int');
  if (!/^-?\d+$/.test(digits)) throw wrongType(name, value, 'an int');
  return digits;
}

/** Degrees north. @throws {MopError} `usage` unless the field is missing or a latitude. */
export function latitude(fields: Fields, name: string): number | undefined {
  return degrees(fields, name, 90);
}

/** Degrees east. @throws {MopError} `usage` unless the field is missing or a longitude. */
export function longitude(fields: Fields, name: string): number | undefined {
  return degrees(fields, name, 180);
}

function degrees(fields: Fields, name: string, limit: number): number | undefined {
  const value = field(fields, name);
  if (value === undefined) return undefined;
  const number = Number(numberText(fields, name, value, 'a number'));
  if (Math.abs(number) <= limit) return number;
  throw badRequest(`${name} is not in -${limit} to ${limit}`);
}

/**
 * The characters of a number, or of its decimal text if that is accepted.
 *
 * @throws {MopError} `usage` for any other value.
 */
function numberText(fields: Fields, name: string, value: JsonValue, type: string): string {
  if (value.kind === 'number') return value.text;
  const wrong = wrongType(name, value, type);
  if (value.kind !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(value.value)) throw wrong;
  if (fields.isForm) return value.value;
  const fault = fields.points.faultOf('types', (types) => (types === 'strict' ? wrong : undefined));
  if (fault) throw fault;
  return value.value;
}

/** @param type The documented type, with its article. */
function wrongType(name: string, value: JsonValue, type: string): MopError {
  const given = value.kind === 'number' && type === 'an int' ? value.text : describe(value);
  return badRequest(`${name} is ${given}, not ${type}`);
}

/** The answer 1001 to an error of `badRequest`; throws any other error again. */
export function parameterError(error: unknown): Envelope {
  if (!(error instanceof MopError && error.code === 'usage')) throw error;
  return failure(PARAMETER_ERROR, error.message);
}
