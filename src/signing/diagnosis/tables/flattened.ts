import { list, object, text } from '../../../json/build.ts';
import { printJson } from '../../../json/print.ts';
import { isNested, type JsonMember, type JsonValue } from '../../../json/value.ts';
import { compareNames } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { fewFields, mistake, RARE, type Table, USUAL } from '../mistake.ts';
import { fieldText, jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import type { Pair, Signer } from '../signer.ts';
import {
  base64,
  changeOf,
  mapped,
  type Row,
  rowsOf,
  type TextChange,
  table,
  wrapped,
} from '../steps.ts';
import { CLASS_TEXTS, LANGUAGE_TEXTS } from './languages.ts';
import { ofOneKind } from './nested.ts';

// Nested JSON that was split into fields, printed by a language, or changed before it was printed.

type NameOf = (outer: string, inner: string | number) => string;

interface NestedNames {
  readonly member: NameOf;
  readonly item: NameOf;
  /** Converts an inner value; undefined omits it. */
  readonly leaf?: (value: JsonValue) => JsonValue | undefined;
  /** Default: objects and lists. */
  readonly kinds?: readonly JsonValue['kind'][] | undefined;
}

/** Rows whose titles begin with samples of the names of members and of items: {@link namedAs}. */
const NESTED_NAMES = mapped<Partial<NestedNames>, NestedNames>(
  {
    [USUAL]: {
      'a[b]=, a[0]= (qs of JavaScript)': {},
      'a[b]=, a[0]=, true as 1 (http_build_query of PHP)': { leaf: phpQueryValue },
      'a.b=, a[0]=': {},
      'a.b=, a.0=': {},
      'a[b]=, a[]= (to_query of Ruby)': {},
      'a[b]=, a= for each item': {},
      'a= for each item, objects as empty text (querystring of JavaScript)': {
        ...{ leaf: nodeQueryValue, kinds: ['array'] },
      },
    },
    [RARE]: {
      'a.b=, a= for each item': {},
      'a_b=, a_0=': {},
      'b=, a= for each item, without the outer name': {},
    },
  },
  0,
  (more, how) => {
    const [, member, item = ''] = /^(?:(\S+)=, )?(\S+)=/.exec(how) ?? [];
    return { member: namedAs(member ?? item), item: namedAs(item), ...more };
  },
);

type Reshape = (value: JsonValue) => JsonValue;

const printed =
  (change: TextChange): Reshape =>
  (value) =>
    text(changeOf(change)(printJson(value)));
const lists = (change: (items: readonly JsonValue[]) => JsonValue): Reshape =>
  inside((value) => (value.kind === 'array' ? change(value.items) : value));

const RESHAPED: readonly Row<Reshape>[] = [
  ...rowsOf<Reshape>({
    3: {
      'with [] for {} (an empty array of PHP)': emptyAs(list([])),
      'with {} for [] (an empty table of Lua)': emptyAs(object({})),
      'with null for {} and []': emptyAs({ kind: 'null' }),
      'with lists as objects, "0" for the first item (an array of PHP)': lists(indexedFrom(0)),
      'with a list of one item as that item': inside(onlyItem),
      'with an outer list of one item as that item': onlyItem,
      'as a list of one item': (value) => (value.kind === 'object' ? list([value]) : value),
      'as JSON text in JSON': printed(JSON.stringify),
      'with numbers as texts': inside((value) =>
        value.kind === 'number' ? text(value.text) : value,
      ),
      'with all values as texts': inside((value) => {
        if (value.kind === 'number') return text(value.text);
        return value.kind === 'boolean' ? text(String(value.value)) : value;
      }),
      'with single quotes for double quotes': printed([/"/g, "'"]),
      'with a backslash before quotes': printed([/"/g, '\\"']),
    },
    4: {
      'without its outer brackets': printed((json) => json.slice(1, -1)),
      'without quotes': printed([/"/g, '']),
    },
    [RARE]: {
      'with lists as objects, "1" for the first item (a table of Lua)': lists(indexedFrom(1)),
      'as JSON text in JSON, spaces as in json.dumps of Python': (value) =>
        text(JSON.stringify(jsonText(value, SPACED_STYLE))),
      'with texts of digits as numbers': inside((value) =>
        value.kind === 'string' && /^-?\d+(\.\d+)?$/.test(value.value)
          ? { kind: 'number', text: value.value }
          : value,
      ),
      'as Base64 of its JSON': printed(base64),
      'without quotes around names': printed([/"(\w+)":/g, '$1:']),
      'with lists sorted': lists((items) =>
        list(items.toSorted((a, b) => compareNames(printJson(a), printJson(b)))),
      ),
      'with lists reversed': lists((items) => list(items.toReversed())),
    },
  }),
  ...mapped(wrapped(4, 'Optional[V] of Java', 'Some(V) of Scala or Rust'), 0, printed),
];

export const nestedFlattened = mistake(
  'nested-flattened',
  [
    splitTable('nested JSON was split', 0, ['object', 'array']),
    splitTable('nested JSON, except lists, was split', 1, ['object']),
    splitTable('nested JSON, except objects, was split', 1, ['array']),
    table(
      'signer',
      'nested JSON was split into separate fields, after sorting:',
      NESTED_NAMES.map(([how, , names]) => [
        how,
        how.includes('PHP') ? USUAL : RARE,
        (signer) => splitAfterSorting(signer, names),
      ]),
    ),
    table('nested', 'nested JSON was signed', LANGUAGE_TEXTS),
    ...ofOneKind(LANGUAGE_TEXTS),
    table('nested', 'nested JSON was signed', CLASS_TEXTS),
    table(
      'nested',
      'nested JSON was signed',
      mapped(RESHAPED, 0, (reshape): PrintStyle['nested'] => (value, style) => {
        return fieldText(reshape(value), { ...style, nested: RIGHT_STYLE.nested }) ?? '';
      }),
      { fix: 'sign nested JSON with the same lists and objects that are sent' },
    ),
  ],
  {
    'one object or list was split into separate fields': (evidence) => {
      const nested = fewFields(evidence).filter(({ value }) => isNested(value));
      return (nested.length < 2 ? [] : nested).flatMap(({ name }) =>
        splitTable(`${name} was split`, 2, undefined, (field) => field.name === name),
      );
    },
  },
);

function splitTable(
  subject: string,
  added: number,
  kinds: NestedNames['kinds'],
  isSplit?: (field: Field) => boolean,
): Table {
  const rows = mapped(NESTED_NAMES, added, (own) => {
    const names = kinds ? { kinds, ...own } : own;
    return (fields: readonly Field[]) => flattened(fields, names, isSplit);
  });
  return table('fields', `${subject} into separate fields:`, rows);
}

/** Splits nested JSON into fields that keep the sorted place of the outer field. */
function splitAfterSorting(signer: Signer, names: NestedNames): Signer {
  const { fields } = signer.steps;
  const outer = new Map(fields.map(({ name, position }) => [position, name]));
  const nameOf = ({ name, position }: Pair): string => outer.get(position) ?? name;
  return signer.with({
    fields: flattened(fields, names),
    order: (pairs) => pairs.toSorted((a, b) => compareNames(nameOf(a), nameOf(b))),
  });
}

function flattened(
  fields: readonly Field[],
  names: NestedNames,
  isSplit: (field: Field) => boolean = () => true,
): readonly Field[] {
  return fields.flatMap((field) =>
    isNested(field.value) && isSplit(field)
      ? leaves(field.name, field.value, names).map((leaf) => ({ ...field, ...leaf }))
      : [field],
  );
}

function leaves(name: string, value: JsonValue, names: NestedNames): readonly JsonMember[] {
  const { member, item, leaf = (inner) => inner, kinds = ['object', 'array'] } = names;
  if (value.kind === 'object' && kinds.includes('object')) {
    return value.members.flatMap((each) => leaves(member(name, each.name), each.value, names));
  }
  if (value.kind === 'array' && kinds.includes('array')) {
    return value.items.flatMap((each, index) => leaves(item(name, index), each, names));
  }
  const inner = leaf(value);
  return inner ? [{ name, value: inner }] : [];
}

/** @param sample `a` is the outer name, and `b` or `0` the inner one. */
function namedAs(sample: string): NameOf {
  const [, a = '', between = '', b = '', end = ''] = /^(a?)([^b0]*)([b0]?)(.*)$/.exec(sample) ?? [];
  return (outer, inner) => (a && outer) + between + (b && inner) + end;
}

function phpQueryValue(value: JsonValue): JsonValue | undefined {
  if (value.kind === 'null') return undefined;
  return value.kind === 'boolean' ? text(value.value ? '1' : '0') : value;
}

function nodeQueryValue(value: JsonValue): JsonValue {
  return value.kind === 'object' || value.kind === 'null' ? text('') : value;
}

/** Applies a change to a value and every value inside it, innermost first. */
function inside(change: Reshape): Reshape {
  return function visit(value): JsonValue {
    if (value.kind === 'array') return change(list(value.items.map(visit)));
    if (value.kind !== 'object') return change(value);
    const members = value.members.map(
      (member): JsonMember => ({ ...member, value: visit(member.value) }),
    );
    return change({ kind: 'object', members });
  };
}

function emptyAs(other: JsonValue): Reshape {
  const isEmpty = (value: JsonValue): boolean =>
    (value.kind === 'array' ? value.items : value.kind === 'object' ? value.members : [0])
      .length === 0;
  return inside((value) => (isEmpty(value) ? other : value));
}

function onlyItem(value: JsonValue): JsonValue {
  const [only, ...others] = value.kind === 'array' ? value.items : [];
  return only && others.length === 0 ? only : value;
}

function indexedFrom(first: number): (items: readonly JsonValue[]) => JsonValue {
  return (items) => {
    const members = items.map((value, index) => ({ name: String(index + first), value }));
    return { kind: 'object', members };
  };
}
