import { MopError } from '../errors.ts';
import { type NestedText, parseMembers } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { JsonSyntaxError } from '../json/reader.ts';
import type { JsonMember, JsonValue } from '../json/value.ts';
import { textFault, valueFault } from './body-fault.ts';

/**
 * The text of a value in the canonical string (D1 5.1). The caller handles null, whose text depends
 * on the mode.
 */
export function valueText(value: JsonValue): string {
  return value.kind === 'string' ? value.value : printJson(value);
}

/**
 * @throws {MopError} `usage` unless the text is a JSON object with distinct names, whose strings
 * UTF-8 can encode.
 */
export function readBody(bodyText: string, kept: NestedText = 'compact'): readonly JsonMember[] {
  const body = parsed(bodyText, kept);
  if (body.kind !== 'object') {
    const { form, hint } = valueFault(body);
    throw new MopError('usage', `the body ${form}`, { hint });
  }
  assertDistinct(body.members.map(({ name }) => name));
  for (const { name, value } of body.members) {
    assertWellFormed(name, name);
    if (value.kind === 'string') assertWellFormed(name, value.value);
  }
  return body.members;
}

/** @throws {MopError} `usage` when the text of a field contains half a surrogate pair. */
export function assertWellFormed(name: string, text: string): void {
  if (text.isWellFormed()) return;
  const fault = 'contains half of a surrogate pair, which cannot be sent as UTF-8';
  throw new MopError('usage', `field ${JSON.stringify(name)} ${fault}`, {
    hint: 'write the character whole, or both halves of its \\uXXXX escape',
  });
}

/** @throws {MopError} `usage` when a field name occurs twice. */
export function assertDistinct(names: readonly string[]): void {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice === undefined) return;
  throw new MopError('usage', `the field ${JSON.stringify(twice)} occurs twice`, {
    hint: 'remove one of the two: the platform would read only one',
  });
}

function parsed(bodyText: string, kept: NestedText): JsonValue {
  try {
    return parseMembers(bodyText, kept);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { form, inputHint = 'correct the JSON' } = textFault(bodyText, error);
    throw new MopError('usage', `the body ${form}`, { hint: inputHint, cause: error });
  }
}
