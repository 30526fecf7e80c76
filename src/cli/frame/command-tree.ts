import { Help, type Option } from 'commander';
import { LEVELS } from '../../protocol/detection.ts';
import { BILL_PATH, DECODE_PATH, ESTIMATE_PATH, SYNC_PATH } from '../../protocol/operations.ts';
import { RESULT_CODES } from '../../protocol/result-codes.ts';
import { FAULT_NAMES } from '../../sandbox/faults.ts';
import { type Command, lineage } from './command.ts';
import { exitCodesOf, paragraphs } from './command-help.ts';

/** A value to complete. */
export interface Value {
  /** Its placeholder in the help. */
  readonly name: string;
  /**
   * The words to choose from, or the type of the value. `@file` is a text that may also be `@FILE`
   * or `key=@FILE`.
   */
  readonly kind: readonly string[] | 'file' | 'directory' | 'profile' | 'date' | '@file' | 'text';
  /** Whether other words are valid too. */
  readonly open?: boolean;
}

interface TreeArgument extends Value {
  readonly description: string;
  readonly variadic: boolean;
}

export interface TreeOption {
  /** Spellings, such as `-o` and `--out`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Its heading in the help. */
  readonly group: string;
  /** Undefined for an option without a value. */
  readonly value: Value | undefined;
}

export interface TreeCommand {
  /** The full name, such as `mop bill fetch`. */
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly TreeArgument[];
  /** Without the global options, which are in `CommandTree.globals`. */
  readonly options: readonly TreeOption[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Paragraphs. */
  readonly notes: readonly string[];
  readonly examples: readonly string[];
  readonly exitCodes: readonly { readonly code: number; readonly name: string }[];
}

/** All commands and options, as plain data. */
export interface CommandTree {
  readonly name: string;
  /** The global options. */
  readonly globals: readonly TreeOption[];
  /** Every command, the program itself first. */
  readonly commands: readonly TreeCommand[];
}

/** Reads the commands and options of a program. */
export function readTree(program: Command): CommandTree {
  const walk = (command: Command): TreeCommand[] => [
    readCommand(command),
    ...childrenOf(command).flatMap(walk),
  ];
  return {
    name: program.name(),
    globals: globalsOf(program).map(readOption),
    commands: walk(program),
  };
}

export function readCommand(command: Command): TreeCommand {
  // Our own help class omits --help.
  const help = new Help();
  const line = lineage(command);
  const [program] = line;
  const globals = globalsOf(program);
  const { notes = '', examples } = command.helpText;
  const own = help.visibleOptions(command).filter((option) => !globals.includes(option));
  return {
    path: line.map((each) => each.name()).join(' '),
    usage: help.commandUsage(command),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      ...readValue(
        argument.name(),
        argument.description,
        argument.argChoices ?? commandNames(argument.name(), program),
      ),
      description: argument.description,
      variadic: argument.variadic,
    })),
    options: own.map(readOption),
    commands: childrenOf(command).map((child) => ({
      name: child.name(),
      description: child.description(),
    })),
    notes: paragraphs(notes),
    examples,
    exitCodes: exitCodesOf(command.helpText),
  };
}

/** The names of the options that take a value. */
export function valuedNames(options: readonly Pick<TreeOption, 'names' | 'value'>[]): string[] {
  return options.filter(({ value }) => value).flatMap(({ names }) => names);
}

/** The subcommands that are listed in the help. */
export function childrenOf(command: Command): Command[] {
  return command.createHelp().visibleCommands(command) as Command[];
}

export function globalsOf(program: Command): Option[] {
  return program.options.filter(({ hidden, long }) => !hidden && long !== '--version');
}

export function readOption(option: Option): TreeOption {
  const { short, long, description, helpGroupHeading, argChoices } = option;
  const [, value] = /[<[](.+)[>\]]$/.exec(option.flags) ?? [];
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    group: helpGroupHeading?.replace(/:$/, '') ?? 'Options',
    value: value === undefined ? undefined : readValue(value, description, argChoices),
  };
}

/**
 * The type follows from the help. The placeholders `file`, `path` and `dir` are paths, also after a
 * dash (`<old-file>`). A value may be read from a file if its help mentions `@FILE` or `@PATH`.
 */
function readValue(
  name: string,
  description: string,
  choices: readonly string[] | undefined,
): Value {
  const words = WORDS[name];
  const [, path] = /(?:^|-)(file|path|dir)\b/.exec(name) ?? [];
  if (choices) return { name, kind: choices };
  if (words) return { name, kind: words, open: true };
  if (name === 'profile' || name === 'date') return { name, kind: name };
  if (path) return { name, kind: path === 'dir' ? 'directory' : 'file' };
  return { name, kind: /@(?:file|path)/i.test(name + description) ? '@file' : 'text' };
}

/** The words that `mop help` accepts: a command or a topic, then subcommands. */
function commandNames(argument: string, program: Command): string[] | undefined {
  const names = (commands: readonly Command[]): string[] => commands.map((child) => child.name());
  const children = childrenOf(program);
  if (argument === 'topic-or-command') return [...names(children), ...program.content.topics];
  if (argument === 'subcommand') return [...new Set(names(children.flatMap(childrenOf)))];
  return undefined;
}

/** Suggested words by placeholder. Other values are valid too. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  code: RESULT_CODES.map(({ code }) => String(code)),
  level: LEVELS,
  operation: [BILL_PATH, DECODE_PATH, ESTIMATE_PATH, SYNC_PATH],
  'digest-name': ['MD5', 'SHA-1', 'SHA-256', 'SHA-512', 'SM3'],
  'name[=value][:count]': FAULT_NAMES,
};
