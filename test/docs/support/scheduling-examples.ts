import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './read-page.ts';

/** The examples of `mop help scheduling`, which have their own tests. */
export const EXAMPLES = join(ROOT, 'src/cli/commands/help/examples');

/** A block below `<!-- Example FILE -->`. */
export const EXAMPLE = /(?<=<!-- Example (\S+) -->\n(?:<!--[^\n]*-->\n)?```\w+\n).*?(?=^```$)/gms;

/** Returns the page with the current text of each example. */
export function withExamples(page: string): string {
  return page.replaceAll(EXAMPLE, (_, name) => readFileSync(join(EXAMPLES, name), 'utf8'));
}
