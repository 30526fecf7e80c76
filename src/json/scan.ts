import { MAX_DEPTH } from './reader.ts';

/** Text that is not one JSON object. */
export class JsonScanError extends Error {}

/** Receives the parts of a document. */
export interface JsonSink {
  /** Called at the start of each member. Returns a function that receives the text of its value. */
  readonly member: (name: string) => (text: string) => void;
  /**
   * Returns the replacement for a string: a value, or a name below the outer object. A long value
   * arrives in pieces. Each piece begins with the end of the previous replacement.
   *
   * @param name The name of the member with this value; undefined for a name and for an item of a
   *   list.
   */
  readonly edit?: ((value: string, name: string | undefined) => string) | undefined;
}

/** Maximum length of a name and of a number, in characters. */
const MAX_TOKEN = 65_536;

/** Strings longer than this are edited in pieces. */
const PIECE = 4 * MAX_TOKEN;

const WHITE_SPACE = /[ \t\n\r]*/y;
const WORD = /[-+.\w]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![-+.\w])/y;
/** Characters of a string that `printJson` would write in the same way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string.
const PLAIN = /[^"\\\u0000-\u001f]*(?:\\["\\bfnrt][^"\\\u0000-\u001f]*)*/y;
const ESCAPE = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|\/)/y;
/** The longest escape is a pair of surrogates. */
const ESCAPE_LENGTH = 12;

type State = 'value' | 'item' | 'name' | 'first name' | 'colon' | 'next' | 'string' | 'end';

/**
 * Reads one JSON object (RFC 8259) from text that arrives in pieces, and writes it to a sink in the
 * format of `printJson`. Validates the syntax. Does not buffer values or long strings.
 */
export class JsonScanner {
  readonly #sink: JsonSink;
  #text = '';
  /** The text before this offset has been passed on or dropped. */
  #start = 0;
  #offset = 0;
  /** Characters of the document before `#text`. */
  #before = 0;
  #isEnd = false;
  #state: State = 'value';
  /** The brackets that close the open objects and arrays. */
  readonly #open: string[] = [];
  #write: (text: string) => void = () => {};
  /** The name of the current member. */
  #name: string | undefined;
  #isName = false;
  /** The characters of a string that have not been passed on. */
  #buffer: string | undefined;

  constructor(sink: JsonSink) {
    this.#sink = sink;
  }

  /** @throws {JsonScanError} */
  feed(text: string): void {
    this.#before += this.#offset;
    this.#text = this.#text.slice(this.#offset) + text;
    this.#start = 0;
    this.#offset = 0;
    while (this.#step());
    this.#flush();
  }

  /** @throws {JsonScanError} when the document is not complete. */
  end(): void {
    this.#isEnd = true;
    this.feed('');
    if (this.#state !== 'end') this.#fail('the text ends early');
  }

  /** Reads a token. Returns false when it needs more text. */
  #step(): boolean {
    if (this.#state === 'string') return this.#string();
    this.#skipSpace();
    const next = this.#text[this.#offset];
    if (next === undefined) return false;
    switch (this.#state) {
      case 'item':
        return next === ']' ? this.#close(next) : this.#value(next);
      case 'value':
        return this.#value(next);
      case 'first name':
        return next === '}' ? this.#close(next) : this.#quote(next, true);
      case 'name':
        return this.#quote(next, true);
      case 'colon':
        if (next !== ':') this.#fail('":" is missing');
        return this.#punctuation('value', this.#open.length === 1);
      case 'next': {
        if (next !== ',') return this.#close(next);
        const state = this.#open.at(-1) === '}' ? 'name' : 'value';
        return this.#punctuation(state, this.#open.length === 1);
      }
      default:
        return this.#fail('text after the end of the document');
    }
  }

  #value(next: string): boolean {
    const depth = this.#open.length;
    if (depth === 0 && next !== '{') this.#fail('the document is not an object');
    if (next === '"') return this.#quote(next, false);
    if (next !== '{' && next !== '[') return this.#scalar();
    if (depth === MAX_DEPTH) this.#fail(`more than ${MAX_DEPTH} levels of nesting`);
    this.#open.push(next === '{' ? '}' : ']');
    this.#name = undefined;
    return this.#punctuation(next === '{' ? 'first name' : 'item', depth === 0);
  }

  #close(bracket: string): boolean {
    if (bracket !== this.#open.pop()) this.#fail('a comma or a closing bracket is missing');
    const isOuter = this.#open.length === 0;
    return this.#punctuation(isOuter ? 'end' : 'next', isOuter);
  }

  /** @param isOuter Whether the character belongs to the document, not to the value of a member. */
  #punctuation(state: State, isOuter: boolean): boolean {
    if (isOuter) this.#drop(1);
    else this.#offset++;
    this.#state = state;
    return true;
  }

  #scalar(): boolean {
    const end = endOf(WORD, this.#text, this.#offset);
    if (end - this.#offset > MAX_TOKEN) this.#fail('a number is too long');
    if (end === this.#text.length && !this.#isEnd) return false;
    const isScalar = end > this.#offset && endOf(SCALAR, this.#text, this.#offset) === end;
    if (!isScalar) this.#fail('a value is missing');
    this.#offset = end;
    this.#name = undefined;
    this.#state = 'next';
    return true;
  }

  /** Begins a string. */
  #quote(next: string, isName: boolean): boolean {
    if (next !== '"') this.#fail('a name in double quotes is missing');
    const isOuter = isName && this.#open.length === 1;
    this.#isName = isName;
    this.#punctuation('string', isOuter);
    if (!isOuter && !this.#sink.edit) return true;
    this.#flush();
    this.#buffer = '';
    return true;
  }

  #string(): boolean {
    this.#offset = endOf(PLAIN, this.#text, this.#offset);
    const next = this.#text[this.#offset];
    if (next === undefined) return false;
    if (next === '"') return this.#endString();
    if (this.#text.length - this.#offset < ESCAPE_LENGTH && !this.#isEnd) return false;
    const end = endOf(ESCAPE, this.#text, this.#offset);
    if (end === 0) this.#fail('an invalid character in a string');
    const escaped = this.#text.slice(this.#offset, end);
    this.#drop(escaped.length);
    this.#emit(quoted(unquoted(escaped)));
    return true;
  }

  #endString(): boolean {
    this.#flush();
    const buffer = this.#buffer;
    const isOuter = this.#isName && this.#open.length === 1;
    this.#buffer = undefined;
    if (buffer !== undefined && isOuter) this.#write = this.#sink.member(buffer);
    else if (buffer !== undefined) this.#write(quoted(this.#edited(buffer)));
    this.#name = this.#isName ? buffer : undefined;
    return this.#punctuation(this.#isName ? 'colon' : 'next', isOuter);
  }

  #edited(value: string): string {
    return this.#sink.edit?.(value, this.#isName ? undefined : this.#name) ?? value;
  }

  #skipSpace(): void {
    const code = this.#text.charCodeAt(this.#offset);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
    this.#drop(endOf(WHITE_SPACE, this.#text, this.#offset) - this.#offset);
  }

  #drop(length: number): void {
    this.#flush();
    this.#offset += length;
    this.#start = this.#offset;
  }

  /** Passes on all text up to the offset. */
  #flush(): void {
    if (this.#offset > this.#start) this.#emit(this.#text.slice(this.#start, this.#offset));
    this.#start = this.#offset;
  }

  #emit(text: string): void {
    if (this.#buffer === undefined) {
      this.#write(text);
      return;
    }
    this.#buffer += unquoted(text);
    if (this.#isName && this.#buffer.length > MAX_TOKEN) this.#fail('a name is too long');
    if (this.#isName || this.#buffer.length < PIECE) return;
    const edited = this.#edited(this.#buffer);
    const rest = edited.slice(-MAX_TOKEN).replace(/^[\udc00-\udfff]/, '');
    this.#write(quoted(edited.slice(0, edited.length - rest.length)));
    this.#buffer = rest;
  }

  #fail(subject: string): never {
    throw new JsonScanError(`${subject} at character ${this.#before + this.#offset + 1}`);
  }
}

/** The end of the match of a sticky pattern; 0 without a match. Faster than `exec`. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Removes the escapes from the text between the quotes of a string. */
function unquoted(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function quoted(value: string): string {
  return SPECIAL.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string.
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
