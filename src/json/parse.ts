import type { JsonMember, JsonObject, JsonValue } from './value.ts';

/** Text that is not JSON. `line` and `column` count from 1, in UTF-16 code units. */
export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(what: string, text: string, offset: number) {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n');
    super(`${what} at line ${line} column ${column}`);
    this.name = 'JsonSyntaxError';
    this.line = line;
    this.column = column;
  }
}

/** Deep enough for any real body, far from the end of the call stack. */
const MAX_DEPTH = 500;

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
 * Reads one JSON document (RFC 8259).
 *
 * @throws {JsonSyntaxError} when `text` is not JSON or nests deeper than 500 levels.
 */
export function parseJson(text: string): JsonValue {
  let offset = 0;

  const fail = (what: string): never => {
    throw new JsonSyntaxError(what, text, offset);
  };

  /** What stands at the offset, for a message. */
  const found = (): string => {
    const character = text.codePointAt(offset);
    if (character === undefined) return 'the text ends';
    const shown = String.fromCodePoint(character);
    return `unexpected ${/[\p{C}\p{Z}]/u.test(shown) ? `U+${character.toString(16).padStart(4, '0').toUpperCase()}` : JSON.stringify(shown)}`;
  };

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const token = pattern.exec(text)?.[0];
    if (token !== undefined) offset += token.length;
    return token;
  };

  const skipSpace = (): void => {
    // Compact text has none, so the common case does not reach the pattern.
    const code = text.charCodeAt(offset);
    if (code === 32 || code === 10 || code === 13 || code === 9) match(WHITE_SPACE);
  };

  const readString = (): string => {
    let end = offset;
    do end = text.indexOf('"', end + 1);
    while (end !== -1 && isEscaped(text, end));
    if (end === -1) return fail('a string that is not closed');
    const token = text.slice(offset, end + 1);
    if (CONTROL.test(token)) return fail('a string with a raw control character');
    const value = token.includes('\\') ? unescaped(token) : token.slice(1, -1);
    if (value === undefined) return fail('a string with an invalid escape');
    offset = end + 1;
    return value;
  };

  /** Reads `item, item, …` up to `close`. The opening bracket is behind us. */
  const readList = (close: string, readItem: () => void): void => {
    skipSpace();
    if (text[offset] === close) {
      offset++;
      return;
    }
    for (;;) {
      skipSpace();
      readItem();
      skipSpace();
      const next = text[offset];
      if (next !== ',' && next !== close) fail(`${found()} where a comma or "${close}" was due`);
      offset++;
      if (next === close) return;
    }
  };

  const readValue = (depth: number): JsonValue => {
    skipSpace();
    const first = text[offset];
    if (depth === MAX_DEPTH && (first === '{' || first === '[')) {
      return fail(`more than ${MAX_DEPTH} levels of nesting`);
    }
    if (first === '"') return { kind: 'string', value: readString() };
    if (first === '{') {
      offset++;
      const members: JsonMember[] = [];
      readList('}', () => {
        if (text[offset] !== '"') fail(`${found()} where a name in double quotes was due`);
        const name = readString();
        skipSpace();
        if (text[offset] !== ':') fail(`${found()} where ":" was due`);
        offset++;
        members.push({ name, value: readValue(depth + 1) });
      });
      return { kind: 'object', members };
    }
    if (first === '[') {
      offset++;
      const items: JsonValue[] = [];
      readList(']', () => items.push(readValue(depth + 1)));
      return { kind: 'array', items };
    }
    for (const [word, value] of LITERALS) {
      if (text.startsWith(word, offset)) {
        offset += word.length;
        return value;
      }
    }
    const number = match(NUMBER);
    return number === undefined
      ? fail(`${found()} where a value was due`)
      : { kind: 'number', text: number };
  };

  const value = readValue(0);
  skipSpace();
  if (offset < text.length) fail(`${found()} after the end of the document`);
  return value;
}

/** The value that a text is; undefined for what is no JSON. */
export function jsonValue(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The object that a text is; undefined for what is no JSON, or no object. */
export function jsonObject(text: string): JsonObject | undefined {
  const value = jsonValue(text);
  return value?.kind === 'object' ? value : undefined;
}

/** Whether the quote at `end` is part of the string: an odd number of backslashes stands before. */
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
