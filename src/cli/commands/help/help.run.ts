import { MopError } from '../../../errors.ts';
import type { Context } from '../../context/context.ts';
import { type Call, lineage } from '../../frame/command.ts';
import { buildProgram } from '../../frame/program.ts';
import { printCommandHelp } from '../../frame/show-help.ts';
import { TOPIC_NAMES, type TopicName } from './topic-names.ts';
import { TOPICS } from './topics.ts';

export async function run({
  args: [first, rest],
  context,
  command,
}: Call<unknown, [string | undefined, readonly string[]]>): Promise<void> {
  const topic = TOPIC_NAMES.find((name) => name === first);
  if (topic === undefined) {
    const words = first === undefined ? [] : [first, ...rest];
    const [{ content }] = lineage(command);
    return printCommandHelp(words, buildProgram(content), context);
  }
  if (rest.length === 0) return printTopic(topic, context);
  throw new MopError('usage', `the topic ${topic} has no subtopics`, {
    hint: `run: mop help ${topic}`,
  });
}

async function printTopic(topic: TopicName, { output }: Context): Promise<void> {
  const { title, text, data } = TOPICS[topic];
  if (output.json) return output.document({ topic, title, text: text.trim(), ...data });
  const style = output.styles('stdout');
  const heading = style.bold(await output.prose(title));
  await output.data(`${heading}\n\n${await output.prose(text.trim())}`);
}
