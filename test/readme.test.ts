import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import { EXIT_CODES } from '../src/cli/exit-codes.ts';
import { buildProgram } from '../src/cli/frame/program.ts';
import { mop, temporaryDirectory } from './support/cli.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

it('lists every command and every exit code', async () => {
  const commands = buildProgram(MOP).commands.map((command) => command.name());
  for (const name of commands) expect(readme).toContain(`\`mop ${name} `.trimEnd());
  const table = readme.slice(readme.indexOf('| exit code |'));
  for (const code of Object.values(EXIT_CODES)) {
    expect(table).toMatch(new RegExp(`^\\|.*\\b${code}\\b`, 'm'));
  }
});

/** The commands of the transcript about bills, each with its output. */
const transcript = [...readme.matchAll(/```console\n(\$ mop bill fetch [^`]*)```/g)].flatMap(
  ([, block = '']) =>
    [...block.matchAll(/^\$ mop (.*)\n((?:(?!\$).*\n)*)/gm)].map(([, command = '', printed]) => ({
      command,
      printed,
    })),
);

it('shows the output of its commands, from fetch to difference', async () => {
  expect(transcript.map(({ command }) => command).join('\n')).toContain('bill compare');
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(await temporaryDirectory());
  for (const { command, printed } of transcript) {
    const [words = '', file] = command.split(' > ');
    const { stdout, stderr } = await mop(words.split(' '));
    if (file !== undefined) await writeFile(file, stdout);
    expect((file === undefined ? stdout : '') + stderr, command).toBe(printed);
  }
});
