import { type Command as CommanderCommand, Help, type Option } from 'commander';
import type { ErrorCode } from '../../errors.ts';
import { TOPIC_NAMES } from '../commands/help/topic-names.ts';
import { EXIT_CODES, OK } from '../exit-codes.ts';
import type { Command } from './command.ts';

/** Every command can fail so: bad arguments, output that cannot be written, a signal, a bug. */
const COMMON_FAILURES: readonly ErrorCode[] = [
  'failure',
  'usage',
  'io',
  'interrupted',
  'terminated',
];

const GLOBAL_OPTIONS_NOTE =
  'Options that every command takes, such as --env and --json: mop --help';
const TOPICS_NOTE = `Topics: ${TOPIC_NAMES.join(', ')} (mop help TOPIC)`;

/** The help of a command: what commander shows, then notes, examples and exit codes. */
export class CommandHelp extends Help {
  /** Half of the usual: terminals beside an editor are narrow. */
  override minWidthToWrap = 20;

  /** The list of commands is for finding one; what it takes stands in its own help. */
  override subcommandTerm(command: CommanderCommand): string {
    return command.name();
  }

  /** `--help` is explained once, by the program. */
  override visibleOptions(command: CommanderCommand): Option[] {
    const options = super.visibleOptions(command);
    return command.parent ? options.filter((option) => command.options.includes(option)) : options;
  }

  override styleTitle(title: string): string {
    return `\u001b[1m${title}\u001b[22m`;
  }

  override formatHelp(command: Command, helper: CommandHelp): string {
    const width = this.helpWidth ?? 80;
    const { notes = '', examples } = command.explanation;
    // No line ends between a code and its name.
    const codes = exitCodesOf(command).map(({ code, name }) => `${code}_${name}`);
    const sections = [
      super.formatHelp(command, helper).trimEnd(),
      ...paragraphs(notes).map((text) => this.boxWrap(text, width)),
      [this.styleTitle('Examples:'), ...examples.map((line) => `  ${line}`)].join('\n'),
      this.boxWrap(`${this.styleTitle('Exit codes:')} ${codes.join(', ')}`, width).replaceAll(
        '_',
        ' ',
      ),
      this.boxWrap(command.parent ? GLOBAL_OPTIONS_NOTE : TOPICS_NOTE, width),
    ];
    return `${sections.join('\n\n')}\n`;
  }
}

/** The paragraphs of a text that is indented as its program is. Lists and tables keep their lines. */
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

/** With which codes a command can end, in order. A group of commands only shows its help. */
export function exitCodesOf({ explanation }: Command): { code: number; name: string }[] {
  const failures = [...COMMON_FAILURES, ...(explanation.failures ?? [])];
  return [
    { code: OK, name: 'ok' },
    ...failures.map((name) => ({ code: EXIT_CODES[name], name })),
  ].sort((a, b) => a.code - b.code);
}
