import type { JsonValue } from '../../../json/value.ts';
import { compareNames } from '../../canonical.ts';
import type { NestedValue, PrintStyle } from '../print-style.ts';
import { hashMapOrder } from './java-hash-map.ts';

/** How a language turns an object or a list into text when nobody asked it for JSON. */
export interface Stringifier {
  readonly title: string;
  readonly print: (value: NestedValue, style: PrintStyle) => string;
  readonly rare?: boolean;
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
  {
    rare: true,
    title: 'as text by Ruby (inspect)',
    print: (value, style) => rubyInspect(value, style, '=>'),
  },
  {
    rare: true,
    title: 'as text by Ruby 3.4 (inspect)',
    print: (value, style) => rubyInspect(value, style, ' => '),
  },
  { rare: true, title: 'as empty text', print: () => '' },
];

/** As `String` of JavaScript prints it. */
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

/** As `str` of Python prints a dict or a list. */
export function pythonRepr(value: JsonValue, style: PrintStyle): string {
  switch (value.kind) {
    case 'object':
      return `{${style
        .memberOrder(value.members)
        .map((member) => `${pythonQuoted(member.name)}: ${pythonRepr(member.value, style)}`)
        .join(', ')}}`;
    case 'array':
      return `[${value.items.map((item) => pythonRepr(item, style)).join(', ')}]`;
    case 'string':
      return pythonQuoted(value.value);
    case 'number':
      return style.number(value.text, 'nested');
    case 'boolean':
      return value.value ? 'True' : 'False';
    case 'null':
      return 'None';
  }
}

/** In single quotes, unless the text has such and no double ones; what does not print is escaped. */
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

/** As `toString` of Java prints a map or a list. */
export function javaText(value: JsonValue, style: PrintStyle): string {
  switch (value.kind) {
    case 'object':
      return `{${style
        .memberOrder(value.members)
        .map((member) => `${member.name}=${javaText(member.value, style)}`)
        .join(', ')}}`;
    case 'array':
      return `[${value.items.map((item) => javaText(item, style)).join(', ')}]`;
    default:
      return scalarText(value, style, 'null');
  }
}

/** As `%v` of Go prints a map or a slice. */
export function goMapText(value: JsonValue, style: PrintStyle): string {
  switch (value.kind) {
    case 'object':
      return `map[${[...value.members]
        .sort((a, b) => compareNames(a.name, b.name))
        .map((member) => `${member.name}:${goMapText(member.value, style)}`)
        .join(' ')}]`;
    case 'array':
      return `[${value.items.map((item) => goMapText(item, style)).join(' ')}]`;
    default:
      return scalarText(value, style, '<nil>');
  }
}

function rubyInspect(value: JsonValue, style: PrintStyle, arrow: string): string {
  switch (value.kind) {
    case 'object':
      return `{${style
        .memberOrder(value.members)
        .map(
          (member) => JSON.stringify(member.name) + arrow + rubyInspect(member.value, style, arrow),
        )
        .join(', ')}}`;
    case 'array':
      return `[${value.items.map((item) => rubyInspect(item, style, arrow)).join(', ')}]`;
    case 'string':
      return JSON.stringify(value.value);
    default:
      return scalarText(value, style, 'nil');
  }
}

function scalarText(value: JsonValue, style: PrintStyle, nullText: string): string {
  switch (value.kind) {
    case 'string':
      return value.value;
    case 'number':
      return style.number(value.text, 'nested');
    case 'boolean':
      return style.boolean(value.value, 'nested');
    default:
      return nullText;
  }
}
