import { shellQuote } from '../../../errors.ts';
import type { Call } from '../../frame/command.ts';
import { TOPIC_NAMES, type TopicName } from './language-topic-names.ts';
import { TOPICS } from './language-topics.ts';

export async function run({
  args: [topic],
  context: { output },
}: Call<unknown, [TopicName | undefined]>): Promise<void> {
  if (topic === undefined) {
    const list = TOPIC_NAMES.map((name) => ({ topic: name, title: TOPICS[name].title }));
    const rows = list.map(({ topic, title }) => [topic, title]);
    return output.result(
      list,
      `${await output.table(['TOPIC', 'EXPLAINS'], rows)}\n\nmop gql help TOPIC, or a word of the language, such as union`,
    );
  }
  const { title, text, examples } = TOPICS[topic];
  const commands = examples.map((words) => ['mop', ...words].map(shellQuote).join(' '));
  if (output.json) return output.document({ topic, title, text: text.trim(), examples: commands });
  const style = output.styles('stdout');
  const tried = commands.map((command) => `  ${style.cyan(command.replaceAll('\n', '\n  '))}`);
  const fitted = await output.prose(text);
  await output.data([style.bold(title), fitted, '', style.bold('Try it'), ...tried].join('\n'));
}
