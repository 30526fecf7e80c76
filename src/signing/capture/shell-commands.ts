import type { Command, HereDoc, PipelineNode, parse, Script, Word, WordPart } from 'unbash';
import { largest, withoutEnd } from '../../any-length.ts';
import type { MopError } from '../../errors.ts';
import { type CaptureFormat, captureFault, lineAndColumn, shown } from './captured-request.ts';

/** Standard input of a command: a text, a file, or the unknown output of another command. */
export type ShellInput =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly command: string };

/** A command of a pipeline, with its words as the shell passes them to the program. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly input: ShellInput | undefined;
  /** Expansions without a known value, such as `$KEY`. The words contain them unchanged. */
  readonly expansions: readonly string[];
  readonly notes: readonly string[];
}

interface Pipeline {
  readonly commands: readonly Command[];
  readonly source: string;
  /** The offset in the text after its end and its heredocs. */
  readonly end: number;
  /** An unclosed quote, expansion or heredoc, with its offset in the source. */
  readonly fault: { readonly pos: number; readonly error: MopError } | undefined;
}

/** The characters of a text that are parsed first. Most commands are shorter. */
const FIRST_LENGTH = 1000;
/** Maximum heredocs that begin in one line: the parser compares each with all others. */
const MAX_HEREDOCS = 1000;
const MAX_LENGTH = 5_000_000;

interface Shell {
  readonly format: CaptureFormat;
  readonly parse: typeof parse;
  /** The variables that the text assigns before a command, if their values are known. */
  readonly variables: Map<string, string>;
}

/** A text with commands of bash. The rest of it may be anything. */
export class ShellText {
  readonly text: string;
  readonly #isCut: boolean;
  readonly #shell: Shell;

  constructor(text: string, format: CaptureFormat, parser: typeof parse) {
    const trimmed = text.trimEnd();
    this.#isCut = trimmed.endsWith('\\');
    this.text = withShellLineEnds(this.#isCut ? trimmed.slice(0, -1) : text);
    this.#shell = { format, parse: parser, variables: new Map() };
    const crowded = this.text.includes('<<')
      ? this.text.split('\n').findIndex((line) => line.split('<<').length > MAX_HEREDOCS)
      : -1;
    if (crowded === -1) return;
    throw captureFault(format, 'crowded-line', [crowded + 1, MAX_HEREDOCS]);
  }

  /**
   * The pipeline at an offset, after `name` as the beginning of the command. Parses the first
   * characters, and more of them while the pipeline may continue.
   */
  pipelineAt(offset: number, name: string): Pipeline {
    const start = offset - name.length;
    for (let length = FIRST_LENGTH; ; length *= 8) {
      const isWhole = offset + length >= this.text.length;
      const source = name + this.text.slice(offset, offset + length);
      const { commands, errors = [] } = this.#parsed(source);
      const statement = commands[0]?.command;
      const node = statement?.type === 'AndOr' ? statement.commands[0] : statement;
      const found = node ? simpleCommands(node) : [];
      const docs = found.flatMap(heredocsOf);
      const end = largest(
        docs.map(({ closing }) => closing?.end ?? 0),
        node?.end,
      );
      const error = errors.find(({ pos }) => pos < (node?.end ?? 0));
      const open = docs.find(({ closing }) => closing === undefined);
      // An operator or a word after the pipeline ends it.
      if (!isWhole && (error || open || !/[^\s\\|]/.test(source.slice(end)))) continue;
      const fault = error
        ? this.#fault(error.pos, start, notClosed(error.message))
        : open &&
          this.#fault(
            open.pos,
            start,
            `the heredoc ${shown(open.delimiter?.value ?? '')} is not closed`,
          );
      return { commands: found, source, end: start + end, fault };
    }
  }

  #fault(pos: number, start: number, subject: string): Pipeline['fault'] {
    const place = lineAndColumn(this.text, start + pos);
    return {
      pos,
      error: captureFault(this.#shell.format, 'not-closed', [subject, place]),
    };
  }

  /** A command in `$(…)` ends at the parenthesis; its heredoc begins in the next line all the same. */
  #parsed(source: string): ReturnType<typeof parse> {
    const script = this.#shell.parse(source);
    const stray = script.errors?.find(({ message }) => message.startsWith('unexpected token'));
    if (stray === undefined || !source.includes('<<')) return script;
    const lineEnd = source.indexOf('\n', stray.pos);
    if (lineEnd === -1) return script;
    const blanks = ' '.repeat(lineEnd - stray.pos);
    return this.#shell.parse(source.slice(0, stray.pos) + blanks + source.slice(lineEnd));
  }

  /**
   * Sets the variables that a command assigns for the commands below it. Throws as {@link read}
   * does.
   */
  assign({ commands: [command], source, fault }: Pipeline): readonly [] {
    if (fault !== undefined) throw fault.error;
    const isDeclaration = /^(?:export|local|readonly|declare)$/.test(command?.name?.text ?? '');
    for (const item of command?.name && !isDeclaration ? [] : assignmentsOf(command)) {
      if (item.value.type !== 'Word') continue;
      const reader = new WordReader(this.#shell, source);
      const value = reader.textOf(item.value, true);
      if (reader.expansions.size > 0 || value.length > MAX_LENGTH)
        this.#shell.variables.delete(item.name);
      else this.#shell.variables.set(item.name, value);
    }
    return [];
  }

  writtenUpTo({ commands, source }: Pipeline, index: number): string {
    const written = commands
      .slice(0, index + 1)
      .flatMap((command) => [
        source.slice(command.pos, command.end),
        ...heredocsOf(command).map(({ body }) => body.text),
      ]);
    return written.join('\n');
  }

  /**
   * @throws {MopError} `usage` for an unclosed quote, expansion or heredoc, or an invalid escape.
   */
  read({ commands, source, end, fault }: Pipeline, index: number): ShellCommand {
    if (fault && fault.pos < (commands[index]?.end ?? 0)) throw fault.error;
    const reader = new WordReader(this.#shell, source);
    const { words, input } = reader.read(commands, index);
    if (this.#isCut && end >= this.text.trimEnd().length) {
      reader.notes.push('the command ends with a backslash: lines after it may be missing');
    }
    return { words, input, expansions: [...reader.expansions], notes: reader.notes };
  }
}

/**
 * A text with the line ends of bash: a copied text may have CR LF, or blanks after the end of a
 * heredoc. A line end in quotes remains.
 */
function withShellLineEnds(text: string): string {
  const heredocs = new Set(
    Array.from(text.matchAll(/<<-?[ \t]*['"\\]?(\w+)/g), ([, word = '']) => word),
  );
  const joined = text.replace(/([\\|&])\r\n/g, '$1\n');
  if (heredocs.size === 0) return joined;
  return joined
    .split('\n')
    .map((line) => (line.includes('<<') || heredocs.has(line.trim()) ? line.trimEnd() : line))
    .join('\n');
}

/** A message of the parser, such as "unterminated single quote", as a clause. */
function notClosed(message: string): string {
  const open = /^unterminated (.*)/.exec(message)?.[1];
  if (open === undefined) return `it is not bash (${message})`;
  return `${/^a/i.test(open) ? 'an' : 'a'} ${open} is not closed`;
}

function simpleCommands(node: PipelineNode): readonly Command[] {
  const commands = node.type === 'Pipeline' ? node.commands : [node];
  return commands.flatMap((each) => (each.type === 'Command' ? [each] : []));
}

function heredocsOf({ redirects }: Command): readonly HereDoc[] {
  return redirects.filter((each) => each.type === 'HereDoc');
}

function assignmentsOf(command: Command | undefined) {
  const items = [...(command?.prefix ?? []), ...(command?.suffix ?? [])];
  return items.filter((item) => item.type === 'Assignment');
}

class WordReader {
  readonly expansions = new Set<string>();
  readonly notes: string[] = [];
  readonly #shell: Shell;
  readonly #source: string;

  constructor(shell: Shell, source: string) {
    this.#shell = shell;
    this.#source = source;
  }

  read(commands: readonly Command[], index: number): Pick<ShellCommand, 'words' | 'input'> {
    const command = commands[index];
    const words = [command?.name, ...(command?.args ?? [])]
      .filter((word) => word?.type === 'Word')
      .filter(({ text }) => text !== '\r')
      .map((word) => this.textOf(word, false));
    const input = command && this.#redirected(command);
    return { words, input: input ?? (index > 0 ? this.#output(commands, index - 1) : undefined) };
  }

  /** @param isOneWord Whether the shell does not split the value of a variable in it. */
  textOf({ parts, value, end }: Word, isOneWord: boolean): string {
    return parts ? this.#text(parts, isOneWord) : this.#withoutReturn(value, end);
  }

  #text(parts: readonly WordPart[], inQuotes: boolean): string {
    return parts.map((part) => this.#part(part, inQuotes)).join('');
  }

  #part(part: WordPart, inQuotes: boolean): string {
    switch (part.type) {
      case 'Literal':
        return inQuotes ? part.value : this.#withoutReturn(part.value, part.end);
      case 'SingleQuoted':
      case 'Glob':
        return part.value;
      case 'AnsiCQuoted':
        return this.#decoded(part.text, part.value);
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#text(part.parts, true);
      case 'BraceExpansion':
        return part.parts ? `{${this.#text(part.parts, inQuotes)}}` : part.text;
      case 'ExtendedGlob':
        return part.text;
      default: {
        const value = this.#expanded(part);
        // Without quotes the shell would split the value or expand it as a pattern.
        if (value !== undefined && (inQuotes || !/[\s*?[]/.test(value))) return value;
        this.expansions.add(part.text);
        return part.text;
      }
    }
  }

  /** Without the CR of a line that ends with CR LF. */
  #withoutReturn(value: string, end: number): string {
    return this.#source[end] === '\n' ? value.replace(/\r$/, '') : value;
  }

  /** @throws {MopError} `usage` for escapes of bytes or surrogates that are not characters. */
  #decoded(written: string, parsed: string): string {
    // The parser drops a backslash before a line end; bash keeps both.
    const kept = written.replace(/\\(.)/gs, (pair, next) => (next === '\n' ? '\\\\\n' : pair));
    const value = kept === written ? parsed : this.#unquoted(kept);
    const lostBytes = value.includes('\ufffd') && !/\ufffd|\\u0*fffd/i.test(written);
    if (value.isWellFormed() && !lostBytes) return value;
    throw captureFault(this.#shell.format, 'no-character');
  }

  #expanded(part: WordPart): string | undefined {
    if (part.type === 'CommandExpansion') return part.script && this.#substituted(part.script);
    const name = /^\$\{?(\w+)\}?$/.exec(part.text)?.[1];
    return name === undefined ? undefined : this.#shell.variables.get(name);
  }

  #substituted({ commands: [statement, ...others] }: Script): string | undefined {
    const command = statement?.command;
    if (command === undefined || command.type === 'AndOr' || others.length > 0) return undefined;
    const commands = simpleCommands(command);
    const output = this.#output(commands, commands.length - 1);
    return 'text' in output ? withoutEnd(output.text, '\n') : undefined;
  }

  #redirected({ redirects }: Command): ShellInput | undefined {
    const last = redirects.findLast(({ operator }) => operator.startsWith('<'));
    if (last?.type === 'HereDoc') return { text: this.#heredoc(last) };
    const target = last?.target ? this.textOf(last.target, true) : '';
    if (last?.operator === '<') return { path: target };
    return last?.operator === '<<<' ? { text: `${target}\n` } : undefined;
  }

  #heredoc({ operator, delimiter, body }: HereDoc): string {
    if (!delimiter?.quoted && /\\[\\$`\r\n]/.test(body.text)) {
      this.notes.push(
        `the shell changed backslashes in the heredoc; <<'${delimiter?.value}' keeps them`,
      );
    }
    const unescaped = (): string =>
      body.text.replace(/\\([\\$`\n])/g, (_, escaped) => escaped.trim());
    const text = delimiter?.quoted
      ? body.text
      : body.parts
        ? this.#text(body.parts, true)
        : unescaped();
    return operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
  }

  /** The output of `echo`, `printf` or `cat`. The output of any other command is unknown. */
  #output(commands: readonly Command[], index: number): ShellInput {
    const { words, input } = this.read(commands, index);
    const [path = '', ...values] = words;
    const program = path.slice(path.lastIndexOf('/') + 1);
    if (program === 'echo') return { text: this.#echoed(values) };
    const output = program === 'printf' ? this.#formatted(values) : undefined;
    if (output !== undefined) return { text: output };
    const [file = '-', ...others] = values;
    if (program === 'cat' && others.length === 0 && (file === '-' || !file.startsWith('-'))) {
      if (file !== '-') return { path: file };
      if (input) return input;
    }
    const { pos = 0, end = 0 } = commands[index] ?? {};
    return { command: this.#source.slice(pos, end) };
  }

  #echoed(words: readonly string[]): string {
    const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const options = words.slice(0, first === -1 ? undefined : first).join('');
    const text = first === -1 ? '' : words.slice(first).join(' ');
    if (!/[eE]/.test(options) && /\\[\\abefnrtv0]/.test(text)) {
      this.notes.push(
        'the backslashes of echo were read as in bash; zsh and dash replace escapes such as \\n',
      );
    }
    // echo keeps the backslash before a quote.
    const escaped = text.replace(/\\./gs, (each) => (/["'?]$/.test(each) ? `\\${each}` : each));
    const end = options.includes('n') ? '' : '\n';
    return (/e[^E]*$/.test(options) ? this.#unescaped(escaped) : text) + end;
  }

  /** The output of `printf`; undefined for conversions other than `%s`. */
  #formatted(words: readonly string[]): string | undefined {
    const [pattern = '', ...values] = words[0] === '--' ? words.slice(1) : words;
    const parts: readonly string[] = pattern.match(/%.?|[^%]+/gs) ?? [];
    if (parts.some((part) => part.startsWith('%') && !/^%[%s]$/.test(part))) return undefined;
    const places = parts.filter((part) => part === '%s').length;
    // The pattern is repeated until all values are used.
    const rounds = places === 0 ? 1 : Math.max(1, Math.ceil(values.length / places));
    const rest = values.values();
    let text = '';
    for (let round = 0; round < rounds; round++) {
      for (const part of parts) {
        if (part === '%s') text += rest.next().value ?? '';
        else text += part === '%%' ? '%' : this.#unescaped(part);
      }
    }
    return text;
  }
  #unescaped(text: string): string {
    const content = text.replace(/(\\.)|'/gs, (_, escaped) => escaped ?? "\\'");
    return this.#unquoted(`$'${content}'`);
  }

  #unquoted(quoted: string): string {
    const command = this.#shell.parse(quoted).commands[0]?.command;
    return command?.type === 'Command' && command.name ? this.textOf(command.name, true) : quoted;
  }
}
