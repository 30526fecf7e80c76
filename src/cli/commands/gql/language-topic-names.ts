import { MopError } from '../../../errors.ts';

/**
 * The topics of `mop gql help`, D3 section 2 and each feature of its section 4, with other words for
 * each: its keywords and its name in D3.
 */
const TOPIC_WORDS = {
  kinds: ['kind', 'root-kind', 'schema', 'query', 'schema-definition'],
  scalars: ['scalar', 'built-in-scalar', 'int', 'float', 'string', 'boolean', 'id'],
  types: ['type', 'object', 'object-type', 'interface', 'implements', 'union', 'enum'],
  modifiers: ['modifier', 'type-modifier', 'list', 'null', 'nullable', 'non-null', '!', '[]'],
  definitions: ['definition', 'input', 'input-object', 'field-argument', 'default'],
  fields: ['field', 'field-selection', 'selection'],
  comments: ['comment', '#'],
  arguments: ['argument', 'value'],
  aliases: ['alias'],
  fragments: ['fragment', 'named-fragment', 'spread', '...'],
  'inline-fragments': ['inline-fragment', 'on', '... on'],
  'operation-names': ['operation-name', 'operation', 'name'],
  variables: ['variable', '$'],
  'default-variables': ['default-variable', 'variable-default'],
  directives: ['directive', '@'],
  include: [],
  skip: [],
  mutations: ['mutation'],
  subscriptions: ['subscription', 'event'],
  typename: ['__typename', 'meta-field'],
  results: ['result', 'result-shape', 'data', 'response', 'error'],
} as const satisfies Record<string, readonly string[]>;

export type TopicName = keyof typeof TOPIC_WORDS;

export const TOPIC_NAMES = Object.keys(TOPIC_WORDS) as readonly TopicName[];

/**
 * The topic of a word, in the singular or the plural, such as `union`, `Enums` or `@include`.
 *
 * @throws {MopError} `usage` for an unknown word.
 */
export function topicOf(given: string): TopicName {
  const word = given.toLowerCase().replace(/^@(?=.)/, '');
  const found = TOPIC_NAMES.find((name) =>
    wordsOf(name).some((each) => formsOf(each).includes(word)),
  );
  if (found !== undefined) return found;
  throw new MopError(
    'usage',
    `no topic ${JSON.stringify(given)}; topics: ${TOPIC_NAMES.join(', ')}`,
    {
      hint: 'mop gql help describes each topic',
      unknown: { word, names: TOPIC_NAMES.flatMap(wordsOf) },
    },
  );
}

function wordsOf(name: TopicName): readonly string[] {
  return [name, ...TOPIC_WORDS[name]];
}

function formsOf(word: string): readonly string[] {
  return [word, `${word}s`, word.replace(/y$/, 'ies')];
}
