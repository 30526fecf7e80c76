import { isNested, type JsonValue, type NestedValue } from '../../../json/value.ts';
import { byteLength } from '../../bytes.ts';
import { sortedByName } from '../../canonical.ts';
import { RARE } from '../mistake.ts';
import type { PrintStyle } from '../print-style.ts';
import type { Rows } from '../steps.ts';
import type { Convert } from '../text-change.ts';

/** The text that a language prints for an object or a list, which is not JSON. */

/** @param field The name of the field, for the name of a class. */
type Print<Value = JsonValue> = (value: Value, style: PrintStyle, field?: string) => string;

/** How a language prints the values in a map or list. Default: as Java. */
interface Notation {
  /** A sample of a list. */
  readonly list?: string;
  /** A sample of the outermost map. */
  readonly outer?: string;
  /** Default: the brackets alone. */
  readonly emptyMap?: string;
  /** Prints a string; default: its characters without quotes. */
  readonly text?: Convert;
  /** Prints a name; default {@link text}. */
  readonly name?: Convert;
  readonly number?: Convert;
  /** True and false; default: those of the style. */
  readonly words?: readonly [yes: string, no: string];
  readonly null?: string;
  /** Whether the members are sorted; default: in the order of the style. */
  readonly isSorted?: boolean;
}

const quoted = JSON.stringify as Convert;
const bare: Convert = (text) => text;

export const PYTHON = { text: pythonQuoted, words: ['True', 'False'], null: 'None' } as const;
export const RUBY = { text: quoted, null: 'nil' };
const GO = { null: '<nil>' };

/** `str` of a Python dict or list. */
const pythonRepr = notation('{K: V, K: V}', PYTHON);
/** `toString` of a Java map or list. */
const javaText = notation('{K=V, K=V}');

/** Types of .NET whose values are printed as the name of the type. */
const DICTIONARY = 'System.Collections.Generic.Dictionary`2[System.String,System.';
const TYPE_NAMES = [
  ...['Object', 'String', 'Int32', 'Double', 'Int64'].map(
    (item) => `System.Collections.Generic.List\`1[System.${item}]`,
  ),
  ...['Object', 'String'].map(
    (item) => `System.Collections.Generic.List\`1[${DICTIONARY}${item}]]`,
  ),
  ...['Object', 'String', 'Int32'].map((item) => `${DICTIONARY}${item}]`),
  ...['Object', 'Double', 'Int64', 'String', 'Int32'].map((item) => `System.${item}[]`),
  ...['System.Collections.ArrayList', 'System.Collections.Hashtable'],
  ...['System.Dynamic.ExpandoObject', 'System.Text.Json.JsonElement'],
  ...['Newtonsoft.Json.Linq.JArray', 'Newtonsoft.Json.Linq.JObject'],
];

/** The texts of languages. */
export const LANGUAGE_TEXTS: Rows<Print<NestedValue>> = {
  2: {
    'as text by JavaScript ([object Object])': javaScriptText,
    'as text by Python (str of a dict or list)': pythonRepr,
    'as text by Java (toString of a map or list)': javaText,
    'as text by Java (toString of a HashMap)': (value, style) =>
      javaText(value, {
        ...style,
        memberOrder: (members) => hashMapOrder(members, ({ name }) => name),
      }),
    'as text by Go (%v of a map or slice)': notation('map[K:V K:V]', {
      ...{ ...GO, list: '[V V]', isSorted: true },
    }),
    'as text by PHP (Array)': () => 'Array',
    'as text by Swift (description)': notation('[K: V, K: V]', {
      ...{ null: '<null>', emptyMap: '[:]', text: quoted },
    }),
    'as text by Go (%+v of a struct)': notation('{K:V K:V}', { ...GO, list: '[V V]' }),
    'as text by Go (%v of a struct)': notation('{V V}', { ...GO, list: '[V V]' }),
    'as text by Dart (toString of a map)': notation('{K: V, K: V}'),
    'as text by Rust ({:?} of a serde_json value)': notation('Object {K: V, K: V}', {
      ...{ list: 'Array [V, V]', text: (text) => `String(${quoted(text)})`, name: quoted },
      ...{ number: (text) => `Number(${text})`, words: ['Bool(true)', 'Bool(false)'] },
      ...{ null: 'Null', isSorted: true },
    }),
    'as the values inside, joined with ","': scalarsJoined(','),
  },
  [RARE]: {
    'as text by Ruby (inspect)': notation('{K=>V, K=>V}', RUBY),
    'as text by Ruby 3.4 (inspect)': notation('{K => V, K => V}', RUBY),
    'as text by Ruby (inspect with symbols)': notation('{K=>V, K=>V}', {
      ...{ ...RUBY, name: (name) => `:${name}` },
    }),
    'as text by Ruby 3.4 (inspect with symbols)': notation('{K: V, K: V}', { ...RUBY, name: bare }),
    'as text by Elixir (inspect)': notation('%{K => V, K => V}', RUBY),
    'as text by Groovy (toString of a map)': notation('[K:V, K:V]', { emptyMap: '[:]' }),
    'as text by Scala (toString of a Map or List)': notation('Map(K -> V, K -> V)', {
      list: 'List(V, V)',
    }),
    'as text by C# (ToString of an anonymous type)': notation('{ K = V, K = V }', { null: '' }),
    'as text by Lua or JavaScript (object)': () => 'object',
    'as text by PHP (serialize)': phpSerialized,
    'as the first value inside': (value) => scalarsOf(value)[0] ?? '',
    'as the count of values inside': (value) =>
      String(value.kind === 'array' ? value.items.length : value.members.length),
    'as empty text': () => '',
    ...Object.fromEntries([
      ...TYPE_NAMES.map((name) => [`as the name of a type of .NET (${name})`, () => name]),
      ...['[]', '{}', 'null', 'Object', '1', 'true'].map((word) => [`as ${word}`, () => word]),
      ...[';', '|', ' ', '', ', ', '&'].map((separator) => [
        `as the values inside, joined with ${JSON.stringify(separator)}`,
        scalarsJoined(separator),
      ]),
    ]),
  },
};

/** Classes in the notations of languages: `C` is the class, named after the field. */
export const CLASS_TEXTS: Rows<Print<NestedValue>> = {
  3: {
    'by Kotlin or Lombok (toString)': notation('C(K=V, K=V)', { name: camelName }),
    'by Java, a record (toString)': notation('C[K=V, K=V]', { name: camelName }),
    'by Java, a class (toString)': notation('C{K=V, K=V}', {
      ...{ name: camelName, text: (text) => `'${text}'` },
    }),
  },
};

/** `MyPoint` for a field `my_point`; for an item of a list `stops`, `Stop`. */
function className(field: string): string {
  const name = camelName(field);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function camelName(name: string): string {
  return name.replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The texts around the names `K` and the values `V` in a sample of two members or items. */
export function aroundMembers(sample: string) {
  const [, open = '', colon, comma = '', close = ''] =
    /^(.*?)(?:K(.*?))?V(.*?)(?:K.*?)?V(.*)$/s.exec(sample) ?? [];
  return { open, colon, comma, close };
}

/** @param sample The text for two members: `K` is a name, `V` a value, `C` a class. */
export function notation(sample: string, options: Notation = {}): Print {
  const { text = bare, name = text, number = bare, list = '[V, V]', outer = sample } = options;
  const [ofMap, ofOuter, ofList] = [sample, outer, list].map(aroundMembers);
  const print = (value: JsonValue, style: PrintStyle, field: string, around = ofMap): string => {
    switch (value.kind) {
      case 'object': {
        const { open = '', colon, comma, close = '' } = around ?? {};
        const start = open.replace('C', () => className(field));
        if (value.members.length === 0) return options.emptyMap ?? start + close;
        const members = (options.isSorted ? sortedByName : style.memberOrder)(value.members);
        const pairs = members.map(
          (each) =>
            (colon === undefined ? '' : name(each.name) + colon) +
            print(each.value, style, each.name),
        );
        return start + pairs.join(comma) + close;
      }
      case 'array': {
        const item = field.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
        const items = value.items.map((each) => print(each, style, item));
        return `${ofList?.open}${items.join(ofList?.comma)}${ofList?.close}`;
      }
      case 'string':
        return text(style.characters(value.value));
      case 'number':
        return number(style.number(value.text, 'nested'));
      case 'boolean':
        return options.words?.[value.value ? 0 : 1] ?? style.boolean(value.value, 'nested');
      case 'null':
        return options.null ?? 'null';
    }
  };
  return (value, style, field = '') => print(value, style, field, ofOuter);
}

/** `serialize` of PHP, with lengths in bytes. */
function phpSerialized(value: JsonValue): string {
  const text = (content: string): string => `s:${byteLength(content)}:"${content}";`;
  if (value.kind === 'string') return text(value.value);
  if (value.kind === 'number') return `${/^-?\d+$/.test(value.text) ? 'i' : 'd'}:${value.text};`;
  if (value.kind === 'boolean') return `b:${value.value ? 1 : 0};`;
  if (value.kind === 'null') return 'N;';
  const entries =
    value.kind === 'object'
      ? value.members.map((each) => text(each.name) + phpSerialized(each.value))
      : value.items.map((item, index) => `i:${index};${phpSerialized(item)}`);
  return `a:${entries.length}:{${entries.join('')}}`;
}

function scalarsJoined(separator: string): Print {
  return (value) => scalarsOf(value).join(separator);
}

/** Every scalar inside a value, in order. */
function scalarsOf(value: JsonValue): readonly string[] {
  if (value.kind === 'array') return value.items.flatMap(scalarsOf);
  if (value.kind === 'object') return value.members.flatMap((each) => scalarsOf(each.value));
  return [javaScriptText(value)];
}

/** `String` of JavaScript. */
function javaScriptText(value: JsonValue): string {
  if (value.kind === 'object') return '[object Object]';
  if (value.kind === 'number') return String(Number(value.text));
  if (value.kind === 'null') return 'null';
  if (!isNested(value)) return String(value.value);
  return value.items.map((item) => (item.kind === 'null' ? '' : javaScriptText(item))).join(',');
}

/** `repr` of a Python string: in double quotes if it contains `'` but no `"`. */
function pythonQuoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(/(?! )[\p{C}\p{Z}]/gu, (character) => escapes[character] ?? pythonEscape(character));
  return quote + escaped + quote;
}

function pythonEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

/** `repr` of a Python bytes object. */
export function pythonBytes(bytes: Uint8Array): string {
  const named: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' };
  const shown = Array.from(bytes, (byte) => {
    const isPrinted = byte >= 0x20 && byte <= 0x7e;
    const hex = `\\x${byte.toString(16).padStart(2, '0')}`;
    return named[byte] ?? (isPrinted ? String.fromCharCode(byte) : hex);
  }).join('');
  return shown.includes("'") && !shown.includes('"')
    ? `b"${shown}"`
    : `b'${shown.replaceAll("'", "\\'")}'`;
}

/**
 * Sorts items in the iteration order of a `java.util.HashMap` with these keys: by bucket, then by
 * insertion.
 */
export function hashMapOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  let buckets = 16;
  while (items.length > buckets * 0.75) buckets *= 2;
  const bucketOf = (item: Item): number => {
    let hash = 0;
    for (const unit of keyOf(item).split('')) hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) | 0;
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  // Sorting is stable: items of one bucket keep their order.
  return [...items].sort((a, b) => bucketOf(a) - bucketOf(b));
}
