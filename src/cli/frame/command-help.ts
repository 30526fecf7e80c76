import { type Command as CommanderCommand, Help, type Option } from 'commander';
import { type FailureCode, listed, quoted } from '../../errors.ts';
import { keyedStyles } from '../context/style.ts';
import type { Translation } from '../context/translation.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';

/** Failures of every command: bad arguments, unwritable output, a signal, a bug. */
const COMMON_FAILURES: readonly FailureCode[] = [
  'failure',
  'usage',
  'io',
  'interrupted',
  'terminated',
];

const GLOBAL_OPTIONS_NOTE = 'Global options, such as --env and --json: mop --help';

/** The help of a command, except its description, arguments and options. */
export interface HelpText {
  /** Paragraphs, separated by empty lines. One with two consecutive spaces keeps its line breaks. */
  readonly notes?: string;
  /** Complete command lines; a test runs them. */
  readonly examples: readonly string[];
  /** The failures of this command, in addition to {@link COMMON_FAILURES}. */
  readonly failures?: readonly FailureCode[];
}

/** The properties of our commands that their help uses. */
interface Documented extends CommanderCommand {
  readonly helpText: HelpText;
  readonly content: { readonly topics: readonly string[] };
}

/** The help of a command: commander's text, then notes, examples and exit codes. */
export class CommandHelp extends Help {
  /** Half of commander's default, for narrow terminals. */
  override minWidthToWrap = 20;
  readonly #translation: Translation | undefined;

  constructor(translation?: Translation) {
    super();
    this.#translation = translation;
  }

  /** Lists commands without their arguments, which their own help shows. */
  override subcommandTerm(command: CommanderCommand): string {
    return command.name();
  }

  /** Only the help of the program lists `--help`. */
  override visibleOptions(command: CommanderCommand): Option[] {
    const options = super.visibleOptions(command);
    return command.parent ? options.filter((option) => command.options.includes(option)) : options;
  }

  override styleUsage(usage: string): string {
    const indent = ' '.repeat('Usage: '.length);
    const width = (this.helpWidth ?? 80) - indent.length;
    const shown = usage.replace(/\[(?:options|command)\]/g, (part) => this.#text(part));
    return this.boxWrap(shown, width).replaceAll('\n', `\n${indent}`);
  }

  override styleTitle(title: string): string {
    return keyedStyles(`\u001b[1m${this.#translation?.word(title) ?? title}\u001b[22m`);
  }

  override styleDescriptionText(text: string): string {
    return this.#text(text);
  }

  override displayWidth(text: string): number {
    return this.#translation?.width(text) ?? super.displayWidth(text);
  }

  override boxWrap(text: string, width: number): string {
    return this.#translation?.wrap(text, width) ?? super.boxWrap(text, width);
  }

  #text(text: string): string {
    return this.#translation?.text(text) ?? text;
  }

  /** A paragraph, or the lines of a list or a table. */
  #paragraph(text: string): string {
    return text.includes('\n') ? (this.#translation?.rows(text) ?? text) : this.#text(text);
  }

  /**
   * Wraps a command or a row of a table at words. The further lines of a row are below its second
   * column, unless that is too far to the right.
   */
  #wrapLine(line: string, width: number): string {
    if (this.displayWidth(line) <= width) return line;
    const start = line.search(/\S/);
    const gap = line.slice(start).search(/ {2}/);
    const term = gap < 0 ? '' : line.slice(0, start + gap);
    const rest = line.slice(term.length).trimStart();
    const column = line.length - rest.length;
    const wrapped = (indent: string): string =>
      this.boxWrap(rest, width - indent.length).replaceAll('\n', `\n${indent}`);
    if (column > width / 2) {
      const indent = ' '.repeat(Math.min(start, 2) + 4);
      return `${term}${term && '\n'}${indent}${wrapped(indent)}`;
    }
    const hanging = gap < 0 ? start && start + 4 : column;
    return line.slice(0, column) + wrapped(' '.repeat(hanging));
  }

  override formatHelp(command: Documented, helper: CommandHelp): string {
    const width = this.helpWidth ?? 80;
    const { notes = '', examples, failures } = command.helpText;
    const isGroup = failures === undefined && command.commands.length > 0;
    // The underscore keeps a code and its name on one line.
    const codes = exitCodesOf(command.helpText).map(({ code, name }) => `${code}_${name}`);
    const exitCodes = isGroup
      ? 'mop help exit-codes'
      : (this.#translation?.list(codes) ?? codes.join(', '));
    const wrap = (text: string): string =>
      text
        .split('\n')
        .map((line) => this.#wrapLine(line, width))
        .join('\n');
    const commands = examples.map((line) => `  ${line}`);
    const sections = [
      wrap(super.formatHelp(command, helper).trimEnd()),
      ...paragraphs(notes)
        .map((paragraph) => this.#paragraph(paragraph))
        .map((text) => wrap(text.includes('\n') ? text : this.boxWrap(text, width))),
      // In a terminal of 80 columns, a longer example stays one line, which can be copied.
      [this.styleTitle('Examples:'), ...(width < 80 ? commands.map(wrap) : commands)].join('\n'),
      this.boxWrap(`${this.styleTitle('Exit codes:')} ${exitCodes}`, width).replaceAll('_', ' '),
      this.boxWrap(this.#text(command.parent ? GLOBAL_OPTIONS_NOTE : topicsNote(command)), width),
    ];
    const text = `${sections.join('\n\n')}\n`;
    return this.#translation?.withoutSpaces(text) ?? text;
  }
}

function topicsNote({ content }: Documented): string {
  return quoted`Topics: ${listed(content.topics)} (mop help TOPIC)`;
}

/** The paragraphs of an indented text. Lists and tables keep their line breaks. */
export function paragraphs(text: string): string[] {
  const lines = text.replace(/^\s*\n/, '').split('\n');
  const indent = lines[0]?.search(/\S/) ?? 0;
  const dedented = lines.map((line) => line.slice(indent));
  return dedented
    .join('\n')
    .split('\n\n')
    .flatMap((paragraph) => {
      if (paragraph.trim() === '') return [];
      return paragraph.includes('  ') ? paragraph : paragraph.replaceAll('\n', ' ');
    });
}

/** The exit codes of a command, in ascending order. */
export function exitCodesOf({ failures = [] }: HelpText): { code: number; name: string }[] {
  return [
    { code: OK, name: 'ok' },
    ...[...COMMON_FAILURES, ...failures].map((name) => ({ code: EXIT_CODES[name], name })),
  ].sort((a, b) => a.code - b.code);
}
