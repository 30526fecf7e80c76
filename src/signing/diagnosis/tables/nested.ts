import { list, object, text } from '../../../json/build.ts';
import { printJson } from '../../../json/print.ts';
import { isNested, type JsonMember, type JsonValue } from '../../../json/value.ts';
import { base64Text, utf8Bytes } from '../../bytes.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, RARE, USUAL, type Variant } from '../mistake.ts';
import { permutations } from '../permutations.ts';
import { fieldText, jsonText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { type Row, table } from '../steps.ts';
import { CLASS_TEXTS, classText, hashMapOrder, LANGUAGE_TEXTS } from './languages.ts';

/** Objects and lists, whose JSON text is signed as one value (contract section 3, "Value text"). */

const { layout: COMPACT } = RIGHT_STYLE;
const INDENTED = { ...COMPACT, colon: ': ', lineEnd: '\n' };

const LAYOUTS: readonly Row<'layout'>[] = [
  ['with ", " and ": " (json.dumps of Python)', 2, SPACED_STYLE.layout],
  ['indented by 2', 2, { ...INDENTED, indent: '  ' }],
  ['indented by 4', 2, { ...INDENTED, indent: '    ' }],
  ['with ": " after names', RARE, { ...COMPACT, colon: ': ' }],
  ['with ", " between items', RARE, { ...COMPACT, comma: ', ' }],
  ['indented by tabs', RARE, { ...INDENTED, indent: '\t' }],
  ['indented by 2, Windows line ends', RARE, { ...INDENTED, indent: '  ', lineEnd: '\r\n' }],
  ['indented as by Jackson', RARE, { ...INDENTED, colon: ' : ', indent: '  ', inlineArrays: true }],
];

type NestedRow = Row<'nested'>;

/** Each row, and then each row for only objects and only lists: a signer may print them apart. */
function ofEachKind(
  id: 'nested-spacing' | 'nested-flattened',
  rows: readonly NestedRow[],
): readonly Variant[] {
  const only = (kind: JsonValue['kind']): readonly NestedRow[] =>
    rows.map(([how, cost, print]) => [
      how,
      cost + 1,
      (value, style) =>
        value.kind === kind ? print(value, style) : RIGHT_STYLE.nested(value, style),
    ]);
  return [
    ...table(id, 'nested', 'nested JSON was signed', rows),
    ...table(id, 'nested', 'objects were signed', only('object')),
    ...table(id, 'nested', 'lists were signed', only('array')),
  ];
}

export const NESTED_SPACING = [
  ...table('nested-spacing', 'layout', 'nested JSON was signed', LAYOUTS),
  ...ofEachKind('nested-spacing', [
    [
      'with ", " and ": " (json.dumps of Python)',
      USUAL,
      (value, style) => RIGHT_STYLE.nested(value, { ...style, layout: SPACED_STYLE.layout }),
    ],
  ]),
];

/** Nested JSON in compact form where it is sent with white space, or the other way round. */
export function otherSpacing({ fields, nestedAsSent }: Evidence): readonly Variant[] {
  if (nestedAsSent.size === 0) return [];
  const isAsSent = fields.some(({ value, position }) => nestedAsSent.get(position) === value);
  const change = ({ value, position }: Field): JsonValue => {
    if (!isAsSent) return nestedAsSent.get(position) ?? value;
    return isNested(value) ? { ...value, text: undefined } : value;
  };
  return table('nested-spacing', 'fields', 'nested JSON was signed', [
    [
      isAsSent ? 'in compact form' : 'with the characters that were sent',
      USUAL,
      (signed) => signed.map((field) => ({ ...field, value: change(field) })),
      {
        fix: isAsSent
          ? 'sign nested JSON with the characters that are sent, white space included'
          : 'send nested JSON in compact form, or sign it in compact form',
      },
    ],
  ]);
}

export const NESTED_KEY_ORDER = table(
  'nested-key-order',
  'memberOrder',
  'the names inside nested JSON were',
  [
    ['sorted', 2, sortedByName],
    ['in the order of a Java HashMap', 2, (members) => hashMapOrder(members, ({ name }) => name)],
    ['in the order of a JavaScript object, integers first', 2, integersFirst],
    ['sorted without regard to case', RARE, sortedWithoutCase],
    ['in reverse', RARE, (members) => members.toReversed()],
  ],
);

/** Any order of the names in the objects of one field: languages with random orders print it. */
export function anyKeyOrder({ fields }: Evidence): readonly Variant[] {
  return fields.flatMap(({ name, value, position }) => {
    const sets = [...new Map(memberSets(value).map((names) => [names.join('\n'), names])).values()];
    if (sets.some(({ length }) => length > MAX_ORDERED)) return [];
    return sets.flatMap((names) =>
      permutations(names).map((order): Variant => {
        const rank = new Map(order.map((each, index) => [each, index]));
        const style: PrintStyle = {
          ...RIGHT_STYLE,
          memberOrder: (members) =>
            members.every((member) => rank.has(member.name))
              ? members.toSorted((a, b) => (rank.get(a.name) ?? 0) - (rank.get(b.name) ?? 0))
              : members,
        };
        return {
          ...oneField(`in the order ${order.join(', ')}`, position, fieldText(value, style) ?? ''),
          fields: [name],
        };
      }),
    );
  });
}

function oneField(how: string, position: number, value: string): Variant {
  const [variant] = table('nested-key-order', 'pair', 'the names inside nested JSON were', [
    [how, RARE, (pair) => (pair.position === position ? { ...pair, value } : pair)],
  ]);
  return variant as Variant;
}

/** 720 orders. */
const MAX_ORDERED = 6;

/** The names of each object in a value. */
function memberSets(value: JsonValue): readonly (readonly string[])[] {
  if (value.kind === 'array') return value.items.flatMap(memberSets);
  if (value.kind !== 'object') return [];
  const own = value.members.map(({ name }) => name);
  const inner = value.members.flatMap((each) => memberSets(each.value));
  return own.length > 1 ? [own, ...inner] : inner;
}

/** Changes of lists and objects before they are printed. */
const RESHAPED: readonly (readonly [
  how: string,
  cost: number,
  reshape: (value: JsonValue) => JsonValue,
])[] = [
  ['with [] for {} (an empty array of PHP)', 3, inside((it) => (isEmpty(it) ? list([]) : it))],
  ['with {} for [] (an empty table of Lua)', 3, inside((it) => (isEmpty(it) ? object({}) : it))],
  ['with null for {} and []', 3, inside((it) => (isEmpty(it) ? NULL : it))],
  [
    'with lists as objects, "0" for the first item (an array of PHP)',
    3,
    inside((it) => (it.kind === 'array' ? indexed(it.items, 0) : it)),
  ],
  [
    'with lists as objects, "1" for the first item (a table of Lua)',
    RARE,
    inside((it) => (it.kind === 'array' ? indexed(it.items, 1) : it)),
  ],
  ['with a list of one item as that item', 3, inside(onlyItem)],
  ['with an outer list of one item as that item', 3, onlyItem],
  ['as a list of one item', 3, (it) => (it.kind === 'object' ? list([it]) : it)],
  ['as JSON text in JSON', 3, (it) => text(JSON.stringify(printJson(it)))],
  [
    'as JSON text in JSON, spaces as in json.dumps of Python',
    RARE,
    (it) => text(JSON.stringify(jsonText(it, SPACED_STYLE))),
  ],
  ['with numbers as texts', 3, inside((it) => (it.kind === 'number' ? text(it.text) : it))],
  ['with all values as texts', 3, inside(asText)],
  ['with texts of digits as numbers', RARE, inside(asNumber)],
  ['as Base64 of its JSON', RARE, (it) => text(base64Text(utf8Bytes(printJson(it))))],
  ['without its outer brackets', 4, (it) => text(printJson(it).slice(1, -1))],
  ['with single quotes for double quotes', 3, (it) => text(printJson(it).replaceAll('"', "'"))],
  ['without quotes', 4, (it) => text(printJson(it).replaceAll('"', ''))],
  ['without quotes around names', RARE, (it) => text(printJson(it).replace(/"(\w+)":/g, '$1:'))],
  ['with a backslash before quotes', 3, (it) => text(printJson(it).replace(/"/g, '\\"'))],
  [
    'with lists sorted',
    RARE,
    inside((it) => (it.kind === 'array' ? list(sortedItems(it.items)) : it)),
  ],
  [
    'with lists reversed',
    RARE,
    inside((it) => (it.kind === 'array' ? list(it.items.toReversed()) : it)),
  ],
  ['as Optional[…]', 4, (it) => text(`Optional[${printJson(it)}]`)],
  ['as Some(…)', 4, (it) => text(`Some(${printJson(it)})`)],
];

const SAME_SHAPE = 'sign nested JSON with the same lists and objects that are sent';

export const NESTED_AS_TEXT = [
  ...ofEachKind(
    'nested-flattened',
    LANGUAGE_TEXTS.map(([how, print, rare]): NestedRow => [how, rare ? RARE : USUAL, print]),
  ),
  ...table(
    'nested-flattened',
    'nested',
    'nested JSON was signed',
    RESHAPED.map(
      ([how, cost, reshape]): NestedRow => [
        how,
        cost,
        (value, style) => fieldText(reshape(value), { ...style, nested: RIGHT_STYLE.nested }) ?? '',
        { fix: SAME_SHAPE },
      ],
    ),
  ),
];

/** Objects as values of a class, whose name comes from the field. */
export function classTexts({ fields }: Evidence): readonly Variant[] {
  const nested = fields.filter(({ value }) => isNested(value));
  const names = new Map(nested.map(({ value, name }) => [value, name]));
  return table(
    'nested-flattened',
    'nested',
    'nested JSON was signed',
    CLASS_TEXTS.flatMap((row) =>
      ['', 'Dto', 'DTO', 'Vo', 'VO', 'Info', 'Bean', 'Entity', 'Model'].map(
        (suffix): NestedRow => [
          suffix === '' ? row[0] : `${row[0]}, ${suffix} after the class name`,
          suffix === '' ? 3 : RARE,
          (value, style) => classText(names.get(value) ?? '', row, suffix)(value, style),
        ],
      ),
    ),
  );
}

const NOT_ASCII = /[^\0-\x7f]/g;

const ESCAPES: readonly (readonly [
  how: string,
  cost: number,
  pattern: RegExp,
  escape: (character: string) => string,
])[] = [
  ['with \\u escapes for all characters outside ASCII', 2, NOT_ASCII, lowerEscape],
  ['with \\u escapes in upper case', 2, NOT_ASCII, upperEscape],
  ['with \\u003c, \\u003e and \\u0026 (encoding/json of Go)', 2, /[<>&\u2028\u2029]/g, lowerEscape],
  [
    'with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)',
    RARE,
    /[<>&='\u2028\u2029]/g,
    lowerEscape,
  ],
  [
    'with \\u2028 and \\u2029 for line ends of Unicode (JSON_UNESCAPED_UNICODE of PHP)',
    RARE,
    /[\u2028\u2029]/g,
    lowerEscape,
  ],
  [
    "with \\u escapes for < > & ' + ` and all characters outside ASCII (.NET)",
    RARE,
    /[<>&'+`]|[^\0-\x7f]/g,
    upperEscape,
  ],
  [
    "with \\u escapes for < > & ' and all characters outside ASCII",
    RARE,
    /[<>&']|[^\0-\x7f]/g,
    lowerEscape,
  ],
];

export const NESTED_ESCAPED_UNICODE = escapeTable('nested-escaped-unicode', ESCAPES);
export const NESTED_ESCAPED_SLASH = escapeTable('nested-escaped-slash', [
  ['with "\\/" for "/"', 2, /\//g, () => '\\/'],
]);

/** Each escape in nested JSON, in texts, and in both. */
function escapeTable(
  id: 'nested-escaped-unicode' | 'nested-escaped-slash',
  rows: typeof ESCAPES,
): readonly Variant[] {
  const texts = rows.map(
    ([how, cost, pattern, escaped]): Row<'escape'> => [
      how,
      cost,
      (value) => value.replace(pattern, escaped),
    ],
  );
  const nested = table(id, 'escape', 'nested JSON was signed', texts);
  const strings = table(id, 'string', 'texts were signed', texts);
  const both = nested.map(
    (variant, index): Variant => ({
      ...variant,
      title: variant.title.replace('nested JSON was', 'texts and nested JSON were'),
      change: (signer) => strings[index]?.change(variant.change(signer)) ?? signer,
    }),
  );
  return [...nested, ...both, ...strings];
}

/** A UTF-16 code unit as `\uXXXX` with lower-case hex digits, as in most languages. */
export function lowerEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A UTF-16 code unit as `\uXXXX` with upper-case hex digits, as in .NET. */
function upperEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Applies a change to a value and every value inside it, innermost first. */
function inside(change: (value: JsonValue) => JsonValue): (value: JsonValue) => JsonValue {
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

function isEmpty(value: JsonValue): boolean {
  if (value.kind === 'object') return value.members.length === 0;
  return value.kind === 'array' && value.items.length === 0;
}

function onlyItem(value: JsonValue): JsonValue {
  return value.kind === 'array' && value.items.length === 1 ? (value.items[0] ?? NULL) : value;
}

function asText(value: JsonValue): JsonValue {
  if (value.kind === 'number') return text(value.text);
  return value.kind === 'boolean' ? text(String(value.value)) : value;
}

function asNumber(value: JsonValue): JsonValue {
  const isNumber = value.kind === 'string' && /^-?\d+(\.\d+)?$/.test(value.value);
  return isNumber ? { kind: 'number', text: value.value } : value;
}

function indexed(items: readonly JsonValue[], first: number): JsonValue {
  const members = items.map((value, index) => ({ name: String(index + first), value }));
  return { kind: 'object', members };
}

function sortedItems(items: readonly JsonValue[]): readonly JsonValue[] {
  return items.toSorted((a, b) => compareNames(printJson(a), printJson(b)));
}

function sortedWithoutCase(members: readonly JsonMember[]): readonly JsonMember[] {
  return members.toSorted((a, b) => compareNames(a.name.toLowerCase(), b.name.toLowerCase()));
}

function integersFirst(members: readonly JsonMember[]): readonly JsonMember[] {
  const isInteger = ({ name }: JsonMember): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name);
  return [
    ...members.filter(isInteger).sort((a, b) => Number(a.name) - Number(b.name)),
    ...members.filter((member) => !isInteger(member)),
  ];
}
