/** Checks the workflows, the image and the files that repeat the version. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { version, scripts } = JSON.parse(read('package.json'));

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => ({
  name,
  text: read(`.github/workflows/${name}`),
}));

it.each(workflows)('$name pins each action to a commit', ({ text }) => {
  const uses = [...text.matchAll(/uses: (\S+)(.*)/g)];
  expect(uses.length).toBeGreaterThan(3);
  for (const [, action, comment] of uses) {
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
});

it.each(workflows)('$name calls only scripts that exist', ({ text }) => {
  for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
    expect(scripts).toHaveProperty(name);
  }
  for (const [path] of text.matchAll(/(?:scripts|dist)\/[\w.-]+\.js\b/g)) {
    expect(existsSync(join(root, path)), path).toBe(true);
  }
});

it('the required job of the CI workflow depends on all others', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  const others = Object.keys(jobs).filter((name) => name !== 'ci');
  expect(jobs.ci.needs.toSorted()).toEqual(others.toSorted());
});

it('tests the oldest supported version of Node', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  const [oldest] = jobs.linux.strategy.matrix.node;
  expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${oldest}`);
  expect(jobs['other-systems'].strategy.matrix.node).toEqual(jobs.linux.strategy.matrix.node);
});

it('builds the image from existing directories only', () => {
  const kept = read('.dockerignore').match(/(?<=^!).*/gm) ?? [];
  expect(kept).toContain('src');
  for (const path of kept) expect(existsSync(join(root, path)), path).toBe(true);
});

/** The files below a directory: git refuses to list them for a user who does not own the clone. */
const filesIn = (directory: string) =>
  readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));

it('scripts/set-version.js updates every source and page that contains the version', () => {
  const word = new RegExp(`(?<!\\w)${version.replaceAll('.', '\\.')}(?!\\w)`);
  const names = ['src', 'docs'].flatMap(filesIn).filter((name) => word.test(read(name)));
  const script = read('scripts/set-version.js');
  expect(names).toContain('src/version.ts');
  for (const name of names) expect(script).toContain(`'${name}'`);
});

it('every example names the current version of the image', () => {
  const examples = 'src/cli/commands/help/examples';
  const images = readdirSync(join(root, examples)).flatMap((name) =>
    [...read(`${examples}/${name}`).matchAll(/image: \S+\/mop:(\S+)/g)].map(([, tag]) => tag),
  );
  expect(images).toEqual([version, version]);
});
