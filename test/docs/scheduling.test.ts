/** Compares the examples of docs/scheduling.md with `mop help scheduling`; pages.trial.ts compares their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mop } from '../support/cli.ts';
import { readBlocks, readPage } from './support/read-page.ts';
import { EXAMPLE, EXAMPLES } from './support/scheduling-examples.ts';

const { text } = readPage('docs/scheduling.md');

it('the page has each example of mop help scheduling, or a link to it', () => {
  const shown = [...text.matchAll(EXAMPLE)].map(([, name]) => name);
  const linked = [...text.matchAll(/\]\(\S*\/examples\/([^)]+)\)/g)].map(([, name]) => name);
  const names = [...shown, ...linked];
  expect(names.sort()).toEqual(readdirSync(EXAMPLES).sort());
});

it('README.md has the same crontab', () => {
  const crontab = readFileSync(join(EXAMPLES, 'crontab'), 'utf8').replaceAll(/^#.*\n/gm, '');
  expect(readPage('README.md').text).toContain(`\`\`\`crontab\n${crontab}\`\`\``);
});

it('mop help scheduling prints the lines for Airflow of the page', async () => {
  const { stdout } = await mop(['help', 'scheduling']);
  const python = readBlocks(text).find(({ language }) => language === 'python');
  expect(stdout).toContain(python?.code.replaceAll(/^/gm, '  ').trimEnd());
});
