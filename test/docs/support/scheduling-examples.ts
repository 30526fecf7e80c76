import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Entries } from '../../../src/locale/entries.ts';
import { Translator } from '../../../src/locale/translator.ts';
import { ZH } from '../../../src/locale/zh.ts';
import type { Language } from '../../../src/protocol/language.ts';
import { ROOT } from './read-page.ts';

/** The examples of `mop help scheduling`, which have their own tests. */
export const EXAMPLES = join(ROOT, 'src/cli/commands/help/examples');

/** A block below `<!-- Example FILE -->`. */
export const EXAMPLE = /(?<=<!-- Example (\S+) -->\n(?:<!--[^\n]*-->\n)?```\w+\n).*?(?=^```$)/gms;

/** Returns the page with the current text of each example, as `mop help scheduling` prints it. */
export function withExamples(page: string, language: Language): string {
  const translator = language === 'zh' ? new Translator(new Entries(ZH)) : undefined;
  const translated = (line: string): string => translator?.known(line) ?? line;
  return page.replaceAll(EXAMPLE, (_, name) =>
    readFileSync(join(EXAMPLES, name), 'utf8').replaceAll(/\S.*/g, translated),
  );
}
