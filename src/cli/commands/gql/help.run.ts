import { MopError } from '../../../errors.ts';
import type { Call } from '../../frame/command.ts';
import language from './language.md?raw';

/** A topic of `language.md`. */
interface Topic {
  readonly name: string;
  readonly title: string;
  /** Other words for it: its keywords and its name in D3. */
  readonly words: readonly string[];
  readonly text: string;
  /** Commands that show it. */
  readonly examples: readonly string[];
}

const TOPICS = language
  .replaceAll(/^```.*\n/gm, '')
  .split('\n## ')
  .slice(1)
  .map(readTopic);

function readTopic(section: string): Topic {
  const [head = '', words = '', ...paragraphs] = section.split('\n\n');
  const [name = '', ...title] = head.split(': ');
  const [text = '', ...examples] = paragraphs.join('\n\n').trimEnd().split('\n$ ');
  return {
    name,
    title: title.join(': '),
    words: [name, ...words.replace('Words: ', '').split(', ')],
    text: text.trimEnd(),
    examples,
  };
}

export async function run({
  args: [given],
  context: { output },
}: Call<unknown, [string | undefined]>): Promise<void> {
  if (given === undefined) {
    const list = TOPICS.map(({ name, title }) => ({ topic: name, title }));
    const rows = TOPICS.map(({ name, title }) => [name, output.word(title)]);
    const table = await output.table(['TOPIC', 'EXPLAINS'], rows);
    const more = 'mop gql help TOPIC, or a word of the language, such as union';
    return output.result(list, `${table}\n\n${output.translated(more)}`);
  }
  const { name, title, text, examples } = topicOf(given);
  if (output.json) return output.document({ topic: name, title, text, examples });
  const style = output.styles('stdout');
  const tried = examples
    .map((command) => command.replace(/(?<=# ).*/, (comment) => output.translated(comment)))
    .map((command) => `  ${style.cyan(command.replaceAll('\n', '\n  '))}`);
  const fitted = await output.prose(text);
  const headings = [title, 'Try it'].map((heading) => style.bold(output.word(heading)));
  await output.data([headings[0], '', fitted, '', headings[1], ...tried].join('\n'));
}

/**
 * The topic of a word, in the singular or the plural, such as `union`, `Enums` or `@include`.
 *
 * @throws {MopError} `usage` for an unknown word.
 */
function topicOf(given: string): Topic {
  const word = given.toLowerCase().replace(/^@(?=.)/, '');
  const found = TOPICS.find(({ words }) =>
    words.some((each) => [each, `${each}s`, each.replace(/y$/, 'ies')].includes(word)),
  );
  if (found) return found;
  const names = TOPICS.map(({ name }) => name).join(', ');
  throw new MopError('usage', `no topic ${JSON.stringify(given)}; topics: ${names}`, {
    hint: 'mop gql help describes each topic',
    unknown: { word, names: TOPICS.flatMap(({ words }) => words) },
  });
}
