import { isNested, type JsonValue, type NestedValue } from '../../../json/value.ts';
import { byteLength } from '../../bytes.ts';
import { sortedByName } from '../../canonical.ts';
import { RARE } from '../mistake.ts';
import type { PrintStyle } from '../print-style.ts';
import { type Convert, camelName, capitalized, changeOf, type Rows } from '../steps.ts';
import NOTATIONS from './notations.txt?raw';

/** Prints an object or a list as a language does, which is not JSON; a class is named after `field`. */
type Print<Value = JsonValue> = (value: Value, style: PrintStyle, field?: string) => string;

const quoted = JSON.stringify as Convert;

const TEXTS: Readonly<Record<string, Convert>> = {
  bare: (text) => text,
  json: quoted,
  python: pythonQuoted,
  single: (text) => `'${text}'`,
  symbol: (text) => `:${text}`,
  camel: camelName,
  pascal: className,
  node: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : pythonQuoted(name)),
  erlang: (text) => `<<${quoted(text)}>>`,
  rust: (text) => `String(${quoted(text)})`,
};

export const PYTHON = ' | text python | words True False | null None';
export const RUBY = ' | text json | null nil';

const LINES = new Map(
  NOTATIONS.split('\n## ').map((section) => {
    const [heading = '', ...lines] = section.trim().split('\n');
    return [heading, lines];
  }),
);
const linesOf = (heading: string): readonly string[] => LINES.get(heading) ?? [];

export const LANGUAGE_TEXTS: Rows<Print<NestedValue>> = {
  2: {
    'as text by JavaScript ([object Object])': javaScriptText,
    'as text by Java (toString of a HashMap)': (value, style) =>
      notation('{K=V, K=V}')(value, {
        ...style,
        memberOrder: (members) => hashMapOrder(members, ({ name }) => name),
      }),
    'as text by PHP (Array)': () => 'Array',
    'as the values inside, joined with ","': scalarsJoined(','),
    ...notations('usual'),
  },
  [RARE]: {
    ...notations('rare'),
    'as text by Lua or JavaScript (object)': () => 'object',
    'as text by PHP (serialize)': phpSerialized,
    'as the first value inside': (value) => scalarsOf(value)[0] ?? '',
    'as the count of values inside': (value) =>
      String(value.kind === 'array' ? value.items.length : value.members.length),
    'as empty text': () => '',
    ...Object.fromEntries([
      ...linesOf('types of .NET').map((name) => [
        `as the name of a type of .NET (${name})`,
        () => name,
      ]),
      ...['[]', '{}', 'null', 'Object', '1', 'true'].map((word) => [`as ${word}`, () => word]),
      ...[';', '|', ' ', '', ', ', '&'].map((separator) => [
        `as the values inside, joined with ${JSON.stringify(separator)}`,
        scalarsJoined(separator),
      ]),
    ]),
  },
};

/** Texts of classes and structs, and of maps that few programs sign. */
export const CLASS_TEXTS: Rows<Print<NestedValue>> = {
  3: notations('usual classes'),
  [RARE]: {
    ...notations('rare classes'),
    ...notations('rare maps'),
    ...Object.fromEntries(linesOf('suffixes of classes').flatMap(suffixedNotations)),
    'as text by PHP (print_r)': printR,
  },
};

type Notations = Readonly<Record<string, Print<NestedValue>>>;

function notations(heading: string, suffix = ''): Notations {
  const rows = linesOf(heading).map((line) => {
    const [, language, cells = ''] = /^(.+?) \| (.+)$/.exec(line) ?? [];
    const how = `as text by ${language}${suffix && `, …${suffix}`}`;
    return [how, notation(cells.replace('C', `C${suffix}`))] as const;
  });
  return Object.fromEntries(rows);
}

function suffixedNotations(suffix: string): readonly (readonly [string, Print<NestedValue>])[] {
  const classes = { ...notations('usual classes', suffix), ...notations('rare classes', suffix) };
  return Object.entries(classes);
}

/** `MyPoint` for a field `my_point`; for an item of a list `stops`, `Stop`. */
function className(field: string): string {
  return capitalized(camelName(field));
}

/** The texts around the names `K` and the values `V` in a sample of two members or items. */
export function aroundMembers(sample: string) {
  const [, open = '', colon, comma = '', close = ''] =
    /^(.*?)(?:K(.*?))?V(.*?)(?:K.*?)?V(.*)$/s.exec(sample) ?? [];
  return { open, colon, comma, close };
}

/**
 * Prints as the cells of notations.txt: a sample of a map, and options after ` | `: samples of a
 * `list`, of the `outer` map and of a `number`; the text of an `empty` map, of `null` and of the
 * `words` true and false; {@link TEXTS} for a `text` and a `name`; whether it is `sorted`. The
 * default is Java's.
 */
export function notation(cells: string): Print {
  const [sample = '', ...others] = cells.split(' | ');
  const options = new Map(
    others.map((cell) => [cell.split(' ', 1)[0], cell.replace(/^\S+ ?/, '')]),
  );
  const [map, outer, list] = [
    sample,
    options.get('outer') ?? sample,
    options.get('list') ?? '[V, V]',
  ].map(aroundMembers);
  const text = TEXTS[options.get('text') ?? 'bare'] ?? quoted;
  const nameOf = TEXTS[options.get('name') ?? ''] ?? text;
  const number = changeOf(options.get('number') ?? 'V');
  const [yes, no] = options.get('words')?.split(' ') ?? [];
  const print = (value: JsonValue, style: PrintStyle, field: string, around = map): string => {
    switch (value.kind) {
      case 'object': {
        const { open = '', colon, comma, close = '' } = around ?? {};
        const start = open.replace('C', () => className(field));
        if (value.members.length === 0) return options.get('empty') ?? start + close;
        const members = (options.has('sorted') ? sortedByName : style.memberOrder)(value.members);
        const pairs = members.map((each) => {
          const name = colon === undefined ? '' : nameOf(each.name) + colon;
          return name + print(each.value, style, each.name);
        });
        return start + pairs.join(comma) + close;
      }
      case 'array': {
        const item = field.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
        const items = value.items.map((each) => print(each, style, item));
        const { open = '', comma, close = '' } = list ?? {};
        return items.length === 0
          ? open.trimEnd() + close.trimStart()
          : open + items.join(comma) + close;
      }
      case 'string':
        return text(style.characters(value.value));
      case 'number':
        return number(style.number(value.text, 'nested'));
      case 'boolean':
        return (value.value ? yes : no) ?? style.boolean(value.value, 'nested');
      case 'null':
        return options.get('null') ?? 'null';
    }
  };
  return (value, style, field = '') => print(value, style, field, outer);
}

/** `print_r` of a PHP array. */
function printR(value: JsonValue, style: PrintStyle, _field = '', indent = ''): string {
  if (!isNested(value)) {
    if (value.kind === 'string') return style.characters(value.value);
    if (value.kind === 'number') return style.number(value.text, 'nested');
    return value.kind === 'boolean' && value.value ? '1' : '';
  }
  const entries =
    value.kind === 'array'
      ? value.items.map((item, index) => ({ name: `${index}`, value: item }))
      : style.memberOrder(value.members);
  const lines = entries.map(
    (each) =>
      `${indent}    [${each.name}] => ${printR(each.value, style, '', `${indent}        `)}\n`,
  );
  return `Array\n${indent}(\n${lines.join('')}${indent})\n`;
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

/** Sorts items in the iteration order of a `java.util.HashMap`: by bucket, then by insertion. */
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
