import { utf8Text } from './body-text.ts';
import { captureError, place, shown } from './capture-error.ts';

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
  const words: string[] = [];
  const expansions = new Set<string>();
  let at = start;
  /** Undefined between words: `''` is a word too. */
  let word: string | undefined;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    if (token !== undefined) at += token.length;
    return token;
  };

  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };

  const unclosed = (what: string, from: number) =>
    captureError(
      'curl',
      `${what} is not closed, from ${place(text, from)}`,
      'copy the whole command, with its last line',
    );

  const readSingleQuoted = (): string => {
    const end = text.indexOf("'", at + 1);
    if (end === -1) throw unclosed('a single quote', at);
    const content = text.slice(at + 1, end);
    at = end + 1;
    return content;
  };

  const readAnsiC = (): string => {
    const opening = at;
    at += 2;
    for (const special = /['\\]/g; ; ) {
      special.lastIndex = at;
      const found = special.exec(text);
      if (found === null) throw unclosed("a $' quote", opening);
      at = found.index + (found[0] === '\\' ? 2 : 1);
      if (found[0] === "'") return ansiCText(text.slice(opening + 2, found.index));
    }
  };

  const readExpansion = (): string | undefined => {
    const opening = at;
    if (text[at] === '`') at = text.indexOf('`', at + 1) + 1;
    else if (text.startsWith('${', at)) at = text.indexOf('}', at) + 1;
    else if (text.startsWith('$(', at)) at = closingParenthesis(text, at) + 1;
    else if (match(PARAMETER) === undefined) return undefined;
    if (at === 0) throw unclosed(`an expansion (${text.slice(opening, opening + 2)})`, opening);
    const token = text.slice(opening, at);
    expansions.add(token);
    return token;
  };

  const readDoubleQuoted = (): string => {
    const opening = at;
    let content = '';
    at++;
    for (;;) {
      content += match(PLAIN_IN_QUOTES) ?? '';
      const character = text[at];
      if (character === undefined) throw unclosed('a double quote', opening);
      if (character === '"') break;
      if (match(CONTINUATION) !== undefined) continue;
      if (character === '\\') {
        const next = text[at + 1] ?? '';
        content += '$`"\\'.includes(next) ? next : `\\${next}`;
        at += 2;
      } else {
        content += readExpansion() ?? readCharacter();
      }
    }
    at++;
    return content;
  };

  const readCharacter = (): string => {
    at++;
    return text[at - 1] ?? '';
  };

  const readPiece = (): string => {
    const plain = match(PLAIN);
    if (plain !== undefined) return plain;
    if (text[at] === "'") return readSingleQuoted();
    if (text[at] === '"') return readDoubleQuoted();
    if (text.startsWith("$'", at)) return readAnsiC();
    if (text.startsWith('$"', at)) {
      at++;
      return readDoubleQuoted();
    }
    if (text[at] === '\\') {
      at++;
      return readCharacter();
    }
    return readExpansion() ?? readCharacter();
  };

  while (at < text.length) {
    if (match(BLANKS) !== undefined) {
      endWord();
    } else if (word === undefined && match(COMMENT) !== undefined) {
      break;
    } else if (match(OPERATOR) !== undefined) {
      // `2>` belongs to the redirection.
      if (/[<>]/.test(text[at - 1] ?? '') && /^\d$/.test(word ?? '')) word = undefined;
      break;
    } else if (match(LINE_END) !== undefined) {
      break;
    } else if (match(CONTINUATION) === undefined) {
      word = (word ?? '') + readPiece();
    }
  }
  endWord();
  return { words, expansions: [...expansions] };
}

/** What `$'…'` stands for in bash. */
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
  throw captureError(
    'curl',
    "an escape of a $'…' is half of a surrogate pair",
    'write the character itself',
  );
}

function ansiCCharacter(token: string): string {
  if (/^\\[uU]./.test(token)) {
    const code = Number.parseInt(token.slice(2), 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    throw captureError('curl', `${shown(token)} is no character`, 'write the character itself');
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
