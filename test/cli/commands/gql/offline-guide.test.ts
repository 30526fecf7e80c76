/** Runs the offline examples of docs/graphql.md as a reader would. Needs a build. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../support/cli.ts';
import { BIN } from '../../../support/process.ts';
import { sh } from '../../support.ts';

const END = '--- end of a command';

interface Example {
  readonly command: string;
  readonly output: string;
}

async function guide(): Promise<{ files: string; examples: readonly Example[] }> {
  const page = await readFile(new URL('../../../../docs/graphql.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Try it offline\n');
  const block = (language: string): string =>
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section)?.[1] ?? '';
  const examples = block('console')
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...output] = text.trimEnd().split('\n');
      return { command, output: output.join('\n') };
    });
  return { files: block('sh'), examples };
}

it('docs/graphql.md shows the output of its offline examples', async () => {
  const { files, examples } = await guide();
  expect(examples.length).toBeGreaterThan(5);
  const script = [
    'cd "$HOME"',
    'mop() { "$NODE" "$BIN" "$@"; }',
    files,
    // $? stays that of the command.
    ...examples.map(({ command }) => `${command}\ncode=$?; echo '${END}'; (exit $code)`),
    'true',
  ].join('\n');
  const env = { NODE: process.execPath, BIN, MOP_CONFIG_DIR: await temporaryDirectory() };
  const outputs = (await sh(`exec 2>&1\n${script}`, { env })).split(`${END}\n`);
  expect(examples.map(({ command }, at) => ({ command, output: outputs[at]?.trimEnd() }))).toEqual(
    examples,
  );
});
