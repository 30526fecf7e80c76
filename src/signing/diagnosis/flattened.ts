import type { JsonValue } from '../json.ts';
import type { Field } from '../received-request.ts';

/** How the name of an inner field is made of the outer name and the inner name or position. */
export interface NestedNames {
  readonly title: string;
  readonly rare?: boolean;
  readonly member: (outer: string, name: string) => string;
  readonly item: (outer: string, index: number) => string;
}

const brackets = (outer: string, inner: string | number): string => `${outer}[${inner}]`;
const dots = (outer: string, inner: string | number): string => `${outer}.${inner}`;

export const NESTED_NAMES: readonly NestedNames[] = [
  { title: 'a[b]=, a[0]= (http_build_query of PHP)', member: brackets, item: brackets },
  { title: 'a.b=, a[0]=', member: dots, item: brackets },
  { title: 'a.b=, a.0=', member: dots, item: dots },
  { title: 'a[b]=, a[]=', member: brackets, item: (outer) => `${outer}[]` },
  { title: 'a[b]=, a= for each item', member: brackets, item: (outer) => outer },
  { rare: true, title: 'a.b=, a= for each item', member: dots, item: (outer) => outer },
  { rare: true, title: 'a_b=, a_0=', member: (a, b) => `${a}_${b}`, item: (a, b) => `${a}_${b}` },
  {
    rare: true,
    title: 'b=, without the outer name',
    member: (_, name) => name,
    item: (outer) => outer,
  },
];

/** The fields with nested ones split into fields of their own. */
export function flattened(fields: readonly Field[], names: NestedNames): readonly Field[] {
  return fields.flatMap((field) =>
    leaves(field.name, field.value, names).map((leaf) => ({ ...field, ...leaf })),
  );
}

function leaves(
  name: string,
  value: JsonValue,
  names: NestedNames,
): readonly { readonly name: string; readonly value: JsonValue }[] {
  switch (value.kind) {
    case 'object':
      return value.members.flatMap((member) =>
        leaves(names.member(name, member.name), member.value, names),
      );
    case 'array':
      return value.items.flatMap((item, index) => leaves(names.item(name, index), item, names));
    default:
      return [{ name, value }];
  }
}
