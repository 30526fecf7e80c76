/**
 * Lossless JSON: keeps the order of members, duplicate names and the digits of numbers.
 * `JSON.parse` loses all three, and a signature needs them.
 */

export type JsonValue =
  | { readonly kind: 'string'; readonly value: string }
  /**
   * `text` is the characters of the number as written: `1.0`, `1e2`, `-0`, any number of digits.
   */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | NestedValue;

/** An object or array. `text` is its JSON if stored: compact, or as written. */
export type NestedValue = { readonly text?: string | undefined } & (
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
);

export function isNested(value: JsonValue): value is NestedValue {
  return value.kind === 'object' || value.kind === 'array';
}

export type JsonObject = Extract<JsonValue, { readonly kind: 'object' }>;

export interface JsonMember {
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * The value of the first member called `name`; undefined when it is missing, or for a non-object.
 *
 * @example
 * ```ts
 * import { type JsonMember, member, parseJson } from 'mop-cli/signing';
 *
 * const object = parseJson('{"a":1.0,"b":true}');
 * const members: readonly JsonMember[] = object.kind === 'object' ? object.members : [];
 * console.log(members.length, member(object, 'a'), member(object, 'c'));
 * // 2 { kind: 'number', text: '1.0' } undefined
 * ```
 */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value?.kind === 'object'
    ? value.members.find((candidate) => candidate.name === name)?.value
    : undefined;
}

export function memberText(value: JsonValue | undefined, name: string): string | undefined {
  const found = member(value, name);
  return found?.kind === 'string' ? found.value : undefined;
}

export function memberItems(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const found = member(value, name);
  return found?.kind === 'array' ? found.items : [];
}

/** A name that occurs twice in one object, at any depth; undefined if each name is unique. */
export function repeatedName(value: JsonValue): string | undefined {
  if (!isNested(value)) return undefined;
  const [parts, names] =
    value.kind === 'array'
      ? [value.items, []]
      : [value.members.map((each) => each.value), value.members.map(({ name }) => name)];
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) return twice;
  for (const part of parts) {
    const found = repeatedName(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The kind of a value, with an article. */
export function describe({ kind }: Pick<JsonValue, 'kind'>): string {
  if (kind === 'null') return 'null';
  return `${kind === 'array' || kind === 'object' ? 'an' : 'a'} ${kind}`;
}
