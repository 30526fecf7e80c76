import type { JsonMember, JsonObject, JsonValue } from './value.ts';

export function text(value: string): JsonValue {
  return { kind: 'string', value };
}

export function integer(value: number): JsonValue {
  return { kind: 'number', text: String(value) };
}

/** A number of hundredths, such as cents, with two decimals: 2350 is `23.50`. */
export function hundredths(value: number): JsonValue {
  return { kind: 'number', text: (value / 100).toFixed(2) };
}

export function list(items: readonly JsonValue[]): JsonValue {
  return { kind: 'array', items };
}

export function object(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return {
    kind: 'object',
    members: Object.entries(members).map(([name, value]) => ({ name, value })),
  };
}

/** The object with this value for the first member called `name`, or for a new last member. */
export function withMember({ members }: JsonObject, name: string, value: JsonValue): JsonObject {
  const given: JsonMember = { name, value };
  const at = members.findIndex((candidate) => candidate.name === name);
  return { kind: 'object', members: at < 0 ? [...members, given] : members.with(at, given) };
}
