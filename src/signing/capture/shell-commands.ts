import type { Command, HereDoc, parse } from 'unbash';
import { largest } from '../../any-length.ts';
import type { MopError } from '../../errors.ts';
import { type CaptureFormat, captureFault, lineAndColumn, shown } from './captured-request.ts';
import { type Shell, type ShellCommand, simpleCommands, WordReader } from './shell-words.ts';

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

function heredocsOf({ redirects }: Command): readonly HereDoc[] {
  return redirects.filter((each) => each.type === 'HereDoc');
}

function assignmentsOf(command: Command | undefined) {
  const items = [...(command?.prefix ?? []), ...(command?.suffix ?? [])];
  return items.filter((item) => item.type === 'Assignment');
}
