import type { MopError } from '../../errors.ts';
import { curlError, lineAndColumn, shown } from './capture-error.ts';
import { utf8Text } from './decoding.ts';

export interface ShellWords {
  readonly words: readonly string[];
  /** What the shell would have replaced, such as `$KEY`. It stands in the words as written. */
  readonly expansions: readonly string[];
}

const BLANKS = /[ \t]+/y;
const LINE_END = /\r?\n/y;
const CONTINUATION = /\\\r?\n|\\$/y;
const COMMENT = /#[^\n]*/y;
const OPERATOR = /[|&;<>()]/y;
const PLAIN = /[^\s\\'"$`|&;<>()]+/y;
const PLAIN_IN_QUOTES = /[^\\"$`]+/y;
const PARAMETER = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/y;
const ANSI_C_TOKEN =
  /\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|c.|.)|[^\\]+/gs;
const ANSI_C_ESCAPES: Readonly<Record<string, string>> = {
  '\\a': '\x07',
  '\\b': '\b',
  '\\e': '\x1b',
  '\\E': '\x1b',
  '\\f': '\f',
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '\\v': '\v',
  '\\\\': '\\',
  "\\'": "'",
  '\\"': '"',
  '\\?': '?',
};

/**
 * Splits a command into words as a POSIX shell does, with the `$'…'` and `$"…"` of bash, from
 * `start` up to the end of the command. Nothing is expanded.
 *
 * @throws {MopError} `usage` for a quote or an expansion that is not closed.
 */
export function shellWords(text: string, start: number): ShellWords {
  const reader = new ShellReader(text, start);
  const words: string[] = [];
  for (let word = reader.nextWord(); word !== undefined; word = reader.nextWord()) words.push(word);
  return { words, expansions: [...reader.expansions] };
}

class ShellReader {
  readonly expansions = new Set<string>();
  readonly #text: string;
  #at: number;
  #ended = false;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
  }

  /** Undefined at the end of the command. */
  nextWord(): string | undefined {
    /** Undefined before its first character: `''` is a word too. */
    let word: string | undefined;
    while (!this.#ended && this.#at < this.#text.length) {
      if (this.#match(BLANKS) !== undefined) {
        if (word !== undefined) return word;
      } else if (word === undefined && this.#match(COMMENT) !== undefined) {
        this.#ended = true;
      } else if (this.#match(OPERATOR) !== undefined) {
        this.#ended = true;
        // `2>` belongs to the redirection.
        const isRedirection = /[<>]/.test(this.#text[this.#at - 1] ?? '');
        if (isRedirection && /^\d$/.test(word ?? '')) word = undefined;
      } else if (this.#match(LINE_END) !== undefined) {
        this.#ended = true;
      } else if (this.#match(CONTINUATION) === undefined) {
        word = (word ?? '') + this.#piece();
      }
    }
    return word;
  }

  /** A part of a word that is quoted in one way. */
  #piece(): string {
    const plain = this.#match(PLAIN);
    if (plain !== undefined) return plain;
    if (this.#isAt("'")) return this.#singleQuoted();
    if (this.#isAt('"')) return this.#doubleQuoted(1);
    if (this.#isAt("$'")) return this.#ansiC();
    if (this.#isAt('$"')) return this.#doubleQuoted(2);
    if (this.#isAt('\\')) {
      this.#at++;
      return this.#character();
    }
    return this.#expansion() ?? this.#character();
  }

  #singleQuoted(): string {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end === -1) throw this.#unclosed('a single quote', this.#at);
    const content = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return content;
  }

  #ansiC(): string {
    const opening = this.#at;
    this.#at += 2;
    for (const special = /['\\]/g; ; ) {
      special.lastIndex = this.#at;
      const found = special.exec(this.#text);
      if (found === null) throw this.#unclosed("a $' quote", opening);
      this.#at = found.index + (found[0] === '\\' ? 2 : 1);
      if (found[0] === "'") return ansiCText(this.#text.slice(opening + 2, found.index));
    }
  }

  /** @param opening How many characters open it. */
  #doubleQuoted(opening: number): string {
    this.#at += opening;
    const start = this.#at - 1;
    let content = '';
    for (;;) {
      content += this.#match(PLAIN_IN_QUOTES) ?? '';
      if (this.#at >= this.#text.length) throw this.#unclosed('a double quote', start);
      if (this.#isAt('"')) break;
      if (this.#match(CONTINUATION) !== undefined) continue;
      if (this.#isAt('\\')) {
        const next = this.#text[this.#at + 1] ?? '';
        content += '$`"\\'.includes(next) ? next : `\\${next}`;
        this.#at += 2;
      } else {
        content += this.#expansion() ?? this.#character();
      }
    }
    this.#at++;
    return content;
  }

  #expansion(): string | undefined {
    const opening = this.#at;
    const end = this.#expansionEnd();
    if (end === undefined) return undefined;
    if (end === 0) {
      const start = this.#text.slice(opening, opening + 2);
      throw this.#unclosed(`an expansion (${start})`, opening);
    }
    this.#at = end;
    const token = this.#text.slice(opening, end);
    this.expansions.add(token);
    return token;
  }

  /** Where the expansion at this place ends; 0 when it is not closed, undefined for none. */
  #expansionEnd(): number | undefined {
    if (this.#isAt('`')) return this.#text.indexOf('`', this.#at + 1) + 1;
    if (this.#isAt('${')) return this.#text.indexOf('}', this.#at) + 1;
    if (this.#isAt('$(')) return closingParenthesis(this.#text, this.#at) + 1;
    return this.#match(PARAMETER) === undefined ? undefined : this.#at;
  }

  #character(): string {
    this.#at++;
    return this.#text[this.#at - 1] ?? '';
  }

  #isAt(start: string): boolean {
    return this.#text.startsWith(start, this.#at);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token !== undefined) this.#at += token.length;
    return token;
  }

  #unclosed(what: string, from: number): MopError {
    return curlError(
      `${what} is not closed, from ${lineAndColumn(this.#text, from)}`,
      'copy the whole command, with its last line',
    );
  }
}

/** The text of `$'…'` in bash. */
function ansiCText(content: string): string {
  let result = '';
  let bytes: number[] = [];
  const endBytes = (): void => {
    if (bytes.length === 0) return;
    result += utf8Text(Uint8Array.from(bytes), "what the escapes of a $'…' stand for", 'curl');
    bytes = [];
  };
  for (const [token] of content.matchAll(ANSI_C_TOKEN)) {
    // \xHH and \NNN are bytes, and several of them one character.
    if (/^\\x./.test(token)) bytes.push(Number.parseInt(token.slice(2), 16));
    else if (/^\\[0-7]/.test(token)) bytes.push(Number.parseInt(token.slice(1), 8) & 0xff);
    else {
      endBytes();
      result += ansiCCharacter(token);
    }
  }
  endBytes();
  if (result.isWellFormed()) return result;
  throw curlError("an escape of a $'…' is half of a surrogate pair", 'write the character itself');
}

function ansiCCharacter(token: string): string {
  if (/^\\[uU]./.test(token)) {
    const code = Number.parseInt(token.slice(2), 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    throw curlError(`${shown(token)} is no character`, 'write the character itself');
  }
  if (/^\\c./s.test(token)) {
    return token === '\\c?' ? '\x7f' : String.fromCharCode(token.charCodeAt(2) & 0x1f);
  }
  return ANSI_C_ESCAPES[token] ?? token;
}

/** The offset of the `)` that closes the `$(` at `from`; -1 when there is none. */
function closingParenthesis(text: string, from: number): number {
  const parenthesis = /[()]/g;
  parenthesis.lastIndex = from;
  let depth = 0;
  for (;;) {
    const found = parenthesis.exec(text);
    if (found === null) return -1;
    depth += found[0] === '(' ? 1 : -1;
    if (depth === 0) return found.index;
  }
}
