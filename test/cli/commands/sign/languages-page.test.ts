/** The programs in docs/languages/. Write them anew with `npx vitest run -u` and this file. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PROGRAM_LANGUAGES } from '../../../../src/signing/programs/languages.ts';
import { mop } from '../../../support/cli.ts';
import { PROGRAM_FILES } from '../../../support/program-files.ts';

const directory = fileURLToPath(new URL('../../../../docs/languages', import.meta.url));
const BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';

it.each(PROGRAM_LANGUAGES)('%s: the file is the program that mop prints', async (language) => {
  const words = ['sign', BODY, '--as', language, '--path', '/trade/bill', '--env', 'sandbox'];
  const { stdout } = await mop(words);
  const name = PROGRAM_FILES[language];
  const message = `docs/languages/${name} is out of date: npx vitest run -u test/cli/commands/sign/languages-page.test.ts`;
  await expect(stdout, message).toMatchFileSnapshot(join(directory, name));
});

it('the directory contains no other file', () => {
  expect(readdirSync(directory).sort()).toEqual(Object.values(PROGRAM_FILES).sort());
});
