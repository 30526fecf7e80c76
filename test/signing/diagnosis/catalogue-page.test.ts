/** The table of ids in docs/debugging.md. To update it, run this file with `npx vitest run FILE -u`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../../src/signing/diagnosis/catalogue.ts';
import { FIXES } from '../../../src/signing/diagnosis/fixes.ts';
import { DIAGNOSIS_IDS } from '../../../src/signing/diagnosis/mistake.ts';

const BEGIN = '<!-- Generated from src/signing/diagnosis/catalogue.ts -->';
const END = '<!-- End of the generated table -->';
const path = fileURLToPath(new URL('../../../docs/debugging.md', import.meta.url));

/** A row for each id, in the order of the steps of a signer. */
function table(): string {
  const ids = Object.values(CATALOGUE).flatMap((mistakes) => mistakes.map(({ id }) => id));
  const rows = ids.map((id) => `| \`${id}\` | ${escaped(FIXES[id])} |`);
  return ['| id | fix |', '|---|---|', ...rows].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[\\`*<>&|$~#]|(?<!\w)_|_(?!\w)/g, '\\$&');
}

it('the page contains the current table', async () => {
  const sent = readFileSync(path, 'utf8');
  expect(sent).toContain(`${BEGIN}\n`);
  const [before, after] = [sent.split(BEGIN)[0], sent.split(END)[1]];
  const page = `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`;
  const message =
    'docs/debugging.md is out of date: npx vitest run test/signing/diagnosis/catalogue-page.test.ts -u';
  await expect(page, message).toMatchFileSnapshot(path);
});

it('the table contains every mistake of a signer', () => {
  const ids = [...table().matchAll(/^\| `([a-z0-9-]+)` \| \S/gm)].map(([, id]) => id);
  // A wrong version is not a mistake of the signer.
  expect(ids.toSorted()).toEqual(DIAGNOSIS_IDS.filter((id) => id !== 'version').toSorted());
});
