import { MopError } from '../../errors.ts';
import { utf8Bytes } from '../bytes.ts';
import type { Header } from '../header-mode.ts';
import { type CapturedRequest, captureFault, lineAndColumn, shown } from './captured-request.ts';
import { CommandFiles } from './command-files.ts';
import { type CaptureReader, statementEntries } from './source.ts';

/** A text, a hash table, or the reason why the value of a variable is unknown. */
type Value = string | Table | MopError;
type Table = readonly (readonly [name: string, value: Value])[];
type Parameters = Map<string, Value>;

const NAMES = 'Invoke-WebRequest|Invoke-RestMethod|iwr|irm';
const COMMAND = new RegExp(`(?<![\\w$-])(?:${NAMES})(?=[ \\t\`])`, 'i');
/** `$a = …`, `$a["b"] = …` and `$a.Add("b", …)`. */
const ASSIGNMENT = new RegExp(
  `^[ \\t]*\\$(\\w+)(?:[ \\t]*=(?![=]|[ \\t]*\\(?(?:${NAMES})\\b)|(\\[|\\.Add\\())`,
  'im',
);
const STATEMENT = new RegExp(`${ASSIGNMENT.source}|${COMMAND.source}`, 'gim');
const BLANKS = /(?:[ \t]+|`\r?\n|#[^\n]*)+/y;
const SEPARATORS = /(?:[\s;]+|`\r?\n|#[^\n]*)+/y;
const COMMAND_END = /[\r\n;|)}]|$/y;
const CASTS = /(?:\[(?:string|pscustomobject|ordered|hashtable)\]\s*)+/iy;
/** An operator or a method, whose result is unknown. */
const OPERATION = /[ \t]*(?:\+|-f[ \t]|-replace|-join|\.\w)/iy;
const EXPANSION =
  /`(\r\n|.)|"(")|\$\(\[char\]\s*(\d{1,5}|0x[\da-f]{1,4})\)|\$(?:(\w+)|\{(\w+)\}|(?=\())/gis;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '0': '\0', a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};
const CONSTANTS: Parameters = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', ''],
]);

/** The parameters that are read. Any other is skipped with its value. */
const PARAMETERS = ['body', 'contenttype', 'form', 'headers', 'infile', 'method', 'uri'];
/** Parameters that are not read and have no value. */
const SWITCH =
  /^(?:use(?:basic|default)|skip|pass|allow|disable|noproxy|preserve|resume|followrel|debug|verbose)/i;
const MAX_DEPTH = 100;
const MAX_LENGTH = 20_000_000;

/** Reads `Invoke-WebRequest` and `Invoke-RestMethod`, as browsers copy them and in scripts. */
export const POWERSHELL_COMMAND: CaptureReader = {
  format: 'powershell',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(COMMAND) !== -1,
  read: (capture, readFile) => {
    const text = capture.textAs('powershell');
    const files = new CommandFiles('powershell', readFile);
    const variables: Parameters = new Map(CONSTANTS);
    return statementEntries(text, STATEMENT, (statement) => {
      const [, variable, member] = statement.found;
      const reader = new PowerShellReader(text, statement.start, variables);
      try {
        if (variable === undefined) {
          const parameters = reader.parameters();
          return [() => requestOf(parameters, files)];
        }
        const name = variable.toLowerCase();
        if (member !== undefined) reader.addMember(name);
        else variables.set(name, reader.assigned());
        statement.isUnreadable = variables.get(name) instanceof MopError;
        return [];
      } finally {
        statement.end = reader.at;
      }
    });
  },
};

async function requestOf(parameters: Parameters, files: CommandFiles): Promise<CapturedRequest> {
  const type = textOf(parameters, 'contenttype');
  const headers = headersOf(parameters.get('headers') ?? []);
  if (type !== undefined) headers.push(['Content-Type', type]);
  if (parameters.has('form')) throw unreadable('a -Form cannot be read');
  const file = textOf(parameters, 'infile');
  const body = textOf(parameters, 'body') ?? '';
  const bytes = file === undefined ? utf8Bytes(body) : await files.bytes(file, '-InFile');
  return {
    format: 'powershell',
    method: textOf(parameters, 'method')?.toUpperCase() ?? 'GET',
    url: textOf(parameters, 'uri'),
    headers,
    ...files.content(bytes, headers),
  };
}

function headersOf(table: Value): Header[] {
  if (!isTable(table)) throw unreadable('-Headers is not a hash table');
  return table.map(([name, value]): Header => {
    if (typeof value === 'string') return [name, value];
    throw value instanceof MopError ? value : unreadable(`the header ${shown(name)} is a table`);
  });
}

function isTable(value: Value | undefined): value is Table {
  return Array.isArray(value);
}

function textOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters.get(name);
  if (value === undefined || typeof value === 'string') return value;
  if (value instanceof MopError) throw value;
  throw unreadable(`-${name} is a hash table, which PowerShell sends as a form`);
}

function unreadable(subject: string): MopError {
  return captureFault('powershell', 'unreadable-parameter', [subject]);
}

function parameterName(written: string): string | undefined {
  return PARAMETERS.find((parameter) => parameter.startsWith(written.toLowerCase()));
}

class PowerShellReader {
  at: number;
  readonly #text: string;
  readonly #variables: Parameters;
  #depth = 0;

  constructor(text: string, at: number, variables: Parameters) {
    this.#text = text;
    this.at = at;
    this.#variables = variables;
  }

  parameters(): Parameters {
    const parameters: Parameters = new Map();
    for (;;) {
      this.#take(BLANKS);
      if (this.#take(COMMAND_END)) return parameters;
      const start = this.at;
      const [, splatted] = this.#take(/@(\w+)/y) ?? [];
      const [written, flag = 'uri'] = this.#take(/-([A-Za-z]+):?/y) ?? [];
      const name = parameterName(flag);
      this.#take(BLANKS);
      if (splatted !== undefined) {
        for (const [key, value] of this.#splatted(splatted, start)) {
          parameters.set(parameterName(key) ?? '', value);
        }
      } else if (written !== undefined && this.#isNext(/-[A-Za-z]|[\r\n;|)}]|$/y)) {
        if (name === undefined) continue;
        throw this.#failure(`the command ends after ${written}, which takes a value`, this.at);
      } else if (name !== undefined) {
        parameters.set(name, this.value());
      } else if (!SWITCH.test(flag) && !this.#take(/\$\w+(?:[.:]\w+)*/y)) {
        // Any variable is accepted here, even one without a known value.
        this.value();
      }
    }
  }

  #splatted(name: string, start: number): Table {
    const table = this.#variable(name, start);
    if (isTable(table)) return table;
    throw this.#failure(`@${name} is not a hash table`, start);
  }

  assigned(): Value {
    try {
      return this.value();
    } catch (error) {
      if (error instanceof MopError) return error;
      throw error;
    }
  }

  /** Adds a member to the table of a variable, after `[` or `.Add(`. */
  addMember(variable: string): void {
    const table = this.#variables.get(variable);
    const name = this.assigned();
    this.#take(/[ \t]*(?:,|\][ \t]*=)/y);
    if (!isTable(table) || typeof name !== 'string') return;
    this.#variables.set(variable, [...table, [name, this.assigned()]]);
  }

  /** @throws {MopError} `usage` for a value that is not in the text. */
  value(): Value {
    this.#take(BLANKS);
    const start = this.at;
    if (++this.#depth > MAX_DEPTH) throw this.#failure('it is nested too deeply', start);
    const value = this.#operand(start);
    this.#depth--;
    if (this.#isNext(/\s*\|\s*ConvertTo-Json/iy)) {
      throw this.#failure('the output of ConvertTo-Json is not in the command', start);
    }
    if (this.#isNext(OPERATION)) throw this.#unknown(start);
    return value;
  }

  #operand(start: number): Value {
    this.#take(CASTS);
    const [, quote] = this.#take(/@(["'])[ \t]*\r?\n/y) ?? [];
    if (quote !== undefined) return this.#hereString(quote, start);
    if (this.#take(/New-Object[^\n]{0,200}Dictionary[^\n]*/iy)) return [];
    if (this.#take(/"/y)) return this.#quoted(/`.|""|"/gs, 'a double quote', start);
    if (this.#take(/'/y)) return this.#quoted(/''|'/g, 'a single quote', start);
    if (this.#take(/@\{/y)) return this.#hashTable(start);
    if (this.#take(/(?:\[(?:System\.)?Text\.Encoding\]::UTF8\.GetBytes\s*)?\(/iy)) {
      const value = this.value();
      this.#take(SEPARATORS);
      if (this.#take(/\)/y)) return value;
      throw this.#unknown(start);
    }
    const [, variable] = this.#take(/\$(\w+)(?![\w.[:])/y) ?? [];
    if (variable !== undefined) return this.#variable(variable, start);
    const [word] = this.#take(/(?![$[@])[^\s'"`;|(){},]+/y) ?? [];
    if (word !== undefined) return word;
    throw this.#unknown(start);
  }

  #variable(name: string, start: number): Value {
    const value = this.#variables.get(name.toLowerCase());
    if (value === undefined) throw this.#unknown(start);
    if (value instanceof MopError) throw value;
    return value;
  }

  #hereString(quote: string, start: number): string {
    const closing = new RegExp(`\\r?\\n${quote}@`, 'g');
    const from = this.at;
    // An empty here-string closes at the line end that opens it.
    closing.lastIndex = from - 2;
    const end = closing.exec(this.#text);
    if (end === null) throw this.#failure('a here-string is not closed', start);
    this.at = closing.lastIndex;
    const content = this.#text.slice(from, Math.max(end.index, from));
    return quote === "'" ? content : this.#expanded(content, from, '""');
  }

  /** A text up to its closing quote. @param token Escapes, and last the quote. */
  #quoted(token: RegExp, name: string, start: number): string {
    const from = this.at;
    token.lastIndex = from;
    let found = token.exec(this.#text);
    while (found !== null && found[0].length > 1) found = token.exec(this.#text);
    if (found === null) throw this.#failure(`${name} is not closed`, start);
    this.at = token.lastIndex;
    const content = this.#text.slice(from, found.index);
    return found[0] === "'" ? content.replaceAll("''", "'") : this.#expanded(content, from, '"');
  }

  #expanded(content: string, from: number, doubledQuote: string): string {
    let length = content.length;
    return content.replace(EXPANSION, (_, escaped, doubled, code, name, braced, offset) => {
      if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
      if (doubled !== undefined) return doubledQuote;
      if (code !== undefined) return String.fromCharCode(Number(code));
      const variable = name ?? braced;
      const value = variable === undefined ? undefined : this.#variable(variable, from + offset);
      if (typeof value !== 'string') throw this.#unknown(from + offset);
      length += value.length;
      if (length <= MAX_LENGTH) return value;
      throw this.#failure('its variables expand to a text that is too long', from + offset);
    });
  }

  #hashTable(start: number): Table {
    const members: (readonly [string, Value])[] = [];
    for (;;) {
      this.#take(SEPARATORS);
      if (this.#take(/\}/y)) return members;
      if (this.at >= this.#text.length) throw this.#failure('a hash table is not closed', start);
      const name = this.#take(/[\w-]+(?=\s*=)/y)?.[0] ?? this.value();
      this.#take(BLANKS);
      if (typeof name !== 'string' || !this.#take(/=/y)) throw this.#unknown(this.at);
      members.push([name, this.value()]);
    }
  }

  #isNext(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.#text);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.#text) ?? undefined;
    if (token) this.at = pattern.lastIndex;
    return token;
  }

  #unknown(at: number): MopError {
    const rest = /^\S{1,40}/.exec(this.#text.slice(at, at + 40))?.[0] ?? '';
    const subject =
      rest === '' ? 'a value is missing' : `the value of ${shown(rest)} is not in the text`;
    return this.#failure(subject, at);
  }

  #failure(subject: string, at: number): MopError {
    return captureFault('powershell', 'unknown-value', [subject, lineAndColumn(this.#text, at)]);
  }
}
