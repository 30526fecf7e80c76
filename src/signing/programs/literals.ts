import { largest } from '../../any-length.ts';
import { utf16Escapes } from '../../notations/utf16-escapes.ts';
import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import type { ProgramLanguage } from './languages.ts';

export interface Literals {
  readonly text: (text: string) => string;
  /** Header names with their values: a map, or for bash words such as `'X-TMS-A: 1'`. */
  readonly headers: (headers: readonly Header[]) => string;
}

/** Characters that an editor does not show, or shows in another order. */
const INVISIBLE = /[\p{C}\u2028\u2029]/u;

/** JSON text with the same content, in which every invisible character is an escape. */
export function escapeInvisible(json: string): string {
  return json.replace(new RegExp(INVISIBLE, 'gu'), utf16Escapes);
}

/** A literal in which `escaped` writes invisible characters and a backslash precedes `special` ones. */
function quoted(
  text: string,
  quote: string,
  special: RegExp,
  escaped: (character: string) => string,
): string {
  const characters = [...text].map((character) => {
    if (INVISIBLE.test(character)) return escaped(character);
    return special.test(character) ? `\\${character}` : character;
  });
  return `${quote}${characters.join('')}${quote}`;
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** `\u{1f600}`, in PHP and Ruby. */
const braced = (character: string): string => `\\u{${hex(character.codePointAt(0) ?? 0, 1)}}`;

/** `\u000a` and `\U0001f600`, in Python, Go and C#. */
const codePoint = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
};

/** Octal for control characters, since the Java compiler replaces `\u000a` before it reads a literal. */
const octalOrUnits = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\${code.toString(8).padStart(3, '0')}` : utf16Escapes(character);
};

/** `\xf0\x9f\x98\x80`, the bytes of UTF-8, in bash. */
const bytes = (character: string): string =>
  [...utf8Bytes(character)].map((byte) => `\\x${hex(byte, 2)}`).join('');

const doubleQuoted = (escaped: (character: string) => string) => (text: string) =>
  quoted(text, '"', /["\\]/, escaped);

/** Single quotes for visible text, else double quotes with escapes, as in PHP and Ruby. */
const singleOrDouble = (text: string, special: RegExp): string =>
  INVISIBLE.test(text) ? quoted(text, '"', special, braced) : quoted(text, "'", /['\\]/, braced);

function python(text: string): string {
  const quote = text.includes('"') ? "'" : '"';
  return quoted(text, quote, quote === '"' ? /["\\]/ : /['\\]/, codePoint);
}

function go(text: string): string {
  const isRaw = /["\\]/.test(text) && !text.includes('`') && !INVISIBLE.test(text);
  return isRaw ? `\`${text}\`` : doubleQuoted(codePoint)(text);
}

function php(text: string): string {
  return singleOrDouble(text, /["\\$]/);
}

function node(text: string): string {
  return quoted(text, "'", /['\\]/, utf16Escapes);
}

function ruby(text: string): string {
  return singleOrDouble(text, /["\\#]/);
}

function csharp(text: string): string {
  const isInside = text.includes('"') && !text.startsWith('"') && !text.endsWith('"');
  if (!isInside || INVISIBLE.test(text)) return doubleQuoted(codePoint)(text);
  const runs = text.match(/"+/g) ?? [];
  const quote = '"'.repeat(
    largest(
      runs.map(({ length }) => length),
      2,
    ) + 1,
  );
  return `${quote}${text}${quote}`;
}

function bash(text: string): string {
  if (INVISIBLE.test(text)) return `$${quoted(text, "'", /['\\]/, bytes)}`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** ASCII only, since the charset of a Java source depends on the locale. */
const java = (text: string): string =>
  doubleQuoted(octalOrUnits)(text).replace(/[^ -~]/gu, utf16Escapes);

/** Literals of a language, whose maps have the pairs between brackets. */
function literals(
  text: Literals['text'],
  pair: (name: string, value: string) => string,
  open: string,
  close: string,
): Literals {
  const headers: Literals['headers'] = (all) => {
    const pairs = all.map(([name, value]) => pair(text(name), text(value))).join(', ');
    return pairs === '' ? open.trimEnd() + close.trimStart() : open + pairs + close;
  };
  return { text, headers };
}

const colon = (name: string, value: string): string => `${name}: ${value}`;
const arrow = (name: string, value: string): string => `${name} => ${value}`;
const entry = (name: string, value: string): string => `Map.entry(${name}, ${value})`;
const index = (name: string, value: string): string => `[${name}] = ${value}`;

export const LITERALS: { readonly [language in ProgramLanguage]: Literals } = {
  python: literals(python, colon, '{', '}'),
  go: literals(go, colon, 'map[string]string{', '}'),
  java: literals(java, entry, 'Map.ofEntries(', ')'),
  php: literals(php, arrow, '[', ']'),
  node: literals(node, colon, '{ ', ' }'),
  ruby: literals(ruby, arrow, '{ ', ' }'),
  csharp: literals(csharp, index, 'new Dictionary<string, string> { ', ' }'),
  bash: {
    text: bash,
    headers: (headers) => headers.map(([name, value]) => bash(`${name}: ${value}`)).join(' '),
  },
};
