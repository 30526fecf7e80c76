import { isNested, type JsonValue, type NestedValue } from '../../../json/value.ts';
import { byteLength } from '../../bytes.ts';
import { sortedByName } from '../../canonical.ts';
import { RARE } from '../mistake.ts';
import type { PrintStyle } from '../print-style.ts';
import type { Rows } from '../steps.ts';

/** The text that a language prints for an object or a list, which is not JSON. */

type Print<Value = JsonValue> = (value: Value, style: PrintStyle) => string;

/** How a language prints the values in a map or list. */
interface Notation {
  readonly null: string;
  /** Default: the brackets alone. */
  readonly emptyMap?: string;
  /** Default: `[` and `]`. */
  readonly list?: readonly [open: string, close: string];
  /** Prints a string; default: its characters without quotes. */
  readonly quoted?: (text: string) => string;
  /** Prints a name; default {@link quoted}. */
  readonly name?: (text: string) => string;
  readonly boolean?: (value: boolean) => string;
  /** The members in the order of printing; default: the order of the style. */
  readonly order?: typeof sortedByName;
}

const quoted = JSON.stringify as (text: string) => string;
const bare = (name: string): string => name;

/** `str` of a Python dict or list. */
export const pythonRepr = notation('{K: V, K: V}', {
  null: 'None',
  quoted: pythonQuoted,
  boolean: (value) => (value ? 'True' : 'False'),
});
/** `toString` of a Java map or list. */
export const javaText = notation('{K=V, K=V}', { null: 'null' });
export const rubyInspect = (colon: string, name = quoted): Print =>
  notation(`{K${colon}V, K${colon}V}`, { null: 'nil', quoted, name });

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
      null: '<nil>',
      order: sortedByName,
    }),
    'as text by PHP (Array)': () => 'Array',
    'as text by Swift (description)': notation('[K: V, K: V]', {
      null: '<null>',
      emptyMap: '[:]',
      quoted,
    }),
    'as text by Go (%+v of a struct)': notation('{K:V K:V}', { null: '<nil>' }),
    'as text by Go (%v of a struct)': notation('{KV KV}', { null: '<nil>', name: () => '' }),
    'as text by Dart (toString of a map)': notation('{K: V, K: V}', { null: 'null' }),
    'as text by Rust ({:?} of a serde_json value)': rustDebug,
    'as the values inside, joined with ","': scalarsJoined(','),
  },
  [RARE]: {
    'as text by Ruby (inspect)': rubyInspect('=>'),
    'as text by Ruby 3.4 (inspect)': rubyInspect(' => '),
    'as text by Ruby (inspect with symbols)': rubyInspect('=>', (name) => `:${name}`),
    'as text by Ruby 3.4 (inspect with symbols)': rubyInspect(': ', bare),
    'as text by Elixir (inspect)': notation('%{K => V, K => V}', { null: 'nil', quoted }),
    'as text by Groovy (toString of a map)': notation('[K:V, K:V]', {
      null: 'null',
      emptyMap: '[:]',
    }),
    'as text by Scala (toString of a Map or List)': notation('Map(K -> V, K -> V)', {
      null: 'null',
      list: ['List(', ')'],
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

/**
 * An object of a field as a value of a class, such as `Stop(lat=1)`. The class is the field's name as a
 * class name; for an item of a list, its singular.
 *
 * @param brackets `()` for Kotlin and Lombok, `[]` for a Java record, `{}` for a class of an IDE.
 */
export function classText(field: string, brackets: string): Print<NestedValue> {
  const quote = brackets === '{}' ? "'" : '';
  const print = (value: JsonValue, name: string, style: PrintStyle): string => {
    if (value.kind === 'array') {
      const item = name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
      return `[${value.items.map((each) => print(each, item, style)).join(', ')}]`;
    }
    if (value.kind === 'object') {
      const members = value.members.map(
        (member) => `${camelName(member.name)}=${print(member.value, member.name, style)}`,
      );
      const camel = camelName(name);
      const inside = members.join(', ');
      return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}${brackets[0]}${inside}${brackets[1]}`;
    }
    if (value.kind === 'string') return quote + style.characters(value.value) + quote;
    if (value.kind === 'number') return style.number(value.text, 'nested');
    return value.kind === 'null' ? 'null' : style.boolean(value.value, 'nested');
  };
  return (value, style) => print(value, field, style);
}

function camelName(name: string): string {
  return name.replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The texts around the names `K` and the values `V` in a sample of two members. */
export function aroundMembers(sample: string) {
  const [, open = '', colon = '', comma = '', close = ''] =
    /^(.*?)K(.*?)V(.*?)K.*?V(.*)$/s.exec(sample) ?? [];
  return { open, colon, comma, close };
}

/** @param sample The text for two members: `K` is a name, `V` a value. */
function notation(sample: string, { list = ['[', ']'], ...rest }: Notation): Print {
  const { open, colon, comma, close } = aroundMembers(sample);
  const { quoted = bare, name = quoted } = rest;
  return function print(value, style): string {
    switch (value.kind) {
      case 'object': {
        if (value.members.length === 0) return rest.emptyMap ?? open + close;
        const members = rest.order?.(value.members) ?? style.memberOrder(value.members);
        const pairs = members.map((each) => name(each.name) + colon + print(each.value, style));
        return open + pairs.join(comma) + close;
      }
      case 'array':
        return list[0] + value.items.map((item) => print(item, style)).join(comma) + list[1];
      case 'string':
        return quoted(style.characters(value.value));
      case 'number':
        return style.number(value.text, 'nested');
      case 'boolean':
        return rest.boolean?.(value.value) ?? style.boolean(value.value, 'nested');
      case 'null':
        return rest.null;
    }
  };
}

/** `{:?}` of a serde_json `Value` in Rust, whose maps are sorted. */
function rustDebug(value: JsonValue): string {
  if (value.kind === 'array') return `Array [${value.items.map(rustDebug).join(', ')}]`;
  if (value.kind === 'object') {
    const pairs = sortedByName(value.members).map(
      (each) => `${JSON.stringify(each.name)}: ${rustDebug(each.value)}`,
    );
    return `Object {${pairs.join(', ')}}`;
  }
  if (value.kind === 'string') return `String(${JSON.stringify(value.value)})`;
  if (value.kind === 'number') return `Number(${value.text})`;
  return value.kind === 'null' ? 'Null' : `Bool(${value.value})`;
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
