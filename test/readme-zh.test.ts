/** Checks that README.zh-CN.md has the structure, commands and links of README.md. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const english = read('README.md');
const chinese = read('README.zh-CN.md');

/** The parts of a page that no translation changes, in order. */
const PARTS: Record<string, (page: string) => unknown> = {
  'levels of headings': (page) => page.match(/^#+(?= )/gm),
  'rows of tables': (page) => page.match(/^\|.*\|$/gm)?.map((row) => row.split(/(?<!\\)\|/).length),
  'code blocks': (page) =>
    page.match(/^```[\s\S]*?^```/gm)?.map((block) => block.replaceAll(/ +#.*/g, '')),
  'inline code': (page) =>
    page
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .match(/`[^`]+`/g)
      ?.toSorted(),
  links: (page) => [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target).toSorted(),
};

it.each(Object.keys(PARTS))('has the same %s', (name) => {
  const part = PARTS[name];
  const expected = part?.(english);
  expect(expected).toHaveProperty('length');
  expect(part?.(chinese)).toEqual(expected);
});

it('has no English sentence outside code', () => {
  const prose = chinese.replaceAll(/^```[\s\S]*?^```|`[^`]+`|\]\([^)]+\)/gm, '');
  expect(prose.match(/(?:\b[a-z]+ ){3}[a-z]+/gi)).toBeNull();
});
