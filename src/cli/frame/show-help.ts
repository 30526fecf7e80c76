import { listed, MopError, own, quoted } from '../../errors.ts';
import type { Context } from '../context/context.ts';
import type { Command } from './command.ts';
import { readCommand, readTree, type TreeCommand } from './command-tree.ts';

/**
 * Prints the help of a command.
 *
 * @param words Its name, word by word; none for the program.
 * @throws {MopError} `usage` when there is no such command.
 */
export async function printCommandHelp(
  words: readonly string[],
  program: Command,
  context: Context,
): Promise<void> {
  const command = words.reduce<Command>((parent, word, i) => {
    return childOf(parent, word, [program.name(), ...words.slice(0, i)].join(' '));
  }, program);
  if (context.output.json) await context.output.document(commandDocument(command));
  else await printHelp(command, context);
}

async function printHelp(command: Command, { io, output }: Context): Promise<void> {
  command.translation = output.translation;
  command.configureOutput({
    // Longer lines are hard to read.
    getOutHelpWidth: () => Math.min(io.stdout.columns || 80, 100),
    getOutHasColors: () => output.coloured('stdout'),
  });
  await output.data(command.helpInformation());
}

/** A command as data; for the program, all commands and the global options. */
function commandDocument(command: Command): Record<string, unknown> {
  const document = ({ exitCodes, ...rest }: TreeCommand) => ({ ...rest, exit_codes: exitCodes });
  if (command.parent) return document(readCommand(command));
  const tree = readTree(command);
  const { topics } = command.content;
  return { ...tree, commands: tree.commands.map(document), topics };
}

/** @throws {MopError} `usage` when no command has that name. */
function childOf(parent: Command, word: string, path: string): Command {
  const children = parent.createHelp().visibleCommands(parent) as Command[];
  const child = children.find((command) => command.name() === word);
  if (child) return child;
  const names = [...children.map((command) => command.name()), ...parent.content.topics];
  const subject = parent.parent ? `${path} has no command` : 'there is no command or topic';
  throw new MopError('usage', `${subject} ${JSON.stringify(word)}`, {
    hint:
      names.length > 0
        ? quoted`choose one of ${listed(names)}`
        : quoted`${own(path)} --help shows its arguments and options`,
    unknown: { word, names },
  });
}
