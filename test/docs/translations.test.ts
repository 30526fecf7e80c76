/** Checks that each Chinese page has the structure, commands and links of its English page. */
import { dirname, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CHINESE_PAGES,
  type Page,
  readBlocks,
  readPage,
  withoutCode,
} from './support/read-page.ts';

const PAIRS = [
  { chinese: readPage('README.zh-CN.md'), english: readPage('README.md') },
  ...CHINESE_PAGES.map((chinese) => ({
    chinese,
    english: readPage(chinese.name.replace('/zh/', '/')),
  })),
];

/** The parts of a page that no translation changes, in order. */
const PARTS: Record<string, (page: Page) => unknown> = {
  'levels of headings': ({ text }) => withoutCode(text).match(/^#+(?= )/gm),
  'cells of tables': ({ text }) =>
    withoutCode(text)
      .match(/^\|.*\|$/gm)
      ?.map((row) => row.split(/(?<!\\)\|/).length),
  'code blocks': ({ text }) => readBlocks(text).map(typedOf),
  'comments about code blocks': ({ text }) => text.match(/^<!--.*-->$/gm),
  'inline code': ({ text }) =>
    [...withoutCode(text).matchAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g)]
      .map(([, , code]) => code)
      .toSorted(),
  links: ({ name, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)]+)\)/g)]
      .map(([, link = '']) => targetOf(name, link))
      .filter((link) => link !== LANGUAGE_LINK)
      .toSorted(),
};

const LANGUAGE_LINK = 'self';

/** The code that a reader types or copies. Outputs, comments and descriptions are in the language. */
function typedOf({ language, code }: { language: string; code: string }): unknown {
  if (language === 'text') return { language };
  const typed = language === 'console' ? code.match(/^(?:\$|>) .*$/gm) : code;
  return { language, typed: String(typed).replaceAll(/ +# .*|^(?:# |Description=).*\n/gm, '') };
}

/** The file of a link, in the English pages. Anchors are headings, which are translated. */
function targetOf(name: string, link: string): string {
  if (/^https?:/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  if (path === '') return `${englishName(name)}#`;
  const target = englishName(posix.join(dirname(name), path));
  return target === englishName(name) && anchor === undefined ? LANGUAGE_LINK : target;
}

function englishName(name: string): string {
  return name.replace('docs/zh/', 'docs/').replace('README.zh-CN.md', 'README.md');
}

describe.each(PAIRS)('$chinese.name', ({ chinese, english }) => {
  it.each(Object.keys(PARTS))('has the same %s', (name) => {
    const part = PARTS[name];
    expect(part?.(chinese)).toEqual(part?.(english));
  });

  it('has no English sentence outside code', () => {
    const prose = withoutCode(chinese.text).replaceAll(/(`+).+?\1|\]\([^)]+\)|<!--.*?-->/g, '');
    expect(prose.match(/(?:\b[a-z]+ ){3}[a-z]+/gi)).toBeNull();
  });
});
