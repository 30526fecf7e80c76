import type { JsonMember, JsonValue } from '../../json/value.ts';

/** Every text in the fields: names and strings, those inside nested JSON included. */
export function allTexts(fields: readonly JsonMember[]): readonly string[] {
  return fields.flatMap(({ name, value }) => [name, ...textsOf(value)]);
}

export function someText(fields: readonly JsonMember[], test: (text: string) => boolean): boolean {
  return allTexts(fields).some(test);
}

function textsOf(value: JsonValue): readonly string[] {
  switch (value.kind) {
    case 'string':
      return [value.value];
    case 'array':
      return value.items.flatMap(textsOf);
    case 'object':
      return allTexts(value.members);
    default:
      return [];
  }
}

/** A value with all its strings changed, names left as they are. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  switch (value.kind) {
    case 'string':
      return { ...value, value: change(value.value) };
    case 'array':
      return { kind: 'array', items: value.items.map((item) => mapTexts(item, change)) };
    case 'object':
      return {
        kind: 'object',
        members: value.members.map((member) => ({
          ...member,
          value: mapTexts(member.value, change),
        })),
      };
    default:
      return value;
  }
}
