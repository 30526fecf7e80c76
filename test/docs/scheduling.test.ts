/** The examples of docs/scheduling.md; pages.test.ts compares their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mop } from '../support/cli.ts';
import { readBlocks, readPage } from './support/read-page.ts';
import { EXAMPLE, EXAMPLES } from './support/scheduling-examples.ts';

const { text } = readPage('docs/scheduling.md');

it('are those of mop help scheduling', () => {
  const names = [...text.matchAll(EXAMPLE)].map(([, name]) => name);
  expect(names.sort()).toEqual(readdirSync(EXAMPLES).sort());
});

it('include the crontab of README.md', () => {
  const crontab = readFileSync(join(EXAMPLES, 'crontab'), 'utf8').replaceAll(/^#.*\n/gm, '');
  expect(readPage('README.md').text).toContain(`\`\`\`crontab\n${crontab}\`\`\``);
});

it('include the lines for Airflow of mop help scheduling', async () => {
  const { stdout } = await mop(['help', 'scheduling']);
  const python = readBlocks(text).find(({ language }) => language === 'python');
  expect(stdout).toContain(python?.code.replaceAll(/^/gm, '  ').trimEnd());
});
