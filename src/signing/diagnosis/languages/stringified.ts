import type { JsonValue, NestedValue } from '../../../json/value.ts';
import { sortedByName } from '../../canonical.ts';
import type { PrintStyle } from '../print-style.ts';
import { hashMapOrder } from './java-hash-map.ts';

/** The non-JSON text of an object or a list in a language. */
export interface Stringifier {
  readonly title: string;
  readonly print: (value: NestedValue, style: PrintStyle) => string;
  readonly rare?: boolean;
}

const BRACES = { brackets: ['{', '}'], separator: ', ' } as const;

/** `str` of a Python dict or list. */
export const pythonRepr = printer({
  ...BRACES,
  colon: ': ',
  quoted: pythonQuoted,
  boolean: (value) => (value ? 'True' : 'False'),
  nullText: 'None',
});

/** `toString` of a Java map or list. */
export const javaText = printer({ ...BRACES, colon: '=', nullText: 'null' });

/** `%v` of a Go map or slice. */
const goMapText = printer({
  brackets: ['map[', ']'],
  separator: ' ',
  colon: ':',
  sorted: true,
  nullText: '<nil>',
});

/** `inspect` of a Ruby hash or array. */
export function rubyInspect(colon: string, name?: Notation['name']) {
  return printer({ ...BRACES, colon, name, quoted: JSON.stringify, nullText: 'nil' });
}

const GO_STRUCT = { ...BRACES, separator: ' ', nullText: '<nil>' } as const;

/** Types whose values are printed as the type's name. */
const TYPE_NAMES = [
  'System.Collections.Generic.List`1[System.Object]',
  'System.Collections.Generic.List`1[System.String]',
  'System.Collections.Generic.List`1[System.Int32]',
  'System.Collections.Generic.List`1[System.Double]',
  'System.Collections.Generic.List`1[System.Int64]',
  'System.Collections.Generic.List`1[System.Collections.Generic.Dictionary`2[System.String,System.Object]]',
  'System.Collections.Generic.List`1[System.Collections.Generic.Dictionary`2[System.String,System.String]]',
  'System.Collections.Generic.Dictionary`2[System.String,System.Object]',
  'System.Collections.Generic.Dictionary`2[System.String,System.String]',
  'System.Collections.Generic.Dictionary`2[System.String,System.Int32]',
  'System.Object[]',
  'System.Double[]',
  'System.Int64[]',
  'System.String[]',
  'System.Int32[]',
  'System.Collections.ArrayList',
  'System.Collections.Hashtable',
  'System.Dynamic.ExpandoObject',
  'Newtonsoft.Json.Linq.JArray',
  'Newtonsoft.Json.Linq.JObject',
  'System.Text.Json.JsonElement',
];

export const JAVASCRIPT_TEXT: Stringifier = {
  title: 'as text by JavaScript ([object Object])',
  print: javaScriptText,
};
export const PYTHON_REPR: Stringifier = {
  title: 'as text by Python (str of a dict or list)',
  print: pythonRepr,
};
export const JAVA_TEXT: Stringifier = {
  title: 'as text by Java (toString of a map or list)',
  print: javaText,
};
export const GO_TEXT: Stringifier = {
  title: 'as text by Go (%v of a map or slice)',
  print: goMapText,
};
export const RUBY_TEXT: Stringifier = {
  rare: true,
  title: 'as text by Ruby (inspect)',
  print: rubyInspect('=>'),
};
export const RUBY_3_4_TEXT: Stringifier = {
  rare: true,
  title: 'as text by Ruby 3.4 (inspect)',
  print: rubyInspect(' => '),
};

export const STRINGIFIERS: readonly Stringifier[] = [
  JAVASCRIPT_TEXT,
  PYTHON_REPR,
  JAVA_TEXT,
  {
    title: 'as text by Java (toString of a HashMap)',
    print: (value, style) =>
      javaText(value, {
        ...style,
        memberOrder: (members) => hashMapOrder(members, ({ name }) => name),
      }),
  },
  GO_TEXT,
  { title: 'as text by PHP (Array)', print: () => 'Array' },
  RUBY_TEXT,
  RUBY_3_4_TEXT,
  {
    title: 'as text by Swift (description)',
    print: printer({
      brackets: ['[', ']'],
      emptyMap: '[:]',
      separator: ', ',
      colon: ': ',
      quoted: JSON.stringify,
      nullText: '<null>',
    }),
  },
  { title: 'as text by Go (%+v of a struct)', print: printer({ ...GO_STRUCT, colon: ':' }) },
  {
    title: 'as text by Go (%v of a struct)',
    print: printer({ ...GO_STRUCT, colon: '', named: false }),
  },
  {
    title: 'as text by Dart (toString of a map)',
    print: printer({ ...BRACES, colon: ': ', nullText: 'null' }),
  },
  {
    rare: true,
    title: 'as text by Ruby (inspect with symbols)',
    print: rubyInspect('=>', (name) => `:${name}`),
  },
  {
    rare: true,
    title: 'as text by Ruby 3.4 (inspect with symbols)',
    print: rubyInspect(': ', (name) => name),
  },
  {
    rare: true,
    title: 'as text by Elixir (inspect)',
    print: printer({
      ...BRACES,
      brackets: ['%{', '}'],
      colon: ' => ',
      quoted: JSON.stringify,
      nullText: 'nil',
    }),
  },
  {
    rare: true,
    title: 'as text by Groovy (toString of a map)',
    print: printer({
      brackets: ['[', ']'],
      emptyMap: '[:]',
      separator: ', ',
      colon: ':',
      nullText: 'null',
    }),
  },
  {
    rare: true,
    title: 'as text by Scala (toString of a Map or List)',
    print: printer({
      brackets: ['Map(', ')'],
      listBrackets: ['List(', ')'],
      separator: ', ',
      colon: ' -> ',
      nullText: 'null',
    }),
  },
  {
    rare: true,
    title: 'as text by C# (ToString of an anonymous type)',
    print: printer({ ...BRACES, brackets: ['{ ', ' }'], colon: ' = ', nullText: '' }),
  },
  { title: 'as text by Rust ({:?} of a serde_json value)', print: rustDebug },
  { rare: true, title: 'as text by Lua or JavaScript (object)', print: () => 'object' },
  { rare: true, title: 'as text by PHP (serialize)', print: phpSerialized },
  ...TYPE_NAMES.map((name) => ({
    rare: true,
    title: `as the name of a type (${name})`,
    print: () => name,
  })),
  ...['[]', '{}', 'null', 'Object', '1', 'true'].map((word) => ({
    rare: true,
    title: `as ${word}`,
    print: () => word,
  })),
  ...[',', ';', '|', ' ', '', ', ', '&'].map((separator, index) => ({
    rare: index > 0,
    title: `as the values inside, joined with ${JSON.stringify(separator)}`,
    print: (value: NestedValue) => scalarsOf(value).join(separator),
  })),
  { rare: true, title: 'as the first value inside', print: (value) => scalarsOf(value)[0] ?? '' },
  {
    rare: true,
    title: 'as the count of values inside',
    print: (value) => String(value.kind === 'array' ? value.items.length : value.members.length),
  },
  { rare: true, title: 'as empty text', print: () => '' },
];

/** `{:?}` of a serde_json `Value` in Rust. */
function rustDebug(value: JsonValue): string {
  switch (value.kind) {
    case 'object': {
      // Maps of serde_json are sorted.
      const pairs = sortedByName(value.members).map(
        (each) => `${JSON.stringify(each.name)}: ${rustDebug(each.value)}`,
      );
      return `Object {${pairs.join(', ')}}`;
    }
    case 'array':
      return `Array [${value.items.map(rustDebug).join(', ')}]`;
    case 'string':
      return `String(${JSON.stringify(value.value)})`;
    case 'number':
      return `Number(${value.text})`;
    case 'boolean':
      return `Bool(${value.value})`;
    case 'null':
      return 'Null';
  }
}

/** `serialize` of PHP, with lengths in bytes. */
function phpSerialized(value: JsonValue): string {
  const text = (content: string): string => `s:${Buffer.byteLength(content)}:"${content}";`;
  switch (value.kind) {
    case 'object':
      return `a:${value.members.length}:{${value.members.map((each) => text(each.name) + phpSerialized(each.value)).join('')}}`;
    case 'array':
      return `a:${value.items.length}:{${value.items.map((item, index) => `i:${index};${phpSerialized(item)}`).join('')}}`;
    case 'string':
      return text(value.value);
    case 'number':
      return /^-?\d+$/.test(value.text) ? `i:${value.text};` : `d:${value.text};`;
    case 'boolean':
      return `b:${value.value ? 1 : 0};`;
    case 'null':
      return 'N;';
  }
}

/** Every scalar inside a value, in order. */
function scalarsOf(value: JsonValue): readonly string[] {
  if (value.kind === 'array') return value.items.flatMap(scalarsOf);
  if (value.kind === 'object') return value.members.flatMap((each) => scalarsOf(each.value));
  return [javaScriptText(value)];
}

/** `String` of JavaScript. */
function javaScriptText(value: JsonValue): string {
  switch (value.kind) {
    case 'object':
      return '[object Object]';
    case 'array':
      return value.items
        .map((item) => (item.kind === 'null' ? '' : javaScriptText(item)))
        .join(',');
    case 'number':
      return String(Number(value.text));
    case 'null':
      return 'null';
    default:
      return String(value.value);
  }
}

/** The notation of a language for a map and its values. */
interface Notation {
  readonly brackets: readonly [string, string];
  /** Default: the brackets alone. */
  readonly emptyMap?: string;
  /** Default: `[` and `]`. */
  readonly listBrackets?: readonly [string, string];
  readonly separator: string;
  readonly colon: string;
  /** Whether the names in a map are sorted. */
  readonly sorted?: boolean;
  /** Whether names are printed; default true. */
  readonly named?: boolean;
  /** Prints a name; default {@link quoted}. */
  readonly name?: ((text: string) => string) | undefined;
  /** Prints a string; default: its characters without quotes. */
  readonly quoted?: (text: string) => string;
  readonly boolean?: (value: boolean) => string;
  readonly nullText: string;
}

function printer(notation: Notation) {
  const { separator, colon, quoted = (text: string) => text, nullText, named = true } = notation;
  const { name: printName = quoted } = notation;
  const [open, close] = notation.brackets;
  const [openList, closeList] = notation.listBrackets ?? ['[', ']'];
  return function print(value: JsonValue, style: PrintStyle): string {
    switch (value.kind) {
      case 'object': {
        if (value.members.length === 0) return notation.emptyMap ?? open + close;
        const members = notation.sorted
          ? sortedByName(value.members)
          : style.memberOrder(value.members);
        const pairs = members.map(
          (each) => (named ? printName(each.name) : '') + colon + print(each.value, style),
        );
        return open + pairs.join(separator) + close;
      }
      case 'array':
        return openList + value.items.map((item) => print(item, style)).join(separator) + closeList;
      case 'string':
        return quoted(style.characters(value.value));
      case 'number':
        return style.number(value.text, 'nested');
      case 'boolean':
        return notation.boolean?.(value.value) ?? style.boolean(value.value, 'nested');
      case 'null':
        return nullText;
    }
  };
}

/** In double quotes if the text contains `'` but no `"`, else in single quotes. */
function pythonQuoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(/(?! )[\p{C}\p{Z}]/gu, pythonEscape);
  return quote + escaped + quote;
}

function pythonEscape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}
