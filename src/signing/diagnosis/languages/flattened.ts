import { text } from '../../../json/build.ts';
import type { JsonMember, JsonValue } from '../../../json/value.ts';
import type { Field } from '../../received-request.ts';

/** Builds the name of an inner field from the outer name and the inner name or index. */
export interface NestedNames {
  readonly title: string;
  readonly rare?: boolean;
  readonly member: (outer: string, name: string) => string;
  readonly item: (outer: string, index: number) => string;
  /** Converts an inner value; undefined omits it. */
  readonly leaf?: (value: JsonValue) => JsonValue | undefined;
}

const brackets = (outer: string, inner: string | number): string => `${outer}[${inner}]`;
const dots = (outer: string, inner: string | number): string => `${outer}.${inner}`;

/** `http_build_query` of PHP, which omits null and writes true as 1. */
export const PHP_QUERY_NAMES: NestedNames = {
  title: 'a[b]=, a[0]=, true as 1 (http_build_query of PHP)',
  member: brackets,
  item: brackets,
  leaf: phpQueryValue,
};

/** Query strings of Ruby on Rails and jQuery. */
export const BRACKET_NAMES: NestedNames = {
  title: 'a[b]=, a[]=',
  member: brackets,
  item: (outer) => `${outer}[]`,
};

/** Query strings of qs, a library of JavaScript. */
export const INDEX_NAMES: NestedNames = {
  title: 'a[b]=, a[0]=',
  member: brackets,
  item: brackets,
};

export const NESTED_NAMES: readonly NestedNames[] = [
  INDEX_NAMES,
  PHP_QUERY_NAMES,
  { title: 'a.b=, a[0]=', member: dots, item: brackets },
  { title: 'a.b=, a.0=', member: dots, item: dots },
  BRACKET_NAMES,
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

/** Splits nested fields of these kinds into separate fields, at every level. */
export function flattened(
  fields: readonly Field[],
  names: NestedNames,
  kinds: readonly JsonValue['kind'][] = ['object', 'array'],
): readonly Field[] {
  return fields.flatMap((field) =>
    kinds.includes(field.value.kind)
      ? leaves(field.name, field.value, names, kinds).map((leaf) => ({ ...field, ...leaf }))
      : [field],
  );
}

/**
 * The members of objects as fields, one level deep: `{**body, **body["meta"]}`. A member replaces
 * a field of the same name.
 */
export function hoisted(
  fields: readonly Field[],
  isHoisted: (field: Field) => boolean,
  keepsOuter: boolean,
): readonly Field[] {
  const members = fields.flatMap((field) =>
    field.value.kind === 'object' && isHoisted(field)
      ? field.value.members.map((member) => ({ ...field, ...member }))
      : [],
  );
  const names = new Set(members.map(({ name }) => name));
  const kept = fields.filter(
    (field) =>
      !names.has(field.name) && (keepsOuter || field.value.kind !== 'object' || !isHoisted(field)),
  );
  return [...kept, ...members];
}

function leaves(
  name: string,
  value: JsonValue,
  names: NestedNames,
  kinds: readonly JsonValue['kind'][],
): readonly JsonMember[] {
  if (value.kind === 'object' && kinds.includes('object')) {
    return value.members.flatMap((member) =>
      leaves(names.member(name, member.name), member.value, names, kinds),
    );
  }
  if (value.kind === 'array' && kinds.includes('array')) {
    return value.items.flatMap((item, index) =>
      leaves(names.item(name, index), item, names, kinds),
    );
  }
  const leaf = names.leaf ? names.leaf(value) : value;
  return leaf ? [{ name, value: leaf }] : [];
}

function phpQueryValue(value: JsonValue): JsonValue | undefined {
  if (value.kind === 'null') return undefined;
  return value.kind === 'boolean' ? text(value.value ? '1' : '0') : value;
}
