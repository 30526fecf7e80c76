import type { MopError } from '../../errors.ts';
import { captureError, lineAndColumn, shown } from './capture-error.ts';

/** A value of a JavaScript literal. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Literal[]
  | LiteralObject;
export interface LiteralObject {
  readonly [name: string]: Literal;
}

const SPACE = /\s+|\/\/[^\n]*|\/\*.*?\*\//sy;
/** For each quote, the characters that end a literal or are not allowed in it. */
const SPECIAL: Readonly<Record<string, RegExp>> = {
  '"': /["\\\n]/g,
  "'": /['\\\n]/g,
  '`': /[`\\]|\$\{/g,
};
const NUMBER = /[+-]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)n?(?![\w$])/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const WRAPPER = /new\s+(?:Headers|URL|URLSearchParams)\s*\(|JSON\.stringify\s*\(|String\s*\(/y;
const ESCAPE = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))/gs;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r\n': '',
};
const CONSTANTS: Readonly<Record<string, Literal>> = {
  true: true,
  false: false,
  null: null,
  undefined: undefined,
};
const MAX_DEPTH = 200;

/** Reads literals in the source code of JavaScript. Does not run code. */
export class LiteralReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /** Skips a punctuator, and the white space and comments before it. */
  skip(punctuator: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(punctuator, this.#at)) return false;
    this.#at += punctuator.length;
    return true;
  }

  /**
   * @throws {MopError} `usage` for a value that only the program knows, such as a variable.
   */
  value(depth = 0): Literal {
    const first = this.#operand(depth);
    if (typeof first !== 'string') return first;
    const pieces = [first];
    while (this.skip('+')) pieces.push(textOf(this.#operand(depth)));
    return pieces.join('');
  }

  #operand(depth: number): Literal {
    if (depth > MAX_DEPTH) throw this.#failure('it is nested too deeply', this.#at);
    this.#skipSpace();
    const start = this.#at;
    const string = this.#string();
    if (string !== undefined) return unquoted(string);
    if (this.skip('{')) return this.#members(depth);
    if (this.skip('[')) return this.#items(depth, ']');
    if (this.skip('(')) return this.#closed(this.value(depth + 1), start);
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number.replaceAll('_', '').replace(/n$/, ''));
    const wrapper = this.#match(WRAPPER);
    if (wrapper !== undefined) return this.#wrapped(wrapper, depth, start);
    return this.#constant(start);
  }

  #constant(start: number): Literal {
    const name = this.#match(NAME);
    if (name !== undefined && Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name];
    if (start >= this.#text.length) throw this.#failure('it ends too early', start);
    const rest = this.#text.slice(start, start + 60);
    const subject = /^["'`]/.test(rest)
      ? 'a text does not end, or is a template with an expression'
      : `${shown(/^[^\s,;(){}[\]]+\(?/.exec(rest)?.[0] ?? rest)} is not a literal, so its value is unknown`;
    throw this.#failure(subject, start);
  }

  #wrapped(wrapper: string, depth: number, start: number): Literal {
    const [value, , space] = this.#items(depth, ')');
    if (wrapper.startsWith('JSON')) {
      const text = JSON.stringify(
        value,
        undefined,
        typeof space === 'number' ? space : textOf(space),
      );
      return text ?? undefined;
    }
    if (!wrapper.includes('URLSearchParams')) return value;
    if (typeof value === 'string') return value;
    const pairs = namedTexts(value);
    if (pairs === undefined) throw this.#failure('its parameters cannot be read', start);
    return `${new URLSearchParams(pairs)}`;
  }

  #closed(value: Literal, start: number): Literal {
    if (this.skip(')')) return value;
    throw this.#failure('parentheses contain more than one value', start);
  }

  #items(depth: number, end: string): readonly Literal[] {
    const start = this.#at;
    const items: Literal[] = [];
    while (!this.skip(end)) {
      items.push(this.value(depth + 1));
      if (!this.skip(',') && !this.#isNext(end)) throw this.#notClosed(start);
    }
    return items;
  }

  #members(depth: number): LiteralObject {
    const start = this.#at;
    // Without a prototype, because a member may be named __proto__.
    const members: Record<string, Literal> = Object.create(null);
    while (!this.skip('}')) {
      this.#skipSpace();
      const at = this.#at;
      const name = this.#memberName(at);
      if (!this.skip(':')) {
        throw this.#failure(`${shown(name)} is a variable, whose value is not in the text`, at);
      }
      members[name] = this.value(depth + 1);
      if (!this.skip(',') && !this.#isNext('}')) throw this.#notClosed(start);
    }
    return members;
  }

  #memberName(at: number): string {
    const quoted = this.#string();
    if (quoted !== undefined) return unquoted(quoted);
    const name = this.#match(NAME) ?? this.#match(NUMBER);
    if (name !== undefined) return name;
    const rest = this.#text.slice(at, at + 20);
    const subject = rest === '' ? 'it ends too early' : `a member begins with ${shown(rest)}`;
    throw this.#failure(subject, at);
  }

  #skipSpace(): void {
    while (this.#match(SPACE) !== undefined);
  }

  /** A string with its quotes; undefined if no string begins here, or if it is not closed. */
  #string(): string | undefined {
    const start = this.#at;
    const quote = this.#text[start] ?? '';
    const special = SPECIAL[quote];
    if (special === undefined) return undefined;
    for (special.lastIndex = start + 1; ; ) {
      const found = special.exec(this.#text);
      if (found?.[0] === '\\') special.lastIndex++;
      else if (found?.[0] !== quote) return undefined;
      else {
        this.#at = special.lastIndex;
        return this.#text.slice(start, this.#at);
      }
    }
  }

  #isNext(punctuator: string): boolean {
    this.#skipSpace();
    return this.#text.startsWith(punctuator, this.#at);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token !== undefined) this.#at += token.length;
    return token;
  }

  #notClosed(start: number): MopError {
    return this.#failure(
      this.#at >= this.#text.length
        ? `it ends inside the literal that begins at ${lineAndColumn(this.#text, start - 1)}`
        : `${shown(this.#text.slice(this.#at, this.#at + 20))} follows a value`,
      this.#at,
    );
  }

  #failure(subject: string, at: number): MopError {
    return captureError(
      'fetch',
      `${subject} (${lineAndColumn(this.#text, at)})`,
      'copy all of it with the values that were sent; the code is not run',
    );
  }
}

export function isLiteralObject(value: Literal): value is LiteralObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object, or pairs, if their values are texts and numbers. */
export function namedTexts(value: Literal): [name: string, text: string][] | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const pairs = Array.isArray(value) ? value : Object.entries(value);
  return pairs.flatMap((pair): [name: string, text: string][] =>
    Array.isArray(pair) && pair.length === 2 && ['string', 'number'].includes(typeof pair[1])
      ? [[textOf(pair[0]), textOf(pair[1])]]
      : [],
  );
}

/** The text of a value that JavaScript converts to a string. */
function textOf(value: Literal): string {
  return `${value ?? ''}`;
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(ESCAPE, (_, braces, four, two, other: string | undefined) => {
    if (other !== undefined) return ESCAPES[other] ?? other;
    const code = Number.parseInt(braces ?? four ?? two, 16);
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}
