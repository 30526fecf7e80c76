import { describe, expect, it } from 'vitest';
import { TOPIC_NAMES } from '../../../../src/cli/commands/gql/topic-names.ts';
import { TOPICS } from '../../../../src/cli/commands/gql/topics.ts';
import { mop } from '../../../support/cli.ts';
import { expectFailure, sh } from '../../support.ts';

const examples = TOPIC_NAMES.flatMap((topic) =>
  TOPICS[topic].examples.map((words) => ({ topic, words })),
);

describe('mop gql help', () => {
  it('lists what it explains', async () => {
    const { code, stdout, stderr } = await mop(['gql', 'help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const topic of TOPIC_NAMES) expect(stdout).toContain(`\n${topic} `);
  });

  it.each(examples)('$topic: an example runs: $words', async ({ words }) => {
    const { code, stdout, stderr } = await mop(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
    if (words[1] === 'schema') return;
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object');
  });

  it.each(TOPIC_NAMES)('%s: shows its examples as they are typed', async (topic) => {
    const { stdout } = await mop(['gql', 'help', topic, '--json']);
    const { title, text, examples } = JSON.parse(stdout);
    const { stdout: page } = await mop(['gql', 'help', topic]);
    expect(page.startsWith(`${title}\n`)).toBe(true);
    expect(page).toContain(text);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(page).toContain(example.replaceAll('\n', '\n  '));
    // No line is wider than a terminal, but for commands, which are there to be copied.
    const lines = page.split('Try it')[0]?.split('\n') ?? [];
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('quotes an example for a shell', async () => {
    const { stdout } = await mop(['gql', 'help', 'comments', '--json']);
    const [example] = JSON.parse(stdout).examples;
    const words = await sh(`mop() { printf '%s\\0' "$@"; }\n${example}`);
    expect(words.split('\0').slice(0, -1)).toEqual(TOPICS.comments.examples[0]);
  });

  it('says what there is for an unknown topic', async () => {
    expectFailure(await mop(['gql', 'help', 'nonsense']), 2, 'Allowed choices are kinds, scalars');
  });
});
