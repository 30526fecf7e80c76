import type { MopError } from '../../errors.ts';
import { captureError, lineAndColumn, shown } from './capture-error.ts';
import type { CaptureFormat } from './captured-request.ts';
import { utf8Text } from './decoding.ts';

/** Standard input of a command: a text, a file, or the unknown output of another command. */
export type ShellInput =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly command: string };

export type ShellVariables = ReadonlyMap<string, string>;

export interface ShellWords {
  readonly words: readonly string[];
  /** The end of the command, including its heredoc. */
  readonly end: number;
  /** Undefined without `<`, `<<<` or a heredoc. */
  readonly input: ShellInput | undefined;
  /** Expansions without a known value, such as `$KEY`. The words contain them unchanged. */
  readonly expansions: readonly string[];
  /** Warnings about characters that the shell removes. */
  readonly notes: readonly string[];
}

/** The words of a command before its heredoc is read. */
export interface ShellLine {
  readonly words: readonly string[];
  /** The offset after its last word and the following operator or line end. */
  readonly end: number;
  /** @throws {MopError} `usage` for an unclosed heredoc, or an unclosed expansion in it. */
  readonly withInput: () => ShellWords;
}

const BLANKS = /[ \t]+/y;
const LINE_END = /\r?\n/y;
const CONTINUATION = /\\\r?\n|\\$/y;
const COMMENT = /#[^\n]*/y;
const OPERATOR = /[|&;()]/y;
const REDIRECTION = /<<<|<<-?|<>|[<>]&|>>|>\||[<>](?!\()/y;
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
 * Splits a command into words like a POSIX shell, with the `$'…'` and `$"…"` of bash. Reads from
 * `start` up to the end of the command. Expands only the given variables.
 *
 * @throws {MopError} `usage` for an unclosed quote, expansion or heredoc, or an invalid escape.
 */
export function shellWords(
  text: string,
  start: number,
  format: CaptureFormat = 'curl',
  variables: ShellVariables = new Map(),
): ShellWords {
  return shellLine(text, start, format, variables).withInput();
}

/**
 * Reads the words of a command; `withInput` then reads its heredoc.
 *
 * @throws {MopError} `usage` for an unclosed quote or expansion, or an invalid escape.
 */
export function shellLine(
  text: string,
  start: number,
  format: CaptureFormat,
  variables: ShellVariables,
): ShellLine {
  const reader = new ShellReader(text, start, format, variables);
  const words: string[] = [];
  for (let word = reader.nextWord(); word !== undefined; word = reader.nextWord()) words.push(word);
  const withInput = (): ShellWords => {
    const input = reader.readInput();
    const { at: end, notes } = reader;
    return { words, end, input, expansions: [...reader.expansions], notes };
  };
  return { words, end: reader.at, withInput };
}

interface Heredoc {
  /** The line that ends it. */
  readonly end: string;
  /** Whether expansion is disabled in it. */
  readonly quoted: boolean;
  /** Whether leading tabs of its lines are removed. */
  readonly indented: boolean;
}

class ShellReader {
  readonly expansions = new Set<string>();
  readonly notes: string[] = [];
  readonly #text: string;
  readonly #format: CaptureFormat;
  readonly #variables: ShellVariables;
  readonly #isHeredoc: boolean;
  #at: number;
  #ended = false;
  #input: ShellInput | undefined;
  #heredoc: Heredoc | undefined;

  /** @param isHeredoc Whether the text is the content of a heredoc. Positions then count from it. */
  constructor(
    text: string,
    start: number,
    format: CaptureFormat,
    variables: ShellVariables,
    isHeredoc = false,
  ) {
    this.#text = text;
    this.#at = start;
    this.#format = format;
    this.#variables = variables;
    this.#isHeredoc = isHeredoc;
  }

  get at(): number {
    return this.#at;
  }

  /** Reads the redirected input. Call it after the words are read: a heredoc follows their line. */
  readInput(): ShellInput | undefined {
    return this.#heredoc ? { text: this.#heredocText(this.#heredoc) } : this.#input;
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
      } else if ((word === undefined || isDigit(word)) && this.#redirect()) {
        // `2>` belongs to the redirection.
        word = undefined;
      } else if (word !== undefined && this.#isNext(REDIRECTION)) {
        return word;
      } else if (this.#match(OPERATOR) !== undefined || this.#match(LINE_END) !== undefined) {
        this.#ended = true;
      } else if (this.#match(CONTINUATION) === undefined) {
        word = (word ?? '') + this.#piece();
      }
    }
    return word;
  }

  /** Reads a redirection, if one begins here, and stores its source of input. */
  #redirect(): boolean {
    const operator = this.#match(REDIRECTION);
    if (operator === undefined) return false;
    this.#match(BLANKS);
    const start = this.#at;
    const target = this.nextWord() ?? '';
    const quoted = /['"\\]/.test(this.#text.slice(start, this.#at));
    if (operator === '<') this.#input = { path: target };
    if (operator === '<<<') this.#input = { text: `${target}\n` };
    if (operator.startsWith('<<') && operator !== '<<<') {
      this.#heredoc = { end: target, quoted, indented: operator === '<<-' };
    }
    return true;
  }

  /** The content of the heredoc. */
  #heredocText({ end, quoted, indented }: Heredoc): string {
    const atLineEnd = this.#text[this.#at - 1] === '\n';
    const start = atLineEnd ? this.#at : this.#text.indexOf('\n', this.#at) + 1;
    const lines: string[] = [];
    for (let from = start; from > 0 && from < this.#text.length; ) {
      const newline = this.#text.indexOf('\n', from);
      const to = newline === -1 ? this.#text.length : newline;
      const whole = this.#text.slice(from, to);
      const line = indented ? whole.replace(/^\t+/, '') : whole;
      from = to + 1;
      // The shell requires the exact line, but a copied text may have CR LF or trailing blanks.
      if (line.trimEnd() === end) {
        this.#at = Math.min(from, this.#text.length);
        const text = lines.join('');
        return quoted ? text : this.#unquotedHeredoc(text, end);
      }
      lines.push(`${line}\n`);
    }
    throw captureError(
      this.#format,
      `the heredoc that ends with ${shown(end)} is missing or was cut`,
      `copy the command with the lines below it, up to the line ${end}`,
    );
  }

  #unquotedHeredoc(text: string, end: string): string {
    if (/\\[\\$`\r\n]/.test(text)) {
      this.notes.push(`the shell changed backslashes in the heredoc; <<'${end}' keeps them`);
    }
    const reader = new ShellReader(text, 0, this.#format, this.#variables, true);
    const content = reader.#textUpTo(undefined);
    for (const expansion of reader.expansions) this.expansions.add(expansion);
    return content;
  }

  /** A part of a word with one kind of quoting. */
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
    return this.#expansion(false) ?? this.#character();
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
      if (found[0] === "'") {
        return ansiCText(this.#text.slice(opening + 2, found.index), this.#format);
      }
    }
  }

  /** @param openingLength 1 for `"`, 2 for `$"`. */
  #doubleQuoted(openingLength: number): string {
    this.#at += openingLength;
    const start = this.#at - 1;
    const content = this.#textUpTo('"');
    if (this.#at >= this.#text.length) throw this.#unclosed('a double quote', start);
    this.#at++;
    return content;
  }

  /** Text in which `$` and backticks expand, up to a quote, or to the end for a heredoc. */
  #textUpTo(quote: '"' | undefined): string {
    const escapable = quote === undefined ? '$`\\' : '$`\\"';
    let content = '';
    while (this.#at < this.#text.length) {
      const plain = this.#match(PLAIN_IN_QUOTES);
      if (plain !== undefined) content += plain;
      else if (quote !== undefined && this.#isAt(quote)) break;
      else if (this.#match(CONTINUATION) !== undefined) continue;
      else if (this.#isAt('\\')) {
        const next = this.#text[this.#at + 1] ?? '';
        content += escapable.includes(next) ? next : `\\${next}`;
        this.#at += 2;
      } else {
        content += this.#expansion(true) ?? this.#character();
      }
    }
    return content;
  }

  /** The value of an expansion at this place, or its own text; undefined if none begins here. */
  #expansion(inQuotes: boolean): string | undefined {
    const opening = this.#at;
    const end = this.#expansionEnd();
    if (end === undefined) return undefined;
    if (end === 'unclosed') {
      const start = this.#text.slice(opening, opening + 2);
      throw this.#unclosed(`an expansion (${start})`, opening);
    }
    this.#at = end;
    const token = this.#text.slice(opening, end);
    const value = this.#variables.get(/^\$\{?(\w+)\}?$/.exec(token)?.[1] ?? '');
    // Without quotes the shell would split the value or expand it as a pattern.
    if (value !== undefined && (inQuotes || !/[\s*?[]/.test(value))) return value;
    this.expansions.add(token);
    return token;
  }

  /** The end of the expansion at this place; undefined if none begins here. */
  #expansionEnd(): number | 'unclosed' | undefined {
    let close: number;
    if (this.#isAt('`')) close = this.#text.indexOf('`', this.#at + 1);
    else if (this.#isAt('${')) close = this.#text.indexOf('}', this.#at);
    else if (this.#isAt('$(') || this.#isAt('<(') || this.#isAt('>(')) {
      close = closingParenthesis(this.#text, this.#at);
    } else {
      return this.#match(PARAMETER) === undefined ? undefined : this.#at;
    }
    return close === -1 ? 'unclosed' : close + 1;
  }

  #character(): string {
    this.#at++;
    return this.#text[this.#at - 1] ?? '';
  }

  #isAt(start: string): boolean {
    return this.#text.startsWith(start, this.#at);
  }

  #isNext(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token !== undefined) this.#at += token.length;
    return token;
  }

  #unclosed(subject: string, from: number): MopError {
    const place = lineAndColumn(this.#text, from);
    return captureError(
      this.#format,
      `${subject} is not closed, from ${place}${this.#isHeredoc ? ' of the heredoc' : ''}`,
      'copy the whole command, with its last line',
    );
  }
}

/**
 * Whether a word is one digit. The length is checked first: the regular expression would copy a
 * long concatenated word on each call.
 */
function isDigit(word: string): boolean {
  return word.length === 1 && /\d/.test(word);
}

/** The text of `$'…'` in bash. */
export function ansiCText(content: string, format: CaptureFormat): string {
  let result = '';
  let bytes: number[] = [];
  const endBytes = (): void => {
    if (bytes.length === 0) return;
    result += utf8Text(Uint8Array.from(bytes), "the text of a $'…'", format);
    bytes = [];
  };
  for (const [token] of content.matchAll(ANSI_C_TOKEN)) {
    // \xHH and \NNN are bytes; several of them may form one character.
    if (/^\\x./.test(token)) bytes.push(Number.parseInt(token.slice(2), 16));
    else if (/^\\[0-7]/.test(token)) bytes.push(Number.parseInt(token.slice(1), 8) & 0xff);
    else {
      endBytes();
      result += ansiCCharacter(token, format);
    }
  }
  endBytes();
  const half = /\p{Surrogate}/u.exec(result)?.[0];
  if (half === undefined) return result;
  throw captureError(
    format,
    `\\u${half.charCodeAt(0).toString(16)} in a $'…' is half of a surrogate pair`,
    'write the character itself',
  );
}

function ansiCCharacter(token: string, format: CaptureFormat): string {
  if (/^\\[uU]./.test(token)) {
    const code = Number.parseInt(token.slice(2), 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    throw captureError(format, `${shown(token)} is not a character`, 'write the character itself');
  }
  if (/^\\c./s.test(token)) {
    return token === '\\c?' ? '\x7f' : String.fromCharCode(token.charCodeAt(2) & 0x1f);
  }
  return ANSI_C_ESCAPES[token] ?? token;
}

/** The offset of the `)` that closes the first `(` from `from` on; -1 when it is missing. */
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
