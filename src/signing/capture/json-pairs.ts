import { type JsonValue, member } from '../../json/value.ts';

/** The names and values in an object, or in a list of pairs, such as the attributes of a trace. */
export function pairsIn(value: JsonValue): readonly (readonly [name: string, value: JsonValue])[] {
  if (value.kind === 'object') return value.members.map((each) => [each.name, opened(each.value)]);
  if (value.kind !== 'array') return [];
  return value.items.flatMap((item) => {
    const [name, each] = item.kind === 'array' ? item.items : [nameIn(item), valueIn(item)];
    return name?.kind === 'string' ? [[name.value, opened(each ?? EMPTY)] as const] : [];
  });
}

const EMPTY: JsonValue = { kind: 'string', value: '' };
const nameIn = (item: JsonValue) => firstMember(item, ['name', 'key', 'Name', 'Key']);
const valueIn = (item: JsonValue) => firstMember(item, ['value', 'Value', 'values']);

function firstMember(value: JsonValue, names: readonly string[]): JsonValue | undefined {
  return names.flatMap((name) => member(value, name) ?? [])[0];
}

/** The first value of a list, and the value of a pair or of `{"stringValue": "AB"}`. */
function opened(value: JsonValue): JsonValue {
  if (value.kind === 'array' && value.items.length === 1 && value.items[0])
    return opened(value.items[0]);
  if (value.kind !== 'object') return value;
  const [only] = value.members.filter(({ name }) => /^(?:\w+Value|values?)$/i.test(name));
  return only && value.members.length <= 2 ? opened(only.value) : value;
}

export function scalar(value: JsonValue): string | undefined {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? value.text : undefined;
}
