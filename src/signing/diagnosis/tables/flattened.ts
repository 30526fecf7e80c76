import { text } from '../../../json/build.ts';
import { isNested, type JsonMember, type JsonValue } from '../../../json/value.ts';
import { compareNames } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, RARE, USUAL, type Variant } from '../mistake.ts';
import type { Pair, Signer, Steps } from '../signer.ts';
import { type Row, table } from '../steps.ts';

/** Nested JSON that was split into separate fields. */

/** Builds the name of an inner field from the outer name and the inner name or index. */
interface NestedNames {
  readonly how: string;
  readonly cost: number;
  readonly member: (outer: string, name: string | number) => string;
  readonly item: (outer: string, index: number) => string;
  /** Converts an inner value; undefined omits it. */
  readonly leaf?: (value: JsonValue) => JsonValue | undefined;
}

const brackets = (outer: string, inner: string | number): string => `${outer}[${inner}]`;
const dots = (outer: string, inner: string | number): string => `${outer}.${inner}`;
const underscores = (outer: string, inner: string | number): string => `${outer}_${inner}`;
const outerName = (outer: string): string => outer;

/** `http_build_query` of PHP, which omits null and writes true as 1. */
export const PHP_QUERY_NAMES: NestedNames = {
  how: 'a[b]=, a[0]=, true as 1 (http_build_query of PHP)',
  ...{ cost: USUAL, member: brackets, item: brackets, leaf: phpQueryValue },
};
/** Query strings of qs, a library of JavaScript. */
export const INDEX_NAMES: NestedNames = {
  ...{ how: 'a[b]=, a[0]=', cost: USUAL, member: brackets, item: brackets },
};
/** Query strings of Ruby on Rails and jQuery. */
export const BRACKET_NAMES: NestedNames = {
  ...{ how: 'a[b]=, a[]=', cost: USUAL, member: brackets, item: (outer) => `${outer}[]` },
};
/** `querystring.stringify` of Node: a list is repeated, an object is empty. */
export const NODE_QUERY_NAMES: NestedNames = {
  how: 'a= for each item, objects as empty text (querystring of Node)',
  ...{ cost: 3, member: outerName, item: outerName, leaf: nodeQueryValue },
};

const NESTED_NAMES: readonly NestedNames[] = [
  INDEX_NAMES,
  PHP_QUERY_NAMES,
  { how: 'a.b=, a[0]=', cost: USUAL, member: dots, item: brackets },
  { how: 'a.b=, a.0=', cost: USUAL, member: dots, item: dots },
  BRACKET_NAMES,
  { how: 'a[b]=, a= for each item', cost: USUAL, member: brackets, item: outerName },
  { how: 'a.b=, a= for each item', cost: RARE, member: dots, item: outerName },
  { how: 'a_b=, a_0=', cost: RARE, member: underscores, item: underscores },
  {
    how: 'b=, without the outer name',
    cost: RARE,
    member: (_, name) => `${name}`,
    item: outerName,
  },
  NODE_QUERY_NAMES,
];

export const NESTED_FLATTENED: readonly Variant[] = [
  ...table('nested-flattened', 'fields', 'nested JSON', [
    ...splitRows(['object', 'array'], 'was', 0),
    ...splitRows(['object'], ', except lists, was', 1),
    ...splitRows(['array'], ', except objects, was', 1),
  ]),
  ...table(
    'nested-flattened',
    'signer',
    'nested JSON was split into separate fields, after sorting:',
    NESTED_NAMES.map(
      (names): Row<'signer'> => [
        names.how,
        // Usual for http_build_query.
        names === PHP_QUERY_NAMES ? USUAL : RARE,
        (signer) => splitAfterSorting(signer, names),
      ],
    ),
  ),
  ...hoistRows(() => true, 'the members of objects were signed as separate fields'),
];

function splitRows(
  kinds: readonly JsonValue['kind'][],
  subject: string,
  added: number,
): readonly Row<'fields'>[] {
  return NESTED_NAMES.map((names) => [
    `${subject} split into separate fields: ${names.how}`.replace(/^was/, 'was'),
    names.cost + added,
    (fields) => flattened(fields, names, kinds),
  ]);
}

/** One nested field that was split, or whose members were signed as fields. */
export function oneFieldFlattened({ fields }: Evidence): readonly Variant[] {
  const nested = fields.filter(({ value }) => isNested(value));
  if (nested.length < 2) return [];
  return nested.flatMap(({ name, value }) => {
    const isField = (field: Field): boolean => field.name === name;
    const rows = NESTED_NAMES.map(
      (names): Row<'fields'> => [
        `${name} was split into separate fields: ${names.how}`,
        names.cost + 2,
        (all) => all.flatMap((field) => (isField(field) ? flattened([field], names) : [field])),
      ],
    );
    const subject = `the members of ${name} were signed as separate fields`;
    return [
      ...table('nested-flattened', 'fields', '', rows),
      ...(value.kind === 'object' ? hoistRows(isField, subject) : []),
    ];
  });
}

/** The members of objects as fields, one level deep: `{**body, **body["meta"]}`. */
function hoistRows(isHoisted: (field: Field) => boolean, subject: string): readonly Variant[] {
  return table('nested-flattened', 'fields', `${subject},`, [
    ['instead of it', 4, (fields) => hoisted(fields, isHoisted, false)],
    ['beside it', 4, (fields) => hoisted(fields, isHoisted, true)],
  ]);
}

/** Splits nested JSON into fields that keep the sorted place of the outer field. */
export function splitAfterSorting(signer: Signer, names: NestedNames): Signer {
  const { fields } = signer.steps;
  return signer.with({ fields: flattened(fields, names), order: byOuterName(fields) });
}

/** Sorts inner fields by the name of the outer field. */
function byOuterName(fields: readonly Field[]): Steps['order'] {
  const outer = new Map(fields.map(({ name, position }) => [position, name]));
  const nameOf = ({ name, position }: Pair): string => outer.get(position) ?? name;
  return (pairs) => pairs.toSorted((a, b) => compareNames(nameOf(a), nameOf(b)));
}

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

/** A member replaces a field of the same name. */
function hoisted(
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
  if (value.kind === 'object' && kinds.includes('object') && names !== NODE_QUERY_NAMES) {
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

function nodeQueryValue(value: JsonValue): JsonValue {
  return value.kind === 'object' || value.kind === 'null' ? text('') : value;
}
