import { describe, expect, it } from 'vitest';
import {
  TOPIC_NAMES,
  type TopicName,
  topicOf,
} from '../../../../src/cli/commands/gql/language-topic-names.ts';
import { TOPICS } from '../../../../src/cli/commands/gql/language-topics.ts';
import { mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, sh } from '../../support.ts';

const examples = TOPIC_NAMES.flatMap((topic) =>
  TOPICS[topic].examples.map((words) => ({ topic, words })),
);

describe('mop gql help', () => {
  it('lists its topics', async () => {
    const { code, stdout, stderr } = await mop(['gql', 'help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const topic of TOPIC_NAMES) expect(stdout).toContain(`\n${topic} `);
  });

  it('runs every example', () =>
    checkRows(examples, async ({ words }) => {
      const { code, stdout, stderr } = await mop(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toBe('');
      if (words[1] === 'schema') return;
      for (const line of stdout.trimEnd().split('\n'))
        expect(JSON.parse(line)).toBeTypeOf('object');
    }));

  it('shows complete examples of every topic', () =>
    checkRows(TOPIC_NAMES, async (topic) => {
      const { stdout } = await mop(['gql', 'help', topic, '--json']);
      const { title, text, examples } = JSON.parse(stdout);
      const { stdout: page } = await mop(['gql', 'help', topic]);
      expect(page.startsWith(`${title}\n`)).toBe(true);
      expect(page).toContain(text);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(page).toContain(example.replaceAll('\n', '\n  '));
      // Lines fit a terminal, except commands, which are copied.
      const lines = page.split('Try it')[0]?.split('\n') ?? [];
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }));

  it('quotes an example for a shell', async () => {
    const { stdout } = await mop(['gql', 'help', 'comments', '--json']);
    const [example] = JSON.parse(stdout).examples;
    const words = await sh(`mop() { printf '%s\\0' "$@"; }\n${example}`);
    expect(words.split('\0').slice(0, -1)).toEqual(TOPICS.comments.examples[0]);
  });

  it('finds a topic by each word of the language', () => {
    const words: Readonly<Record<string, TopicName>> = {
      // D3 sections 2.1 to 2.5.
      schema: 'kinds',
      schemas: 'kinds',
      query: 'kinds',
      queries: 'kinds',
      mutation: 'mutations',
      subscription: 'subscriptions',
      Int: 'scalars',
      Float: 'scalars',
      String: 'scalars',
      Boolean: 'scalars',
      ID: 'scalars',
      scalar: 'scalars',
      type: 'types',
      interface: 'types',
      interfaces: 'types',
      union: 'types',
      unions: 'types',
      enum: 'types',
      Enums: 'types',
      input: 'definitions',
      inputs: 'definitions',
      'input-object': 'definitions',
      default: 'definitions',
      modifier: 'modifiers',
      nullable: 'modifiers',
      'non-null': 'modifiers',
      list: 'modifiers',
      lists: 'modifiers',
      // Section 4.
      field: 'fields',
      'field-selection': 'fields',
      comment: 'comments',
      argument: 'arguments',
      alias: 'aliases',
      fragment: 'fragments',
      'named-fragment': 'fragments',
      'inline-fragment': 'inline-fragments',
      'operation-name': 'operation-names',
      variable: 'variables',
      'default-variable': 'default-variables',
      directive: 'directives',
      '@include': 'include',
      '@skip': 'skip',
      __typename: 'typename',
      'meta-fields': 'typename',
      data: 'results',
      error: 'results',
    };
    return checkRows(Object.entries(words), async ([word, topic]) => {
      const { code, stdout } = await mop(['gql', 'help', word, '--json']);
      expect([code, JSON.parse(stdout).topic]).toEqual([0, topic]);
    });
  });

  it('lists the topics for an unknown one, and suggests the nearest', () =>
    checkRows(
      [
        ['nonsense', 'mop gql help describes each topic'],
        ['uniom', 'did you mean union?'],
        ['varables', 'did you mean variables?'],
      ],
      async ([word, hint]) => {
        const message = `no topic "${word}"; topics: ${TOPIC_NAMES.join(', ')}`;
        expectFailure(await mop(['gql', 'help', word]), 2, message, hint);
      },
    ));

  it('finds each topic by its own name', () => {
    for (const topic of TOPIC_NAMES) expect(topicOf(topic)).toBe(topic);
  });
});
