/** Tests the links of all pages, and the index of docs/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { anchorsOf, PAGES, type Page, ROOT, readPage, withoutCode } from './support/read-page.ts';

const pages: readonly Page[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith('.md')),
  // The documents of the services are unchanged.
]
  .filter((name) => !name.startsWith('docs/protocol/d'))
  .map(readPage);

/** The files that the links of a page name, with their anchors. */
function linksOf({ name, text }: Page) {
  return (
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      // ../releases/ is a page of the hosting service.
      .filter((link) => !/^(?:https?:|mailto:|(?:\.\.\/)+releases\/)/.test(link))
      .map((link) => {
        const [path = '', anchor] = link.split('#');
        const file = path === '' ? name : join(dirname(name), path);
        return { link, file, anchor };
      })
  );
}

it('the file of each link exists', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ file }) => !existsSync(join(ROOT, file)))
      .map(({ link }) => `${page.name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('the anchor of each link exists', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ file, anchor }) => {
        if (anchor === undefined || !file.endsWith('.md')) return false;
        return !anchorsOf(readFileSync(join(ROOT, file), 'utf8')).has(anchor);
      })
      .map(({ link }) => `${page.name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('docs/README.md links to every page of docs/', () => {
  const index = linksOf(readPage('docs/README.md')).map(({ file }) => file);
  for (const { name } of PAGES) {
    if (name !== 'docs/README.md') expect(index).toContain(name);
  }
});

it('the README of a folder links to every page of the folder', () => {
  for (const folder of ['docs/decisions', 'docs/protocol']) {
    const index = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    for (const name of readdirSync(join(ROOT, folder))) {
      if (name !== 'README.md') expect(index).toContain(`](${basename(name)})`);
    }
  }
});

it('each promise links to a test or a benchmark, in the right column', () => {
  const { text } = readPage('docs/promises.md');
  const [, table = ''] =
    /\| promise \| `npm test` \| trials \|\n\|.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  const rows = table.trim().split('\n');
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const [, , quick = '', trials = ''] = row.split('|');
    expect(quick + trials).toMatch(/\]\(\.\.\//);
    for (const [, path] of quick.matchAll(/\]\((.*?)\)/g)) expect(path).toMatch(/\.test\.ts$/);
    for (const [, path] of trials.matchAll(/\]\(\.\.\/(test\/.*?)\)/g)) {
      expect(path).toMatch(/\.trial\.ts$|^test\/package\//);
    }
  }
});
