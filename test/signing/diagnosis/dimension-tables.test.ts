/** The tables of docs/diagnosis.md. To update them, run this file with `npx vitest run -u`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DIAGNOSIS_IDS } from '../../../src/signing/diagnosis/mistake.ts';
import { withTables } from './dimension-tables.ts';

const path = fileURLToPath(new URL('../../../docs/diagnosis.md', import.meta.url));
const page = withTables(readFileSync(path, 'utf8'));
const rows = page.split('\n').filter((line) => /^\| `[a-z0-9-]+` \| .*[a-z]/.test(line));

it('the page contains the current tables', async () => {
  const message =
    'docs/diagnosis.md is out of date: npx vitest run -u test/signing/diagnosis/dimension-tables.test.ts';
  await expect(page, message).toMatchFileSnapshot(path);
});

it('the tables contain every mistake of a signer', () => {
  const ids = rows.map((row) => row.split('`')[1]);
  // A wrong version is not a mistake of the signer.
  for (const id of DIAGNOSIS_IDS) if (id !== 'version') expect(ids).toContain(id);
});

it('the tables do not contain values of the samples', () => {
  const values =
    /order_id|passenger|20\d\d-\d\d|1795132800|-of-credentials|generated-|127\.0|trade/;
  for (const row of rows) expect(row).not.toMatch(values);
});
