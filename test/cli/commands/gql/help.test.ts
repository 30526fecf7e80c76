import { describe, expect, it } from 'vitest';
import { TOPIC_NAMES } from '../../../../src/cli/commands/gql/language-topic-names.ts';
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

  it('shows the examples of every topic as they are typed', () =>
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

  it('lists the topics for an unknown one', async () => {
    expectFailure(await mop(['gql', 'help', 'nonsense']), 2, 'Allowed choices are kinds, scalars');
  });
});
