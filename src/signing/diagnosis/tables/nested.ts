import { isNested, type JsonMember, type JsonValue } from '../../../json/value.ts';
import { compareNames, sortedByName } from '../../canonical.ts';
import type { Field } from '../../received-request.ts';
import { type Evidence, mistake, RARE, type Table, USUAL } from '../mistake.ts';
import {
  fieldText,
  type JsonLayout,
  type PrintStyle,
  RIGHT_STYLE,
  SPACED_STYLE,
} from '../print-style.ts';
import { type Signer, withText } from '../signer.ts';
import { type Convert, mapped, type Rows, table } from '../steps.ts';
import { hashMapOrder } from './languages.ts';
import { permutations } from './order.ts';

// The JSON text of objects and lists (contract section 3, "Value text").

const { layout: COMPACT } = RIGHT_STYLE;
const DUMPS = 'with ", " and ": " (json.dumps of Python)';

export function indented(indent: string, other: Partial<JsonLayout> = {}): JsonLayout {
  return { ...COMPACT, colon: ': ', lineEnd: '\n', indent, ...other };
}

export const nestedSpacing = mistake(
  'nested-spacing',
  [
    table('layout', 'nested JSON was signed', {
      [USUAL]: {
        [DUMPS]: SPACED_STYLE.layout,
        'indented by 2': indented('  '),
        'indented by 4': indented('    '),
      },
      [RARE]: {
        'with ": " after names': { ...COMPACT, colon: ': ' },
        'with ", " between items': { ...COMPACT, comma: ', ' },
        'indented by tabs': indented('\t'),
        'indented by 2, Windows line ends': indented('  ', { lineEnd: '\r\n' }),
        'indented as by Jackson': indented('  ', { colon: ' : ', inlineArrays: true }),
      },
    }),
    ...ofOneKind({
      [USUAL]: {
        [DUMPS]: (value, style, name) =>
          RIGHT_STYLE.nested(value, { ...style, layout: SPACED_STYLE.layout }, name),
      },
    }),
  ],
  { 'nested JSON was signed in compact form, or with the characters that were sent': otherSpacing },
);

/** Rows for only objects, and for only lists: a signer may print them apart. */
export function ofOneKind(rows: Rows<PrintStyle['nested']>): readonly Table[] {
  return (['object', 'array'] as const).map((kind) => {
    const only = mapped(rows, 1, (print): PrintStyle['nested'] => (value, ...more) => {
      return (value.kind === kind ? print : RIGHT_STYLE.nested)(value, ...more);
    });
    return table('nested', `${kind === 'object' ? 'objects' : 'lists'} were signed`, only);
  });
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
  // Languages with random orders print any of them.
  'the names of an object were in any order, up to six of them': ({ fields }) => {
    const nested = fields.filter(({ value }) => isNested(value)).slice(0, MAX_NESTED);
    return nested.flatMap(({ name, value, position }) =>
      table(
        'pair',
        KEY_ORDER,
        ordersOf(value).map((order) => [
          `in the order ${order.join(', ')}`,
          RARE,
          withText(position, textInOrder(value, order)),
        ]),
        { fields: [name] },
      ),
    );
  },
});

/** Fields and kinds of objects in one field: each gives up to 720 variants. */
const MAX_NESTED = 10;

function ordersOf(value: JsonValue): readonly (readonly string[])[] {
  const distinct = new Map(nameSets(value).map((names) => [names.join('\n'), names]));
  return [...distinct.values()]
    .filter(({ length }) => length <= MAX_ORDERED)
    .slice(0, MAX_NESTED)
    .flatMap((names) => permutations(names));
}

function textInOrder(value: JsonValue, order: readonly string[]): string {
  const memberOrder: PrintStyle['memberOrder'] = (members) =>
    members.every(({ name }) => order.includes(name))
      ? members.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
      : members;
  return fieldText(value, { ...RIGHT_STYLE, memberOrder }) ?? '';
}

const MAX_ORDERED = 6;

function nameSets(value: JsonValue): readonly (readonly string[])[] {
  if (value.kind === 'array') return value.items.flatMap(nameSets);
  if (value.kind !== 'object') return [];
  const own = value.members.map(({ name }) => name);
  const inner = value.members.flatMap((each) => nameSets(each.value));
  return own.length > 1 ? [own, ...inner] : inner;
}

/** Escapes UTF-16 code units as `\uXXXX`: .NET with upper-case hex digits, others with lower-case ones. */
const escaping =
  (pattern: RegExp, isUpperCase = false): Convert =>
  (text) =>
    text.replace(pattern, (character) => {
      const digits = character.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${isUpperCase ? digits.toUpperCase() : digits}`;
    });

export const escapeUnicode = escaping(/[^\0-\x7f]/g);
/** As encoding/json of Go escapes HTML. */
export const escapeHtml = escaping(/[<>&\u2028\u2029]/g);
export const escapeSlashes: Convert = (text) => text.replaceAll('/', '\\/');

export const nestedEscapedUnicode = mistake(
  'nested-escaped-unicode',
  escapeTables({
    [USUAL]: {
      'with \\u escapes for all characters outside ASCII': escapeUnicode,
      'with \\u escapes in upper case': escaping(/[^\0-\x7f]/g, true),
      'with \\u003c, \\u003e and \\u0026 (encoding/json of Go)': escapeHtml,
    },
    [RARE]: {
      'with \\u003c, \\u003e, \\u0026, \\u003d and \\u0027 (Gson of Java)':
        escaping(/[<>&='\u2028\u2029]/g),
      'with \\u2028 and \\u2029 for line ends of Unicode (JSON_UNESCAPED_UNICODE of PHP)':
        escaping(/[\u2028\u2029]/g),
      "with \\u escapes for < > & ' + ` and all characters outside ASCII (.NET)": escaping(
        /[<>&'+`]|[^\0-\x7f]/g,
        true,
      ),
      "with \\u escapes for < > & ' and all characters outside ASCII":
        escaping(/[<>&']|[^\0-\x7f]/g),
    },
  }),
);
export const nestedEscapedSlash = mistake(
  'nested-escaped-slash',
  escapeTables({ [USUAL]: { 'with "\\/" for "/"': escapeSlashes } }),
);

function escapeTables(rows: Rows<Convert>): readonly Table[] {
  const nested = table('escape', 'nested JSON was signed', rows);
  const strings = table('string', 'texts were signed', rows);
  const both = nested.map((row, index) => {
    const { change } = strings[index] ?? row;
    const title = row.title.replace('nested JSON was', 'texts and nested JSON were');
    return { ...row, title, change: (signer: Signer) => change(row.change(signer)) };
  });
  return [nested, both, strings];
}

function integersFirst(members: readonly JsonMember[]): readonly JsonMember[] {
  const isInteger = ({ name }: JsonMember): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name);
  const integers = members.filter(isInteger).sort((a, b) => Number(a.name) - Number(b.name));
  return [...integers, ...members.filter((member) => !isInteger(member))];
}
