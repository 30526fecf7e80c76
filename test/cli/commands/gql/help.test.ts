import { beforeAll, describe, expect, it } from 'vitest';
import { MOP } from '../../../../src/cli/commands.ts';
import { buildProgram } from '../../../../src/cli/frame/program.ts';
import { mop } from '../../../support/cli.ts';
import { checkRows } from '../../../support/rows.ts';
import { expectFailure, sh } from '../../support.ts';

describe('mop gql help', () => {
  let topics: string[];
  beforeAll(async () => {
    const { stdout } = await mop(['gql', 'help', '--json']);
    topics = JSON.parse(stdout).map(({ topic }: { topic: string }) => topic);
  });

  it('lists its topics, which the completions complete', async () => {
    const { code, stdout, stderr } = await mop(['gql', 'help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const topic of topics) expect(stdout).toContain(`\n${topic} `);
    const gql = buildProgram(MOP).commands.find((command) => command.name() === 'gql');
    const help = gql?.commands.find((command) => command.name() === 'help');
    expect(help?.registeredArguments[0]?.argChoices).toEqual(topics);
  });

  it('shows every topic, with examples that run', () =>
    checkRows(topics, async (topic) => {
      const { stdout } = await mop(['gql', 'help', topic, '--json']);
      const { title, text, examples } = JSON.parse(stdout);
      const { stdout: page } = await mop(['gql', 'help', topic]);
      expect(page.startsWith(`${title}\n\n${text}\n\nTry it\n`)).toBe(true);
      expect(examples.length).toBeGreaterThan(0);
      // One shell reads the words of all examples: starting one takes longer than a command.
      const printed = await sh(`mop() { printf '%s\\0' "$@" ''; }\n${examples.join('\n')}`);
      const commands = printed.split('\0\0').slice(0, -1);
      expect(commands).toHaveLength(examples.length);
      for (const [at, example] of examples.entries()) {
        expect(page).toContain(example.replaceAll('\n', '\n  '));
        const words = commands[at]?.split('\0') ?? [];
        const { code, stdout, stderr } = await mop(words);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const lines = words[1] === 'schema' ? [] : stdout.trimEnd().split('\n');
        for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object');
      }
      // Lines fit a terminal, except commands, which are copied.
      const lines = page.split('Try it')[0]?.split('\n') ?? [];
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }));

  it('finds a topic by each word of the language', () => {
    const words: Readonly<Record<string, string>> = {
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
        const message = `no topic "${word}"; topics: ${topics.join(', ')}`;
        expectFailure(await mop(['gql', 'help', word]), 2, message, hint);
      },
    ));
});
