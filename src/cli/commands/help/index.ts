import { MopError } from '../../../errors.ts';
import type { Choose, Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { TOPIC_NAMES, type TopicName } from './topic-names.ts';

export function registerHelp(help: Command, choose: Choose): void {
  help
    .argument('[topic-or-command]', 'a topic, or a command as it is typed')
    .argument('[subcommand...]', 'the rest of its name')
    .explain({
      notes: `
        Topics: ${TOPIC_NAMES.join(', ')}. The query language has topics of its own: mop gql help.`,
      examples: ['mop help exit-codes', 'mop help scheduling', 'mop help bill fetch'],
    })
    .action((first: string | undefined, rest: readonly string[], _: unknown, command: Command) =>
      choose(command, (context) => runHelp(first === undefined ? [] : [first, ...rest], context)),
    );
}

async function runHelp(words: readonly string[], context: Context): Promise<void> {
  const topic = TOPIC_NAMES.find((name) => words.length === 1 && name === words[0]);
  await (topic === undefined ? explainCommand(words, context) : explainTopic(topic, context));
}

async function explainCommand(words: readonly string[], { io, output }: Context): Promise<void> {
  const { buildProgram, helpWidth } = await import('../../program.ts');
  const program = await buildProgram();
  const command = words.reduce((parent, word) => childOf(parent, word), program);
  if (output.json) return output.document(await commandDocument(command));
  command.configureOutput({
    getOutHelpWidth: () => helpWidth(io),
    getOutHasColors: () => output.coloured('stdout'),
  });
  await output.data(command.helpInformation());
}

/** A command as data; of the program all commands, with the options that they share. */
async function commandDocument(command: Command): Promise<Record<string, unknown>> {
  const { readCommand, readTree } = await import('../../command-tree.ts');
  const document = ({ exitCodes, ...rest }: ReturnType<typeof readCommand>) => ({
    ...rest,
    exit_codes: exitCodes,
  });
  if (command.parent) return document(readCommand(command));
  const tree = readTree(command);
  return { ...tree, commands: tree.commands.map(document) };
}

/** @throws {MopError} `usage` for a word that names nothing. */
function childOf(parent: Command, word: string): Command {
  const commands = parent.commands as readonly Command[];
  const child = commands.find((command) => command.name() === word);
  if (child) return child;
  const children = commands.map((command) => command.name());
  const names = parent.parent ? children : [...children, ...TOPIC_NAMES];
  const what = parent.parent
    ? `mop ${parent.name()} has no command`
    : 'no command and no topic is called';
  throw new MopError('usage', `${what} ${JSON.stringify(word)}`, {
    hint: `there are ${names.join(', ')}`,
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
