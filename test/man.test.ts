/** Tests the man pages of the build, and the functions that write them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { commandPage } from '../scripts/man-page.js';
import { TOPIC_NAMES } from '../src/cli/commands/help/help.ts';
import { MOP } from '../src/cli/commands.ts';
import { readTree } from '../src/cli/frame/command-tree.ts';
import { buildProgram } from '../src/cli/frame/program.ts';

const MAN = fileURLToPath(new URL('../man', import.meta.url));

const { commands, globals } = readTree(buildProgram(MOP));

it('contains exactly one page for each command and each topic', () => {
  const pages = [
    ...commands.map(({ path }) => `${path.replaceAll(' ', '-')}.1`),
    ...TOPIC_NAMES.map((topic) => `mop-${topic}.7`),
  ].sort();
  expect(readdirSync(MAN).sort()).toEqual(pages);
  // npm installs only listed pages from a tarball.
  const { man } = JSON.parse(readFileSync(join(MAN, '../package.json'), 'utf8'));
  expect(man).toEqual(pages.map((page) => `./man/${page}`));
});

it.each(commands)(
  '$path: contains the texts of its help',
  ({ path, options, examples, exitCodes }) => {
    const name = path.replaceAll(' ', '-');
    const page = plain(readFileSync(join(MAN, `${name}.1`), 'utf8'));
    expect(page).toMatch(new RegExp(`^\\.SH NAME\\n${name} - [A-Z]`, 'm'));
    for (const { names, description } of [...options, ...(path === 'mop' ? globals : [])]) {
      for (const each of names) expect(page).toContain(each);
      expect(page).toContain(description);
    }
    for (const example of examples) expect(page).toContain(example);
    for (const { code } of exitCodes) expect(page).toContain(`\n.B ${code}\n`);
  },
);

it('omits empty sections', () => {
  const nothing = { arguments: [], options: [], globals: [], commands: [], notes: [] };
  const page = commandPage(
    {
      path: 'mop x',
      usage: 'mop x',
      description: 'Do.',
      ...nothing,
      examples: ['mop x'],
      exit_codes: [],
    },
    { meanings: [], topics: [] },
    '1',
  );
  expect(page.match(/^\.SH .*/gm)).toEqual(
    ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'EXAMPLES', 'SEE ALSO'].map((title) => `.SH ${title}`),
  );
});

/** The text of troff source, without escapes. */
function plain(page: string): string {
  return page
    .replace(/\\f[BIR]/g, '')
    .replace(/\\\[u([0-9A-F]+)\]/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('\\(aq', "'")
    .replaceAll('\\(ga', '`')
    .replaceAll('\\(ha', '^')
    .replaceAll('\\(ti', '~')
    .replaceAll('\\&', '')
    .replaceAll('\\-', '-')
    .replaceAll('\\e', '\\');
}
