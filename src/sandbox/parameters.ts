import { MopError } from '../errors.ts';
import type { JsonMember, JsonValue } from '../json/value.ts';
import { PARAMETER_ERROR } from '../protocol/result-codes.ts';
import { missingName } from '../signing/verification/request-checks.ts';
import { type Envelope, failure } from './envelope.ts';

/** Fields of a request by name, in its order. */
export type Fields = ReadonlyMap<string, JsonValue>;

export function fieldsOf(members: readonly JsonMember[]): Fields {
  return new Map(members.map(({ name, value }) => [name, value]));
}

/** The value of a field; undefined when it is missing or null. */
export function field(fields: Fields, name: string): JsonValue | undefined {
  const value = fields.get(name);
  return value?.kind === 'null' ? undefined : value;
}

/** @throws {MopError} `usage` unless the field is missing or a string. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = field(fields, name);
  if (value !== undefined && value.kind !== 'string') throw badParameter(`${name} is not a string`);
  return value?.value;
}

/** @throws {MopError} `usage` when the field is missing, empty, too long or not a string. */
export function requiredText(fields: Fields, name: string, maxLength?: number): string {
  return present(name, textField(fields, name), fields.keys(), maxLength);
}

/**
 * @param names All names of the request: one of them may be a misspelling of a missing one.
 * @throws {MopError} `usage` when the text of `name` is missing, empty or too long.
 */
export function present(
  name: string,
  text: string | undefined,
  names: Iterable<string>,
  maxLength = Number.POSITIVE_INFINITY,
): string {
  if (text === undefined || text === '') throw badParameter(missingName(name, names));
  if (text.length > maxLength) {
    throw badParameter(`${name} has more than ${maxLength} characters`);
  }
  return text;
}

/** Degrees north. @throws {MopError} `usage` unless the field is missing or a latitude. */
export function latitude(fields: Fields, name: string): number | undefined {
  return degrees(fields, name, 90);
}

/** Degrees east. @throws {MopError} `usage` unless the field is missing or a longitude. */
export function longitude(fields: Fields, name: string): number | undefined {
  return degrees(fields, name, 180);
}

/** A number, or its decimal text: a form has nothing else. */
function degrees(fields: Fields, name: string, limit: number): number | undefined {
  const value = field(fields, name);
  if (value === undefined) return undefined;
  const text = numberText(value);
  if (text === undefined) throw badParameter(`${name} is not a number`);
  const number = Number(text);
  if (Math.abs(number) <= limit) return number;
  throw badParameter(`${name} is not in -${limit} to ${limit}`);
}

function numberText(value: JsonValue): string | undefined {
  if (value.kind === 'number') return value.text;
  return value.kind === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.value) ? value.value : undefined;
}

export function badParameter(message: string, cause?: unknown): MopError {
  return new MopError('usage', message, { cause });
}

/** The answer 1001 to an error of `badParameter`; throws any other error again. */
export function parameterError(error: unknown): Envelope {
  if (!(error instanceof MopError && error.code === 'usage')) throw error;
  return failure(PARAMETER_ERROR, error.message);
}
