import { isNested, type JsonMember, type JsonObject, type JsonValue } from './value.ts';

/** Text that is not JSON. `line` and `column` count from 1, `offset` from 0, in UTF-16 code units. */
export class JsonSyntaxError extends Error {
  readonly offset: number;
  readonly line: number;
  readonly column: number;

  constructor(what: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    super(`${what} at line ${line} column ${column}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}

/** Deep enough for any real body, far from the end of the call stack. */
export const MAX_DEPTH = 500;

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string.
const CONTROL = /[\u0000-\u001f]/;

const LITERALS: readonly [string, JsonValue][] = [
  ['true', { kind: 'boolean', value: true }],
  ['false', { kind: 'boolean', value: false }],
  ['null', { kind: 'null' }],
];

/**
 * Parses one JSON document (RFC 8259).
 *
 * @throws {JsonSyntaxError} when `text` is not JSON or nests deeper than 500 levels.
 */
export function parseJson(text: string): JsonValue {
  return new Parser(text, false).document();
}

/**
 * {@link parseJson}, where the objects and arrays in the members of the document keep their text.
 *
 * @throws {JsonSyntaxError}
 */
export function parseJsonAsWritten(text: string): JsonValue {
  return new Parser(text, true).document();
}

/** A position in a text. Each method reads one token or value there and moves behind it. */
class Parser {
  readonly #text: string;
  readonly #keepsText: boolean;
  #offset = 0;

  constructor(text: string, keepsText: boolean) {
    this.#text = text;
    this.#keepsText = keepsText;
  }

  document(): JsonValue {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#offset < this.#text.length) this.#failHere('after the end of the document');
    return value;
  }

  #value(depth: number): JsonValue {
    this.#skipSpace();
    const first = this.#text[this.#offset];
    if (first === '"') return { kind: 'string', value: this.#string() };
    if (first === '{') return { kind: 'object', members: this.#members(depth) };
    if (first === '[') return { kind: 'array', items: this.#items(depth) };
    return this.#scalar();
  }

  #members(depth: number): JsonMember[] {
    const members: JsonMember[] = [];
    for (let more = this.#opens('}', depth); more; more = this.#continues('}')) {
      this.#skipSpace();
      if (this.#text[this.#offset] !== '"') this.#failHere('where a name in double quotes was due');
      const name = this.#string();
      this.#skipSpace();
      if (this.#text[this.#offset] !== ':') this.#failHere('where ":" was due');
      this.#offset++;
      this.#skipSpace();
      const start = this.#offset;
      const value = this.#value(depth + 1);
      const keepsText = this.#keepsText && depth === 0 && isNested(value);
      members.push({
        name,
        value: keepsText ? { ...value, text: this.#text.slice(start, this.#offset) } : value,
      });
    }
    return members;
  }

  #items(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    for (let more = this.#opens(']', depth); more; more = this.#continues(']')) {
      items.push(this.#value(depth + 1));
    }
    return items;
  }

  /** Reads the opening bracket of a list, and an empty list up to its end: false. */
  #opens(close: string, depth: number): boolean {
    if (depth === MAX_DEPTH) this.#fail(`more than ${MAX_DEPTH} levels of nesting`);
    this.#offset++;
    this.#skipSpace();
    if (this.#text[this.#offset] !== close) return true;
    this.#offset++;
    return false;
  }

  /** Reads the comma after an item, or the end of the list: false. */
  #continues(close: string): boolean {
    this.#skipSpace();
    const next = this.#text[this.#offset];
    if (next !== ',' && next !== close) this.#failHere(`where a comma or "${close}" was due`);
    this.#offset++;
    return next === ',';
  }

  #scalar(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#offset)) {
        this.#offset += word.length;
        return value;
      }
    }
    const text = this.#match(NUMBER);
    return text === undefined ? this.#failHere('where a value was due') : { kind: 'number', text };
  }

  #string(): string {
    const start = this.#offset;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (end !== -1 && isEscaped(this.#text, end));
    if (end === -1) return this.#fail('a string that is not closed');
    const token = this.#text.slice(start, end + 1);
    if (CONTROL.test(token)) return this.#fail('a string with a raw control character');
    const value = token.includes('\\') ? unescaped(token) : token.slice(1, -1);
    if (value === undefined) return this.#fail('a string with an invalid escape');
    this.#offset = end + 1;
    return value;
  }

  #skipSpace(): void {
    // Compact text has none, so the common case does not reach the pattern.
    const code = this.#text.charCodeAt(this.#offset);
    if (code === 32 || code === 10 || code === 13 || code === 9) this.#match(WHITE_SPACE);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const token = pattern.exec(this.#text)?.[0];
    if (token !== undefined) this.#offset += token.length;
    return token;
  }

  /** @throws {JsonSyntaxError} that names the character at the offset. */
  #failHere(where: string): never {
    const code = this.#text.codePointAt(this.#offset);
    this.#fail(`${code === undefined ? 'the text ends' : `unexpected ${shown(code)}`} ${where}`);
  }

  #fail(what: string): never {
    throw new JsonSyntaxError(what, this.#text, this.#offset);
  }
}

/** A character in quotes, or its code point when it is invisible. */
function shown(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\p{C}\p{Z}]/u.test(character)
    ? `U+${code.toString(16).padStart(4, '0').toUpperCase()}`
    : JSON.stringify(character);
}

/** The JSON value of a text; undefined when it is not JSON. */
export function jsonValue(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The JSON object of a text; undefined when it is not JSON, or not an object. */
export function jsonObject(text: string): JsonObject | undefined {
  const value = jsonValue(text);
  return value?.kind === 'object' ? value : undefined;
}

/** Whether the quote at `end` is part of the string: it follows an odd number of backslashes. */
function isEscaped(text: string, end: number): boolean {
  let start = end;
  while (text[start - 1] === '\\') start--;
  return (end - start) % 2 === 1;
}

function unescaped(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}
