/** The programs of docs/languages.md. Write them anew with `npx vitest run -u` and this file. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  PROGRAM_LANGUAGES,
  type ProgramLanguage,
} from '../../../../src/signing/programs/languages.ts';
import { mop } from '../../../support/cli.ts';
import { PROGRAM_FILES } from '../../../support/program-files.ts';

const path = fileURLToPath(new URL('../../../../docs/languages.md', import.meta.url));
const BODY = '{"bill_date":"2026-11-19","bill_type":0,"tar_type":1}';
const BEGIN = '<!-- Generated from src/signing/programs/templates -->';
const END = '<!-- End of the generated programs -->';

/** A heading, and how a code block of the language begins. */
const SHOWN: { readonly [language in ProgramLanguage]: readonly [title: string, code: string] } = {
  python: ['Python', 'python'],
  go: ['Go', 'go'],
  java: ['Java', 'java'],
  php: ['PHP', 'php'],
  node: ['Node', 'js'],
  ruby: ['Ruby', 'ruby'],
  csharp: ['C#', 'csharp'],
  bash: ['bash', 'bash'],
};

async function section(language: ProgramLanguage): Promise<string> {
  const [title, code] = SHOWN[language];
  const words = ['sign', BODY, '--as', language, '--path', '/trade/bill', '--env', 'sandbox'];
  const { stdout } = await mop(words);
  const file = `\`${PROGRAM_FILES[language]}\`, for a running \`mop sandbox\`:`;
  return `## ${title}\n\n${file}\n\n\`\`\`${code}\n${stdout}\`\`\``;
}

it('are the programs that mop prints', async () => {
  const page = readFileSync(path, 'utf8');
  const [before, rest = ''] = page.split(BEGIN);
  const programs = await Promise.all(PROGRAM_LANGUAGES.map(section));
  const wanted = `${before}${BEGIN}\n\n${programs.join('\n\n')}\n\n${END}${rest.split(END)[1]}`;
  const message =
    'docs/languages.md is out of date: npx vitest run -u test/cli/commands/sign/languages-page.test.ts';
  await expect(wanted, message).toMatchFileSnapshot(path);
});
