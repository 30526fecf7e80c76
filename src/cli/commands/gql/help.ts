import { Argument } from 'commander';
import type { Context } from '../../context/context.ts';
import { shellQuote } from '../../context/curl.ts';
import { table } from '../../context/output.ts';
import { type Choose, type Command, optionsOf } from '../../frame/command.ts';
import { TOPIC_NAMES, type TopicName } from './topic-names.ts';

export function registerHelp(parent: Command, choose: Choose): void {
  parent
    .helpCommand(false)
    .command('help')
    .description('Explain the query language, with examples that run.')
    .addArgument(
      new Argument('[topic]', 'what to explain; without one, the list').choices(TOPIC_NAMES),
    )
    .explain({ examples: ['mop gql help', 'mop gql help variables'] })
    .action((topic: TopicName | undefined, _: unknown, command: Command) =>
      choose(command, (context) => {
        optionsOf(command);
        return runHelp(topic, context);
      }),
    );
}

async function runHelp(topic: TopicName | undefined, { output }: Context): Promise<void> {
  const { TOPICS } = await import('./topics.ts');
  if (topic === undefined) {
    const list = TOPIC_NAMES.map((name) => ({ topic: name, title: TOPICS[name].title }));
    if (output.json) return output.document(list);
    const rows = list.map(({ topic, title }) => [topic, title]);
    return output.data(`${table(['TOPIC', 'EXPLAINS'], rows)}\n\nmop gql help TOPIC`);
  }
  const { title, text, examples } = TOPICS[topic];
  const commands = examples.map((words) => ['mop', ...words].map(shellQuote).join(' '));
  if (output.json) return output.document({ topic, title, text: text.trim(), examples: commands });
  const style = await output.styles('stdout');
  const tried = commands.map((command) => `  ${style.cyan(command.replaceAll('\n', '\n  '))}`);
  await output.data([style.bold(title), text, '', style.bold('Try it'), ...tried].join('\n'));
}
