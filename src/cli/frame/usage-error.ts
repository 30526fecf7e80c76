import type { CommanderError } from 'commander';
import { distance } from 'fastest-levenshtein';
import { MopError, own, quoted } from '../../errors.ts';
import { type Command, lineage, type ProgramContent } from './command.ts';
import { type CommandLine, readWords } from './command-line.ts';
import { buildProgram } from './program.ts';

/** The error to report for bad usage, with a suggestion if a similar name exists. */
export function usageError(
  error: MopError | CommanderError,
  argv: readonly string[],
  content: ProgramContent,
): MopError {
  const called = readWords(argv, buildProgram(content));
  const reported = error instanceof MopError ? error : fromCommander(error, called.command, argv);
  const { word = '', names = [] } = reported.details.unknown ?? {};
  // For a wrong option or value, do not suggest another command.
  const isAboutOption = /^(?:unknown option '|-)/.test(reported.message);
  const intended =
    intendedName(word, names) ?? (isAboutOption ? undefined : intendedCommand(called));
  if (intended === undefined) return reported;
  return new MopError(reported.code, reported.message, {
    ...reported.details,
    hint: quoted`did you mean ${own(intended)}?`,
  });
}

/** Commander's message for an invalid value. It ends with the choices, or with `It must be …` of mop. */
const INVALID_VALUE =
  /^(?:option '(?<flags>[^']*)' argument|value) '(?<value>.*)' is invalid(?: for argument '(?<argument>[^']*)')?\. (?:It must be (?<expected>.*)|Allowed choices are (?<choices>.*))\.$/s;

function fromCommander(error: CommanderError, command: Command, argv: readonly string[]): MopError {
  const text = error.message.replace(/^error: (?:command-argument )?/, '');
  const { flags, value, argument, expected, choices } = INVALID_VALUE.exec(text)?.groups ?? {};
  if (value !== undefined) {
    const name = flags === undefined ? `<${argument}>` : optionName(flags);
    const names = choices?.split(', ') ?? [];
    const message = `${name} must be ${expected ?? anyOf(names)}, not ${JSON.stringify(value)}`;
    const unknown = choices === undefined ? undefined : { word: value, names };
    return new MopError('usage', message, { hint: helpHint(command), unknown });
  }
  const [, option, isMissing] =
    /^(?:required )?option '(.*)' (?:(argument missing)|not specified)$/.exec(text) ?? [];
  const fault = isMissing ? 'needs a value' : 'is required';
  const message = option === undefined ? withoutValue(text) : `${optionName(option)} ${fault}`;
  return new MopError('usage', message, { hint: hintFor(text, command, argv) });
}

/** `-o, --out` for `-o, --out <path>`. */
function optionName(flags: string): string {
  return flags.replace(/ [<[].*$/, '');
}

function anyOf(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

function helpHint(command: Command): string {
  return quoted`run: ${own(pathOf(command))} --help`;
}

function hintFor(message: string, command: Command, argv: readonly string[]): string {
  if (/^too many arguments/.test(message) && argv.some((word) => SPLIT_BY_SHELL.test(word))) {
    return 'the shell split an argument: put it in single quotes, or use @FILE';
  }
  // The name of an option never contains a space.
  if (/^unknown option '[^=:]*\s/.test(message)) {
    return 'put -- before an argument that begins with -';
  }
  const [, option = ''] = /^unknown option '--([\w-]+)/.exec(message) ?? [];
  const near = intendedName(option, longOptions(command));
  return near === undefined ? helpHint(command) : quoted`did you mean --${near}?`;
}

/** The names of our options and values, by their names in other tools. */
const SYNONYMS: Readonly<Record<string, string | undefined>> = {
  since: 'from',
  start: 'from',
  until: 'to',
  end: 'to',
  days: 'last',
  output: 'out',
  dir: 'out',
  directory: 'out',
  environment: 'env',
  silent: 'quiet',
  cacert: 'ca-file',
  gbk: 'gb18030',
  gb2312: 'gb18030',
};

/** A part of an object without quotes: `{a:`, or `a:1`; not a whole object, and not an address. */
const SPLIT_BY_SHELL = /^[{[](?!.*[}\]]$)|^"?\w+"?:(?![\\/])/s;

/** The names of the options that a command accepts, without dashes. */
function longOptions(command: Command): string[] {
  return lineage(command)
    .flatMap((each) => each.createHelp().visibleOptions(each))
    .flatMap(({ long }) => long?.replace(/^--/, '') ?? []);
}

/** A message without the value of an unknown option, which may be a secret: `--secret=VALUE`. */
function withoutValue(message: string): string {
  return message.replace(/^(unknown (?:option|command) '(?:-[^-]|[\w-]*)).*/s, "$1'");
}

/**
 * The command that a user probably meant by the first word that is not one: the command with the most
 * similar name, or the commands of this name in the groups.
 */
function intendedCommand({ command, arguments: [word] }: CommandLine): string | undefined {
  if (word === undefined || word.startsWith('@')) return undefined;
  const near = closest(
    word,
    subcommands(command).map((each) => each.name()),
  );
  if (near !== undefined) return `${pathOf(command)} ${near}`;
  return command.parent ? undefined : commandsInGroups(command, word);
}

function subcommands({ commands }: Command): readonly Command[] {
  return commands as readonly Command[];
}

/** `mop bill fetch`. */
function pathOf(command: Command): string {
  return lineage(command)
    .map((each) => each.name())
    .join(' ');
}

/** `mop bill fetch` for `fetch`. */
function commandsInGroups(program: Command, name: string): string | undefined {
  const found = program.commands
    .filter((group) => group.commands.some((child) => child.name() === name))
    .map((group) => `mop ${group.name()} ${name}`);
  return found.length === 0 || name === 'help' ? undefined : found.join(' or ');
}

/** The name that a user probably meant. */
function intendedName(word: string, names: readonly string[]): string | undefined {
  const synonym = SYNONYMS[word.toLowerCase()];
  return synonym === undefined ? closest(word, names) : names.find((name) => name === synonym);
}

/** The closest name that a typing error can explain, else the name that the word abbreviates. */
function closest(word: string, names: readonly string[]): string | undefined {
  const edits = (name: string): number => distance(word.toLowerCase(), name.toLowerCase());
  const near = names.filter((name) => edits(name) <= maxEdits(word, name));
  const [nearest] = near.sort((a, b) => edits(a) - edits(b));
  return nearest ?? onlyCompletion(word, names);
}

/** The only name that begins with a word of three or more letters. */
function onlyCompletion(word: string, names: readonly string[]): string | undefined {
  const longer = word.length < 3 ? [] : names.filter((name) => name.startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

/**
 * The number of edits that a typing error explains: one. Two for words with the same letters in
 * another order, and for longer words with the same first letter.
 */
function maxEdits(word: string, name: string): number {
  if (sortedLetters(word) === sortedLetters(name)) return 2;
  const beginsAlike = word[0] === name[0];
  // A short word with another letter is a different word: csh is not a misspelt zsh.
  if (word.length <= 3) return beginsAlike ? 1 : 0;
  return word.length > 4 && beginsAlike ? 2 : 1;
}

function sortedLetters(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}
