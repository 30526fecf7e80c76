/** Tests the man pages of the build, and the functions that write them. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandPage, topicPage } from '../scripts/man-page.js';
import { TOPIC_NAMES } from '../src/cli/commands/help/topic-names.ts';
import { MOP } from '../src/cli/commands.ts';
import { readTree } from '../src/cli/frame/command-tree.ts';
import { buildProgram } from '../src/cli/frame/program.ts';
import { installed } from './cli/support.ts';
import { temporaryDirectory } from './support/cli.ts';

/** Bold text of mandoc: a character, a backspace, the same character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: mandoc prints backspaces
const OVERSTRUCK = /.\u0008/g;

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

describe('mandoc', () => {
  beforeEach(({ skip }) => skip(!installed('mandoc'), 'mandoc is not installed'));

  it('finds no fault in any page', () => {
    const pages = readdirSync(MAN).map((page) => join(MAN, page));
    // The pages omit the date, because it would change with every build.
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', ...pages], {
      encoding: 'utf8',
    });
    expect(stdout.split('\n').filter((line) => line && !line.includes('missing date'))).toEqual([]);
  });

  it('prints every character unchanged', async () => {
    const directory = await temporaryDirectory();
    const shown = (line: string): string => {
      const page = join(directory, 'page');
      writeFileSync(page, topicPage({ topic: 'x', title: 'x', text: `>${line}<` }, '1'));
      const { stdout } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=500', page], {
        encoding: 'utf8',
      });
      return /^ *>(.*)<$/m.exec(stdout.replaceAll(OVERSTRUCK, ''))?.[1] ?? '';
    };
    for (const line of [`.TH "a" 'b' \\fB\\n[x] \`c\` ^~ --x…价`, `'br`, `\\&`]) {
      expect(shown(line)).toBe(line);
    }
    const printable = fc.string({
      unit: fc.constantFrom(...`.'"\\-\`^~&[]() azé…价`),
      minLength: 1,
    });
    fc.assert(
      fc.property(printable, (line) => {
        expect(shown(`x${line}x`)).toBe(`x${line}x`);
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

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
