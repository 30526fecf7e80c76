import { isNested, type JsonMember, type JsonValue } from '../../../json/value.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL } from '../mistake.ts';
import { permutations } from '../permutations.ts';
import { fieldText, type PrintStyle, RIGHT_STYLE, SPACED_STYLE } from '../print-style.ts';
import { type Signer, withText } from '../signer.ts';
import { type Rows, rowsOf, table, tableOf } from '../steps.ts';
import { hashMapOrder } from './languages.ts';

/** The JSON text of objects and lists (contract section 3, "Value text"). */

const { layout: COMPACT } = RIGHT_STYLE;
const INDENTED = { ...COMPACT, colon: ': ', lineEnd: '\n' };
const DUMPS = 'with ", " and ": " (json.dumps of Python)';

export const nestedSpacing = mistake(
  'nested-spacing',
  [
    table('layout', 'nested JSON was signed', {
      [USUAL]: {
        [DUMPS]: SPACED_STYLE.layout,
        'indented by 2': { ...INDENTED, indent: '  ' },
        'indented by 4': { ...INDENTED, indent: '    ' },
      },
      [RARE]: {
        'with ": " after names': { ...COMPACT, colon: ': ' },
        'with ", " between items': { ...COMPACT, comma: ', ' },
        'indented by tabs': { ...INDENTED, indent: '\t' },
        'indented by 2, Windows line ends': { ...INDENTED, indent: '  ', lineEnd: '\r\n' },
        'indented as by Jackson': { ...INDENTED, colon: ' : ', indent: '  ', inlineArrays: true },
      },
    }),
    ...ofOneKind({
      [USUAL]: {
        [DUMPS]: (value, style) =>
          RIGHT_STYLE.nested(value, { ...style, layout: SPACED_STYLE.layout }),
      },
    }),
  ],
  { 'nested JSON was signed in compact form, or with the characters that were sent': otherSpacing },
);

/** Rows for only objects, and for only lists: a signer may print them apart. */
export function ofOneKind(rows: Rows<PrintStyle['nested']>): readonly Table[] {
  return (['object', 'array'] as const).map((kind) =>
    tableOf(
      'nested',
      `${kind === 'object' ? 'objects' : 'lists'} were signed`,
      rowsOf(rows).map(([how, cost, print]) => [
        how,
        cost + 1,
        (value, style) => (value.kind === kind ? print : RIGHT_STYLE.nested)(value, style),
      ]),
    ),
  );
}

function otherSpacing({ fields, nestedAsSent }: Evidence): Table {
  if (nestedAsSent.size === 0) return [];
  const isAsSent = fields.some(({ value, position }) => nestedAsSent.get(position) === value);
  const change = (signed: readonly Field[]): readonly Field[] =>
    signed.map((field) => {
      const sent = nestedAsSent.get(field.position) ?? field.value;
      const compact = isNested(field.value) ? { ...field.value, text: undefined } : field.value;
      return { ...field, value: isAsSent ? compact : sent };
    });
  const how = isAsSent ? 'in compact form' : 'with the characters that were sent';
  const fix = isAsSent
    ? 'sign nested JSON with the characters that are sent, white space included'
    : 'send nested JSON in compact form, or sign it so';
  return table('fields', 'nested JSON was signed', { [USUAL]: { [how]: change } }, { fix });
}

const KEY_ORDER = 'the names inside nested JSON were';

export const nestedKeyOrder = mistake('nested-key-order', [
  table('memberOrder', KEY_ORDER, {
    [USUAL]: {
      sorted: sortedByName,
      'in the order of a Java HashMap': (members) => hashMapOrder(members, ({ name }) => name),
      'in the order of a JavaScript object, integers first': integersFirst,
    },
    [RARE]: {
      'sorted without regard to case': (members) =>
        members.toSorted((a, b) => compareNames(a.name.toLowerCase(), b.name.toLowerCase())),
      'in reverse': (members) => members.toReversed(),
    },
  }),
]);

export const anyKeyOrder = mistake('nested-key-order', [], {
  'the names of an object were in any order, up to six of them': everyKeyOrder,
});

/** Languages with random orders print any of them. */
function everyKeyOrder({ fields }: Evidence): Table {
  const nested = fields.filter(({ value }) => isNested(value)).slice(0, MAX_NESTED);
  return nested.flatMap(({ name, value, position }) =>
    tableOf(
      'pair',
      KEY_ORDER,
      ordersOf(value).map(([order, text]) => [
        `in the order ${order}`,
        RARE,
        withText(position, text),
      ]),
      { fields: [name] },
    ),
  );
}

/** Fields and kinds of objects in one field: each gives up to 720 variants. */
const MAX_NESTED = 10;

/** The text of a value for each order of the names of one of its kinds of objects. */
function ordersOf(value: JsonValue): readonly (readonly [order: string, text: string])[] {
  const sets = nameSets(value);
  const distinct = new Map(sets.map((names) => [names.join('\n'), names]));
  return [...distinct.values()]
    .filter(({ length }) => length <= MAX_ORDERED)
    .slice(0, MAX_NESTED)
    .flatMap((names) =>
      permutations(names).map((order) => {
        const rank = new Map(order.map((each, index) => [each, index]));
        const memberOrder = (members: readonly JsonMember[]): readonly JsonMember[] =>
          members.every((member) => rank.has(member.name))
            ? members.toSorted((a, b) => (rank.get(a.name) ?? 0) - (rank.get(b.name) ?? 0))
            : members;
        const text = fieldText(value, { ...RIGHT_STYLE, memberOrder }) ?? '';
        return [order.join(', '), text] as const;
      }),
    );
}

/** 720 orders. */
const MAX_ORDERED = 6;

/** The names of each object in a value that has several. */
function nameSets(value: JsonValue): readonly (readonly string[])[] {
  if (value.kind === 'array') return value.items.flatMap(nameSets);
  if (value.kind !== 'object') return [];
  const own = value.members.map(({ name }) => name);
  const inner = value.members.flatMap((each) => nameSets(each.value));
  return own.length > 1 ? [own, ...inner] : inner;
}

type Escape = (text: string) => string;

const escaping =
  (pattern: RegExp, escaped: Escape = lowerEscape): Escape =>
  (text) =>
    text.replace(pattern, escaped);

export const escapeUnicode = escaping(/[^\0-\x7f]/g);
/** As encoding/json of Go escapes HTML. */
export const escapeHtml = escaping(/[<>&\u2028\u2029]/g);
export const escapeSlashes: Escape = (text) => text.replaceAll('/', '\\/');

const ESCAPES: Rows<Escape> = {
  [USUAL]: {
    'with \\u escapes for all characters outside ASCII': escapeUnicode,
    'with \\u escapes in upper case': escaping(/[^\0-\x7f]/g, upperEscape),
    'with \\u003c, \\u003e and \\u0026 (encoding/json of Go)': escapeHtml,
  },
  [RARE]: {
    'with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)':
      escaping(/[<>&='\u2028\u2029]/g),
    'with \\u2028 and \\u2029 for line ends of Unicode (JSON_UNESCAPED_UNICODE of PHP)':
      escaping(/[\u2028\u2029]/g),
    "with \\u escapes for < > & ' + ` and all characters outside ASCII (.NET)": escaping(
      /[<>&'+`]|[^\0-\x7f]/g,
      upperEscape,
    ),
    "with \\u escapes for < > & ' and all characters outside ASCII": escaping(/[<>&']|[^\0-\x7f]/g),
  },
};

export const nestedEscapedUnicode = mistake('nested-escaped-unicode', escapeTables(ESCAPES));
export const nestedEscapedSlash = mistake(
  'nested-escaped-slash',
  escapeTables({ [USUAL]: { 'with "\\/" for "/"': escapeSlashes } }),
);

/** Each escape in nested JSON, in texts, and in both. */
function escapeTables(rows: Rows<Escape>): readonly Table[] {
  const nested = table('escape', 'nested JSON was signed', rows);
  const strings = table('string', 'texts were signed', rows);
  const both = nested.map((row, index) => {
    const { change } = strings[index] ?? row;
    const title = row.title.replace('nested JSON was', 'texts and nested JSON were');
    return { ...row, title, change: (signer: Signer) => change(row.change(signer)) };
  });
  return [nested, both, strings];
}

/** A UTF-16 code unit as `\uXXXX` with lower-case hex digits, as in most languages. */
function lowerEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A UTF-16 code unit as `\uXXXX` with upper-case hex digits, as in .NET. */
function upperEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function integersFirst(members: readonly JsonMember[]): readonly JsonMember[] {
  const isInteger = ({ name }: JsonMember): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name);
  return [
    ...members.filter(isInteger).sort((a, b) => Number(a.name) - Number(b.name)),
    ...members.filter((member) => !isInteger(member)),
  ];
}
