import type { JsonValue, NestedValue } from '../../../json/value.ts';
import { compareNames } from '../../canonical.ts';
import type { PrintStyle } from '../print-style.ts';
import { hashMapOrder } from './java-hash-map.ts';

/** How a language turns an object or a list into text that is not JSON. */
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
export const goMapText = printer({
  brackets: ['map[', ']'],
  separator: ' ',
  colon: ':',
  sorted: true,
  nullText: '<nil>',
});

/** `inspect` of a Ruby hash or array. */
export function rubyInspect(colon: string) {
  return printer({ ...BRACES, colon, quoted: JSON.stringify, nullText: 'nil' });
}

export const STRINGIFIERS: readonly Stringifier[] = [
  { title: 'as text by JavaScript ([object Object])', print: javaScriptText },
  { title: 'as text by Python (str of a dict or list)', print: pythonRepr },
  { title: 'as text by Java (toString of a map or list)', print: javaText },
  {
    title: 'as text by Java (toString of a HashMap)',
    print: (value, style) =>
      javaText(value, {
        ...style,
        memberOrder: (members) => hashMapOrder(members, ({ name }) => name),
      }),
  },
  { title: 'as text by Go (%v of a map or slice)', print: goMapText },
  { title: 'as text by PHP (Array)', print: () => 'Array' },
  { rare: true, title: 'as text by Ruby (inspect)', print: rubyInspect('=>') },
  { rare: true, title: 'as text by Ruby 3.4 (inspect)', print: rubyInspect(' => ') },
  { rare: true, title: 'as empty text', print: () => '' },
];

/** `String` of JavaScript. */
export function javaScriptText(value: JsonValue): string {
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

/** How a language writes a map and the values in it. */
interface Notation {
  readonly brackets: readonly [string, string];
  readonly separator: string;
  readonly colon: string;
  /** Sorts the names in a map, whatever their order in the JSON. */
  readonly sorted?: boolean;
  /** A name or a string; default its characters. */
  readonly quoted?: (text: string) => string;
  readonly boolean?: (value: boolean) => string;
  readonly nullText: string;
}

function printer(notation: Notation) {
  const { separator, colon, quoted = (text: string) => text, nullText } = notation;
  const [open, close] = notation.brackets;
  return function print(value: JsonValue, style: PrintStyle): string {
    switch (value.kind) {
      case 'object': {
        const members = notation.sorted
          ? value.members.toSorted((a, b) => compareNames(a.name, b.name))
          : style.memberOrder(value.members);
        const pairs = members.map((each) => quoted(each.name) + colon + print(each.value, style));
        return open + pairs.join(separator) + close;
      }
      case 'array':
        return `[${value.items.map((item) => print(item, style)).join(separator)}]`;
      case 'string':
        return quoted(value.value);
      case 'number':
        return style.number(value.text, 'nested');
      case 'boolean':
        return notation.boolean?.(value.value) ?? style.boolean(value.value, 'nested');
      case 'null':
        return nullText;
    }
  };
}

/** In single quotes, unless the text has only those; unprintable characters are escaped. */
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
