/**
 * Text that is not JSON. `line` and `column` count from 1, `offset` from 0, in UTF-16 code units.
 *
 * @example
 * ```ts
 * import { JsonSyntaxError, parseJson } from 'mop-cli/signing';
 *
 * try {
 *   parseJson('{"a":1,}');
 * } catch (error) {
 *   if (!(error instanceof JsonSyntaxError)) throw error;
 *   console.log(error.line, error.column);
 * }
 * // 1 8
 * ```
 */
export class JsonSyntaxError extends Error {
  /** The message without the place. */
  readonly subject: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;

  constructor(subject: string, text: string, offset: number) {
    const { line, column } = placeOf(text, offset);
    super(`${subject} at line ${line} column ${column}`);
    this.name = 'JsonSyntaxError';
    this.subject = subject;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', start)) {
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Enough for any real body, and far below the limit of the call stack. */
const MAX_DEPTH = 500;

const WHITE_SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string.
const CONTROL = /[\u0000-\u001f]/;

/** A position in a JSON text. Each method reads a token and moves past it. */
export class JsonReader {
  protected readonly text: string;
  protected offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected peek(): string | undefined {
    return this.text[this.offset];
  }

  protected end(): void {
    this.space();
    if (this.offset < this.text.length) this.failHere('after the end of the document');
  }

  protected skip(depth: number): void {
    this.space();
    const next = this.peek();
    if (next === '{') {
      for (let more = this.opens('}', depth); more; more = this.continues('}')) {
        this.skipAt(this.name(), depth + 1);
      }
    } else if (next === '[') {
      let index = 0;
      for (let more = this.opens(']', depth); more; more = this.continues(']')) {
        this.skipAt(index++, depth + 1);
      }
    } else if (next === '"') this.string();
    else this.scalar();
  }

  /** Skips the value of a member or an item; `step` is its name or index. */
  protected skipAt(_step: string | number, depth: number): void {
    this.skip(depth);
  }

  /** Reads the opening bracket of a list, and of an empty one also its end; then returns false. */
  protected opens(close: string, depth: number): boolean {
    if (depth === MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} levels of nesting`);
    this.offset++;
    this.space();
    if (this.peek() !== close) return true;
    this.offset++;
    return false;
  }

  /** Reads the comma after an item. At the end of the list, reads the bracket and returns false. */
  protected continues(close: string): boolean {
    this.space();
    const next = this.peek();
    if (next !== ',' && next !== close) this.failHere(`where a comma or "${close}" was expected`);
    this.offset++;
    return next === ',';
  }

  protected name(): string {
    this.space();
    if (this.peek() !== '"') this.failHere('where a name in double quotes was expected');
    const name = this.string();
    this.space();
    if (this.peek() !== ':') this.failHere('where ":" was expected');
    this.offset++;
    return name;
  }

  protected string(): string {
    const start = this.offset;
    let end = start;
    do end = this.text.indexOf('"', end + 1);
    while (end !== -1 && isEscaped(this.text, end));
    if (end === -1) return this.fail('a string that is not closed');
    const token = this.text.slice(start, end + 1);
    if (CONTROL.test(token)) return this.fail('a string with a raw control character');
    const value = token.includes('\\') ? unescaped(token) : token.slice(1, -1);
    if (value === undefined) return this.fail('a string with an invalid escape');
    this.offset = end + 1;
    return value;
  }

  protected scalar(): void {
    SCALAR.lastIndex = this.offset;
    if (!SCALAR.test(this.text)) this.failHere('where a value was expected');
    this.offset = SCALAR.lastIndex;
  }

  protected space(): void {
    // Compact text has no white space: the common case does not need the pattern.
    const code = this.text.charCodeAt(this.offset);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    WHITE_SPACE.lastIndex = this.offset;
    WHITE_SPACE.test(this.text);
    this.offset = WHITE_SPACE.lastIndex;
  }

  /** @throws {JsonSyntaxError} that names the character at the offset. */
  protected failHere(where: string): never {
    const code = this.text.codePointAt(this.offset);
    this.fail(`${code === undefined ? 'the text ends' : `unexpected ${shown(code)}`} ${where}`);
  }

  protected fail(subject: string): never {
    throw new JsonSyntaxError(subject, this.text, this.offset);
  }
}

function shown(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\p{C}\p{Z}]/u.test(character)
    ? `U+${code.toString(16).padStart(4, '0').toUpperCase()}`
    : JSON.stringify(character);
}

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
