import type { Command, HereDoc, PipelineNode, parse, Script, Word, WordPart } from 'unbash';
import { withoutEnd } from '../../any-length.ts';
import { type CaptureFormat, captureFault } from './captured-request.ts';

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

export interface Shell {
  readonly format: CaptureFormat;
  readonly parse: typeof parse;
  /** The variables that the text assigns before a command, if their values are known. */
  readonly variables: Map<string, string>;
}

export function simpleCommands(node: PipelineNode): readonly Command[] {
  const commands = node.type === 'Pipeline' ? node.commands : [node];
  return commands.flatMap((each) => (each.type === 'Command' ? [each] : []));
}

export class WordReader {
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
