import { MopError } from '../../errors.ts';
import type { Header } from '../header-mode.ts';
import { captureError, lineAndColumn, shown } from './capture-error.ts';
import type { CapturedRequest } from './captured-request.ts';
import { CommandFiles } from './command-files.ts';
import { readContent } from './content.ts';
import {
  type CaptureEntry,
  type CaptureReader,
  MAX_UNREADABLE,
  mentionsSignature,
  readsOrFailure,
} from './source.ts';

/** A text, a hash table, or the reason why the value of a variable is unknown. */
type Value = string | Table | MopError;
type Table = readonly (readonly [name: string, value: Value])[];
type Variables = Map<string, Value>;

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
const WORD = /[^\s'"`;|(){},]+/y;
const UTF8_BYTES = /\[(?:System\.)?Text\.Encoding\]::UTF8\.GetBytes\s*\(/iy;
const CAST = /\[(?:string|pscustomobject|ordered|hashtable)\]\s*/iy;
const QUOTED_TOKEN = /[^"$`]+|""|`(?:\r\n|.)|\$\(\[char\]\s*(\d{1,5}|0x[\da-f]{1,4})\)|\$/isy;
const ESCAPES: Readonly<Record<string, string>> = {
  '`0': '\0',
  '`a': '\x07',
  '`b': '\b',
  '`e': '\x1b',
  '`f': '\f',
  '`n': '\n',
  '`r': '\r',
  '`t': '\t',
  '`v': '\v',
};

/** The parameters that are read. Any other is skipped with its value. */
const PARAMETERS = ['body', 'contenttype', 'form', 'headers', 'infile', 'method', 'uri'] as const;
const MAX_DEPTH = 100;
/** Maximum length of a text after expansion of variables. */
const MAX_LENGTH = 20_000_000;

type Parameter = (typeof PARAMETERS)[number];

/** Reads `Invoke-WebRequest` and `Invoke-RestMethod`, as browsers copy them and in scripts. */
export const POWERSHELL_COMMAND: CaptureReader = {
  format: 'powershell',
  isFormat: ({ head }) => !/^[{[<]/.test(head) && head.search(COMMAND) !== -1,
  read: (capture, readFile) => {
    const text = capture.textAs('powershell');
    const files = new CommandFiles('powershell', readFile);
    const variables: Variables = new Map();
    const entries: CaptureEntry[] = [];
    let failures = 0;
    STATEMENT.lastIndex = 0;
    for (
      let found = STATEMENT.exec(text);
      found && failures < MAX_UNREADABLE;
      found = STATEMENT.exec(text)
    ) {
      const start = STATEMENT.lastIndex;
      const [, variable, member] = found;
      const reader = new PowerShellReader(text, start, variables);
      if (variable === undefined) {
        const { reads, failed } = readsOrFailure(() => {
          const parameters = reader.parameters();
          return [() => requestOf(parameters, files)];
        });
        const looksSigned = mentionsSignature(text.slice(start, reader.at));
        // As arguments of push, many requests would overflow the stack.
        for (const read of reads) entries.push({ looksSigned, read });
        if (failed) failures++;
      } else if (member === undefined) {
        const value = reader.assigned();
        if (value instanceof MopError) failures++;
        variables.set(variable.toLowerCase(), value);
      } else {
        reader.addMember(variable.toLowerCase());
      }
      STATEMENT.lastIndex = reader.at;
    }
    return entries;
  },
};

async function requestOf(
  parameters: ReadonlyMap<Parameter, Value>,
  files: CommandFiles,
): Promise<CapturedRequest> {
  const type = textOf(parameters, 'contenttype');
  const headers = headersOf(parameters.get('headers') ?? []);
  if (type !== undefined) headers.push(['Content-Type', type]);
  if (parameters.has('form')) throw unreadable('a -Form cannot be read');
  const file = textOf(parameters, 'infile');
  const body = textOf(parameters, 'body') ?? '';
  const bytes =
    file === undefined ? new TextEncoder().encode(body) : await files.bytes(file, '-InFile');
  return {
    format: 'powershell',
    method: textOf(parameters, 'method')?.toUpperCase() ?? 'GET',
    url: textOf(parameters, 'uri'),
    headers,
    ...readContent(bytes, headers, 'powershell'),
  };
}

function headersOf(table: Value): Header[] {
  if (!isTable(table)) throw unreadable('-Headers is not a hash table');
  return table.map(([name, value]): Header => {
    if (typeof value === 'string') return [name, value];
    throw value instanceof MopError ? value : unreadable(`the header ${shown(name)} is a table`);
  });
}

function isTable(value: Value): value is Table {
  return Array.isArray(value);
}

function textOf(parameters: ReadonlyMap<Parameter, Value>, name: Parameter): string | undefined {
  const value = parameters.get(name);
  if (value === undefined || typeof value === 'string') return value;
  if (value instanceof MopError) throw value;
  throw unreadable(`-${name} is a hash table, which PowerShell sends as a form`);
}

function unreadable(subject: string): MopError {
  return captureError('powershell', subject, 'put the text that was sent into -Body "…"');
}

class PowerShellReader {
  readonly #text: string;
  readonly #variables: Variables;
  #at: number;
  #depth = 0;

  constructor(text: string, at: number, variables: Variables) {
    this.#text = text;
    this.#at = at;
    this.#variables = variables;
  }

  get at(): number {
    return this.#at;
  }

  /** The parameters of a command, up to its end. */
  parameters(): ReadonlyMap<Parameter, Value> {
    const parameters = new Map<Parameter, Value>();
    for (;;) {
      this.#match(BLANKS);
      if (this.#match(/[\r\n;|)}]|$/y) !== undefined) return parameters;
      const splatted = this.#match(/@(\w+)/y);
      if (splatted !== undefined) {
        this.#splat(splatted.slice(1), parameters);
        continue;
      }
      const written = this.#match(/-[A-Za-z]+:?/y);
      if (written === undefined) {
        parameters.set('uri', this.value());
        continue;
      }
      const name = parameterName(written);
      this.#match(BLANKS);
      const isSwitch = this.#isNext(/-[A-Za-z]|[\r\n;|)}]|$/y);
      if (name !== undefined && isSwitch) {
        throw this.#failure(`the command ends after ${written}, which takes a value`, this.#at);
      }
      if (name !== undefined) parameters.set(name, this.value());
      else if (!isSwitch && takesValue(written)) this.#skipValue();
    }
  }

  /** The value assigned to a variable, or the reason why it is unknown. */
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
    this.#match(/[ \t]*(?:,|\][ \t]*=)/y);
    if (table === undefined || !isTable(table) || typeof name !== 'string') return;
    this.#variables.set(variable, [...table, [name, this.assigned()]]);
  }

  /**
   * @throws {MopError} `usage` for a value that is not in the text; the message names the variable.
   */
  value(): Value {
    this.#match(BLANKS);
    const start = this.#at;
    if (++this.#depth > MAX_DEPTH) throw this.#failure('it is nested too deeply', start);
    const value = this.#operand(start);
    this.#depth--;
    if (this.#isNext(/\s*\|\s*ConvertTo-Json/iy)) {
      throw this.#failure('the output of ConvertTo-Json is not in the command', start);
    }
    if (this.#isNext(/[ \t]*(?:\+|-f[ \t]|-replace|-join|\.\w)/iy)) throw this.#unknown(start);
    return value;
  }

  #operand(start: number): Value {
    while (this.#match(CAST) !== undefined);
    if (this.#match(/New-Object[^\n]*Dictionary[^\n]*/iy) !== undefined) return [];
    const hereString = this.#hereString();
    if (hereString !== undefined) return hereString;
    if (this.#match(/"/y) !== undefined) return this.#doubleQuoted(start);
    if (this.#match(/'/y) !== undefined) return this.#singleQuoted(start);
    if (this.#match(/@\{/y) !== undefined) return this.#hashTable(start);
    if (this.#match(UTF8_BYTES) !== undefined || this.#match(/\(/y) !== undefined) {
      return this.#closed(this.value(), start);
    }
    const variable = this.#match(/\$\w+/y);
    if (variable !== undefined && !this.#isNext(/[.[:]/y)) return this.#variable(variable, start);
    const word = this.#match(WORD);
    if (word !== undefined && !/^[$[@]/.test(word) && variable === undefined) return word;
    throw this.#unknown(start);
  }

  /** Any variable is accepted here, even one without a known value. */
  #skipValue(): void {
    if (this.#match(/\$\w+(?:[.:]\w+)*/y) === undefined) this.value();
  }

  #variable(name: string, start: number): Value {
    const constant = { $true: 'true', $false: 'false', $null: '' }[name.toLowerCase()];
    const value = constant ?? this.#variables.get(name.slice(1).toLowerCase());
    if (value === undefined) throw this.#unknown(start);
    if (value instanceof MopError) throw value;
    return value;
  }

  #splat(name: string, parameters: Map<Parameter, Value>): void {
    const table = this.#variable(`$${name}`, this.#at - name.length - 1);
    if (!isTable(table)) throw this.#failure(`@${name} is not a hash table`, this.#at);
    for (const [key, value] of table) {
      const parameter = parameterName(`-${key}`);
      if (parameter !== undefined) parameters.set(parameter, value);
    }
  }

  #closed(value: Value, start: number): Value {
    this.#match(SEPARATORS);
    if (this.#match(/\)/y) !== undefined) return value;
    throw this.#unknown(start);
  }

  #hereString(): string | undefined {
    const start = this.#at;
    const opening = this.#match(/@(["'])[ \t]*\r?\n/y);
    if (opening === undefined) return undefined;
    const quote = opening.charAt(1);
    const closing = new RegExp(`\\r?\\n${quote}@`, 'g');
    // An empty here-string closes at the line end that opens it.
    closing.lastIndex = this.#at - 2;
    const end = closing.exec(this.#text);
    if (end === null) throw this.#failure('a here-string is not closed', start);
    const content = this.#text.slice(this.#at, Math.max(end.index, this.#at));
    this.#at = end.index + end[0].length;
    if (quote === "'") return content;
    return new PowerShellReader(content, 0, this.#variables).#tokens(true);
  }

  #doubleQuoted(start: number): string {
    const text = this.#tokens(false);
    if (this.#match(/"/y) !== undefined) return text;
    throw this.#failure('a double quote is not closed', start);
  }

  /** Text with escapes and variables, up to a quote, or to the end of a here-string. */
  #tokens(inHereString: boolean): string {
    let text = '';
    for (;;) {
      const at = this.#at;
      QUOTED_TOKEN.lastIndex = at;
      const [token, code] = QUOTED_TOKEN.exec(this.#text) ?? [];
      if (token === undefined && inHereString && this.#match(/"/y)) {
        text += '"';
        continue;
      }
      if (token === undefined) return text;
      this.#at += token.length;
      if (code !== undefined) text += String.fromCharCode(Number(code));
      else if (token === '""') text += inHereString ? token : '"';
      else if (token.startsWith('`')) text += ESCAPES[token] ?? token.slice(1);
      else if (token === '$') text += this.#interpolated(at);
      else text += token;
      if (text.length > MAX_LENGTH)
        throw this.#failure('its variables expand to a text that is too long', at);
    }
  }

  /** The value of a `$` expression in a text. */
  #interpolated(start: number): string {
    const name = this.#match(/\w+|\{\w+\}/y)?.replace(/[{}]/g, '');
    if (name === undefined && !this.#isNext(/\(/y)) return '$';
    if (name === undefined) throw this.#unknown(start);
    const value = this.#variable(`$${name}`, start);
    if (typeof value === 'string') return value;
    throw this.#unknown(start);
  }

  #singleQuoted(start: number): string {
    const token = /''|'/g;
    for (token.lastIndex = this.#at; ; ) {
      const found = token.exec(this.#text);
      if (found === null) throw this.#failure('a single quote is not closed', start);
      if (found[0] === "''") continue;
      const content = this.#text.slice(this.#at, found.index).replaceAll("''", "'");
      this.#at = token.lastIndex;
      return content;
    }
  }

  #hashTable(start: number): Table {
    const members: (readonly [string, Value])[] = [];
    for (;;) {
      this.#match(SEPARATORS);
      if (this.#match(/\}/y) !== undefined) return members;
      if (this.#at >= this.#text.length) throw this.#failure('a hash table is not closed', start);
      const name = this.#match(/[\w-]+(?=\s*=)/y) ?? this.value();
      this.#match(BLANKS);
      if (typeof name !== 'string' || this.#match(/=/y) === undefined)
        throw this.#unknown(this.#at);
      members.push([name, this.value()]);
    }
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

  #unknown(at: number): MopError {
    const rest = /^\S{1,40}/.exec(this.#text.slice(at, at + 40))?.[0] ?? '';
    const subject =
      rest === '' ? 'a value is missing' : `the value of ${shown(rest)} is not in the text`;
    return this.#failure(subject, at);
  }

  #failure(subject: string, at: number): MopError {
    return captureError(
      'powershell',
      `${subject} (${lineAndColumn(this.#text, at)})`,
      'copy the whole command, and replace variables with the values that were sent',
    );
  }
}

/** The parameter with this name, which may be abbreviated. */
function parameterName(written: string): Parameter | undefined {
  const name = written.slice(1).replace(/:$/, '').toLowerCase();
  return PARAMETERS.find((parameter) => parameter.startsWith(name));
}

/** Whether a parameter that is not read is followed by a value; the others are switches. */
function takesValue(written: string): boolean {
  return !/^-(?:use(?:basic|default)|skip|pass|allow|disable|noproxy|preserve|resume|followrel|debug|verbose)/i.test(
    written,
  );
}
