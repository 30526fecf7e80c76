import type { CommanderError } from 'commander';
import { distance } from 'fastest-levenshtein';
import { MopError } from '../errors.ts';
import type { Command } from './command.ts';
import { buildProgram } from './program.ts';

/** Bad usage as it is told: with what was probably meant, where that can be guessed. */
export async function usageError(
  error: MopError | CommanderError,
  argv: readonly string[],
): Promise<MopError> {
  const told = error instanceof MopError ? error : fromCommander(error);
  const { word = '', names = [] } = told.details.unknown ?? {};
  // A wrong option, or a wrong value of one, says nothing of the command.
  const isAboutOption = /^(?:unknown )?option '/.test(told.message);
  const meant = closest(word, names) ?? (isAboutOption ? undefined : await meantCommand(argv));
  if (meant === undefined) return told;
  return new MopError(told.code, told.message, { ...told.details, hint: `did you mean ${meant}?` });
}

function fromCommander({ message }: CommanderError): MopError {
  const [what = message, suggestion] = message.replace(/^error: /, '').split('\n');
  // What was given to an option that does not exist, such as --secret=VALUE, is not to be shown.
  const named = what.replace(/^(unknown option '[^=]*)=.*'$/, "$1'");
  const help = 'mop --help, or --help after a command, shows what there is';
  // No option has a space in it.
  const usual = /^unknown option '[^=]*\s/.test(what)
    ? 'put -- in front of a text that begins with -'
    : help;
  const [, meant] = /^\(Did you mean (.*)\?\)$/s.exec(suggestion ?? '') ?? [];
  const [, word, names] = /'([^']*)' is invalid.* Allowed choices are (.*)\.$/.exec(what) ?? [];
  return new MopError('usage', named, {
    hint: meant === undefined ? usual : `did you mean ${meant}?`,
    unknown:
      word === undefined || names === undefined ? undefined : { word, names: names.split(', ') },
  });
}

/** The command whose name has a mistake: commander takes its word for an argument of the one above. */
async function meantCommand(argv: readonly string[]): Promise<string | undefined> {
  const program = await buildProgram();
  const valued = program.options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ short, long }) => [short, long]);
  let path = program.name();
  let commands = program.commands as readonly Command[];
  for (const [i, word] of argv.entries()) {
    if (word.startsWith('@')) return undefined;
    if (word.startsWith('-') || (i > 0 && valued.includes(argv[i - 1]))) continue;
    const called = commands.find((command) => command.name() === word);
    if (!called) {
      const near = closest(
        word,
        commands.map((command) => command.name()),
      );
      return near === undefined ? undefined : `${path} ${near}`;
    }
    path += ` ${word}`;
    commands = called.commands as readonly Command[];
  }
  return undefined;
}

/** The name that somebody may have meant; undefined when none is near. */
function closest(word: string, names: readonly string[]): string | undefined {
  const edits = (name: string): number => distance(word.toLowerCase(), name.toLowerCase());
  const near = names.filter((name) => edits(name) <= Math.ceil(name.length / 3));
  return near.sort((a, b) => edits(a) - edits(b))[0];
}
