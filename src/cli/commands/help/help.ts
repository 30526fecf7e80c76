import { MopError } from '../../../errors.ts';
import type { Context } from '../../context/context.ts';
import type { Choose, Command } from '../../frame/command.ts';
import type { TreeCommand } from '../../frame/tree.ts';
import { TOPIC_NAMES, type TopicName } from './topic-names.ts';

export function register(help: Command, choose: Choose): void {
  help
    .argument('[topic-or-command]', 'a topic, or a command as it is typed')
    .argument('[subcommand...]', 'the rest of its name')
    .explain({
      notes: `
        Topics: ${TOPIC_NAMES.join(', ')}. The query language has topics of its own: mop gql help.`,
      examples: ['mop help exit-codes', 'mop help scheduling', 'mop help bill fetch'],
    })
    .action((first: string | undefined, rest: readonly string[], _: unknown, command: Command) =>
      choose(command, (context) => runHelp(first, rest, context)),
    );
}

async function runHelp(
  first: string | undefined,
  rest: readonly string[],
  context: Context,
): Promise<void> {
  const topic = TOPIC_NAMES.find((name) => name === first);
  if (topic === undefined)
    return explainCommand(first === undefined ? [] : [first, ...rest], context);
  if (rest.length === 0) return explainTopic(topic, context);
  throw new MopError('usage', `the topic ${topic} has no parts`, { hint: `mop help ${topic}` });
}

/**
 * Prints the help of a command.
 *
 * @param words Its name, word by word; none for the program.
 * @throws {MopError} `usage` when there is no such command.
 */
export async function explainCommand(words: readonly string[], context: Context): Promise<void> {
  const { buildProgram } = await import('../../frame/program.ts');
  const program = await buildProgram();
  const command = words.reduce<Command>((parent, word, i) => {
    return childOf(parent, word, [program.name(), ...words.slice(0, i)].join(' '));
  }, program);
  if (context.output.json) await context.output.document(await commandDocument(command));
  else await printHelp(command, context);
}

/**
 * Shows the help of a command of a program of which only a part may be loaded.
 *
 * @param words What was typed besides options: its name, and what follows.
 * @throws {MopError} `usage` when what follows a group is no command of it.
 */
export async function showHelp(
  command: Command,
  words: readonly string[],
  context: Context,
): Promise<void> {
  const name = wordsOf(command);
  const isGroup = command.registeredArguments.length === 0;
  if (isGroup && words.length > name.length) await explainCommand(words, context);
  else if (context.output.json) await explainCommand(name, context);
  else await printHelp(command, context);
}

function wordsOf(command: Command): string[] {
  return command.parent ? [...wordsOf(command.parent as Command), command.name()] : [];
}

async function printHelp(command: Command, { io, output }: Context): Promise<void> {
  command.configureOutput({
    // Lines that are longer are hard to read.
    getOutHelpWidth: () => Math.min(io.stdout.columns || 80, 100),
    getOutHasColors: () => output.coloured('stdout'),
  });
  await output.data(command.helpInformation());
}

/** A command as data; of the program all commands, with the options that they share. */
async function commandDocument(command: Command): Promise<Record<string, unknown>> {
  const { readCommand, readTree } = await import('../../frame/tree.ts');
  const document = ({ exitCodes, ...rest }: TreeCommand) => ({
    ...rest,
    exit_codes: exitCodes,
  });
  if (command.parent) return document(readCommand(command));
  const tree = readTree(command);
  return { ...tree, commands: tree.commands.map(document), topics: TOPIC_NAMES };
}

/** @throws {MopError} `usage` for a word that names nothing. */
function childOf(parent: Command, word: string, path: string): Command {
  const children = parent.createHelp().visibleCommands(parent) as Command[];
  const child = children.find((command) => command.name() === word);
  if (child) return child;
  const names = children.map((command) => command.name());
  if (!parent.parent) names.push(...TOPIC_NAMES);
  const what = parent.parent ? `${path} has no command` : 'no command and no topic is called';
  throw new MopError('usage', `${what} ${JSON.stringify(word)}`, {
    hint: names.length > 0 ? `there are ${names.join(', ')}` : `${path} --help shows what it takes`,
    unknown: { word, names },
  });
}

async function explainTopic(topic: TopicName, { output }: Context): Promise<void> {
  const { TOPICS } = await import('./topics.ts');
  const { title, text, data } = TOPICS[topic];
  if (output.json) return output.document({ topic, title, text: text.trim(), ...data });
  const style = await output.styles('stdout');
  await output.data(`${style.bold(title)}\n\n${text.trim()}`);
}
