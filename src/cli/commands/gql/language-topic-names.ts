/** What `mop gql help` explains: D3 section 2, and each feature of its section 4. */
export const TOPIC_NAMES = [
  'kinds',
  'scalars',
  'types',
  'modifiers',
  'definitions',
  'fields',
  'comments',
  'arguments',
  'aliases',
  'fragments',
  'inline-fragments',
  'operation-names',
  'variables',
  'default-variables',
  'include',
  'skip',
  'mutations',
  'subscriptions',
  'typename',
  'results',
] as const;

export type TopicName = (typeof TOPIC_NAMES)[number];
