import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { topicPage } from '../scripts/man-page.js';
import { temporaryDirectory } from './support/cli.ts';
import { installed } from './support/programs.ts';

/** Bold text of mandoc: a character, a backspace, the same character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: mandoc prints backspaces
const OVERSTRUCK = /.\u0008/g;

const MAN = fileURLToPath(new URL('../man', import.meta.url));

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
    const page = join(await temporaryDirectory(), 'page');
    const shown = (lines: readonly string[]): (string | undefined)[] => {
      const text = lines.map((line) => `>${line}<`).join('\n\n');
      writeFileSync(page, topicPage({ topic: 'x', title: 'x', text }, '1'));
      const { stdout } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=500', page], {
        encoding: 'utf8',
      });
      return [...stdout.replaceAll(OVERSTRUCK, '').matchAll(/^ *>(.*)<$/gm)].map(
        ([, line]) => line,
      );
    };
    const lines = [`.TH "a" 'b' \\fB\\n[x] \`c\` ^~ --x…价`, `'br`, `\\&`];
    expect(shown(lines)).toEqual(lines);
    const printable = fc.string({
      unit: fc.constantFrom(...`.'"\\-\`^~&[]() azé…价`),
      minLength: 1,
    });
    const random = fc.sample(printable, { seed: 7, numRuns: 60 }).map((line) => `x${line}x`);
    expect(shown(random)).toEqual(random);
  });
});
