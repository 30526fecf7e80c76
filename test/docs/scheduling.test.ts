/**
 * The examples of docs/scheduling.md are those of `mop help scheduling`, which have their own tests.
 * Update them with `npx vitest run -u --project integration test/docs/scheduling.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mop } from '../support/cli.ts';
import { ROOT, readBlocks, readPage } from './support/read-page.ts';

const DIRECTORY = join(ROOT, 'src/cli/commands/help/examples');
const { name, text } = readPage('docs/scheduling.md');
const EXAMPLE = /(?<=<!-- Example (\S+) -->\n(?:<!--[^\n]*-->\n)?```\w+\n).*?(?=^```$)/gms;

it('contains every example of mop help scheduling', async () => {
  const names = [...text.matchAll(EXAMPLE)].map(([, example]) => example);
  expect(names.sort()).toEqual(readdirSync(DIRECTORY).sort());
  const page = text.replaceAll(EXAMPLE, (_, example) =>
    readFileSync(join(DIRECTORY, example), 'utf8'),
  );
  await expect(page).toMatchFileSnapshot(join(ROOT, name));
});

it('has the crontab of README.md', () => {
  const crontab = readFileSync(join(DIRECTORY, 'crontab'), 'utf8').replaceAll(/^#.*\n/gm, '');
  expect(readPage('README.md').text).toContain(`\`\`\`crontab\n${crontab}\`\`\``);
});

it('contains the lines for Airflow of mop help scheduling', async () => {
  const { stdout } = await mop(['help', 'scheduling']);
  const python = readBlocks(text).find(({ language }) => language === 'python');
  expect(stdout).toContain(python?.code.replaceAll(/^/gm, '  ').trimEnd());
});
