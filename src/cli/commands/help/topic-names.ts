/** The topics of `mop help`, besides commands (contract section 8). */
export const TOPIC_NAMES = [
  'exit-codes',
  'environment',
  'signing',
  'scheduling',
  'settings',
  'readings',
] as const;

export type TopicName = (typeof TOPIC_NAMES)[number];
