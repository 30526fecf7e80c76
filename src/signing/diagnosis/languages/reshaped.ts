import { list, object, text } from '../../../json/build.ts';
import { printJson } from '../../../json/print.ts';
import type { JsonMember, JsonValue } from '../../../json/value.ts';
import { compareNames } from '../../canonical.ts';
import { RARE } from '../mistake.ts';
import { jsonText, SPACED_STYLE } from '../print-style.ts';

/** Changes of lists and objects before they are printed, such as a list that becomes an object. */
export const RESHAPED: readonly {
  readonly title: string;
  readonly reshape: (value: JsonValue) => JsonValue;
  readonly cost?: number;
}[] = [
  {
    title: 'with [] for {} (an empty array of PHP)',
    reshape: mapped((value) => (isEmptyObject(value) ? list([]) : value)),
  },
  {
    title: 'with {} for [] (an empty table of Lua)',
    reshape: mapped((value) => (isEmptyList(value) ? object({}) : value)),
  },
  {
    title: 'with null for {} and []',
    reshape: mapped((value) => (isEmptyObject(value) || isEmptyList(value) ? NULL : value)),
  },
  {
    title: 'with lists as objects, "0" for the first item (an array of PHP)',
    reshape: mapped((value) => (value.kind === 'array' ? indexed(value.items, 0) : value)),
  },
  {
    title: 'with lists as objects, "1" for the first item (a table of Lua)',
    reshape: mapped((value) => (value.kind === 'array' ? indexed(value.items, 1) : value)),
    cost: RARE,
  },
  {
    title: 'with a list of one item as that item',
    reshape: mapped((value) =>
      value.kind === 'array' && value.items.length === 1 ? (value.items[0] ?? NULL) : value,
    ),
  },
  {
    title: 'with an outer list of one item as that item',
    reshape: (value) =>
      value.kind === 'array' && value.items.length === 1 ? (value.items[0] ?? NULL) : value,
  },
  {
    title: 'as a list of one item',
    reshape: (value) => (value.kind === 'object' ? list([value]) : value),
  },
  { title: 'as JSON text in JSON', reshape: (value) => text(JSON.stringify(printJson(value))) },
  {
    title: 'as JSON text in JSON, spaces as in json.dumps of Python',
    reshape: (value) => text(JSON.stringify(jsonText(value, SPACED_STYLE))),
    cost: RARE,
  },
  {
    title: 'with numbers as texts',
    reshape: mapped((value) => (value.kind === 'number' ? text(value.text) : value)),
  },
  {
    title: 'with all values as texts',
    reshape: mapped((value) =>
      value.kind === 'number'
        ? text(value.text)
        : value.kind === 'boolean'
          ? text(String(value.value))
          : value,
    ),
  },
  {
    title: 'with texts of digits as numbers',
    reshape: mapped((value) =>
      value.kind === 'string' && /^-?\d+(\.\d+)?$/.test(value.value)
        ? { kind: 'number', text: value.value }
        : value,
    ),
    cost: RARE,
  },
  {
    title: 'as Base64 of its JSON',
    reshape: (value) => text(Buffer.from(printJson(value)).toString('base64')),
    cost: RARE,
  },
  {
    title: 'without its outer brackets',
    reshape: (value) => text(printJson(value).slice(1, -1)),
    cost: 4,
  },
  {
    title: 'with single quotes for double quotes',
    reshape: (value) => text(printJson(value).replaceAll('"', "'")),
    cost: 3,
  },
  {
    title: 'without quotes',
    reshape: (value) => text(printJson(value).replaceAll('"', '')),
    cost: 4,
  },
  {
    title: 'without quotes around names',
    reshape: (value) => text(printJson(value).replace(/"(\w+)":/g, '$1:')),
    cost: RARE,
  },
  {
    title: 'with a backslash before quotes',
    reshape: (value) => text(printJson(value).replace(/"/g, '\\"')),
    cost: 3,
  },
  {
    title: 'with lists sorted',
    reshape: mapped((value) =>
      value.kind === 'array'
        ? list(value.items.toSorted((a, b) => compareNames(printJson(a), printJson(b))))
        : value,
    ),
    cost: RARE,
  },
  {
    title: 'with lists reversed',
    reshape: mapped((value) => (value.kind === 'array' ? list(value.items.toReversed()) : value)),
    cost: RARE,
  },
];

/** Applies a change to a value and every value inside it, innermost first. */
function mapped(change: (value: JsonValue) => JsonValue): (value: JsonValue) => JsonValue {
  return function visit(value): JsonValue {
    if (value.kind === 'array') return change(list(value.items.map(visit)));
    if (value.kind !== 'object') return change(value);
    const members = value.members.map(
      (member): JsonMember => ({ ...member, value: visit(member.value) }),
    );
    return change({ kind: 'object', members });
  };
}

const NULL: JsonValue = { kind: 'null' };

function indexed(items: readonly JsonValue[], first: number): JsonValue {
  const members = items.map((value, index) => ({ name: String(index + first), value }));
  return { kind: 'object', members };
}

function isEmptyObject(value: JsonValue): boolean {
  return value.kind === 'object' && value.members.length === 0;
}

function isEmptyList(value: JsonValue): boolean {
  return value.kind === 'array' && value.items.length === 0;
}
