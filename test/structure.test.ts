/** Checks the layout in CONTRIBUTING; dependency-cruiser checks the import rules. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MOP } from '../src/cli/commands.ts';
import type { CommandDeclaration } from '../src/cli/frame/command.ts';

const SRC = join(import.meta.dirname, '../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort();

it('keeps all of src except five files in folders', () => {
  expect(files.filter((path) => !path.includes('/'))).toEqual([
    'any-length.ts',
    'errors.ts',
    'index.ts',
    'signing.ts',
    'version.ts',
  ]);
});

it('declares each command in a file that is named after it or after its group', () => {
  const missing = MOP.commands.flatMap((command) => undeclared(command));
  expect(missing).toEqual([]);
});

/** The commands without a declaration: `mop bill info` is in `bill/info.ts`, or with its group. */
function undeclared({ name, commands = [] }: CommandDeclaration, group = ''): string[] {
  const places = group
    ? [`${group}/${name}`, `${group}/${group}`, group]
    : [`${name}/${name}`, name];
  const isDeclared = places.some((place) => {
    const path = join(SRC, 'cli/commands', `${place}.ts`);
    return existsSync(path) && readFileSync(path, 'utf8').includes(`name: '${name}'`);
  });
  return [
    ...(isDeclared ? [] : [`${group} ${name}`]),
    ...commands.flatMap((child) => undeclared(child, name)),
  ];
}

it('loads actions from .run.ts files, and has at most 50 other dynamic imports', () => {
  const imports = files.flatMap((path) =>
    [...readFileSync(join(SRC, path), 'utf8').matchAll(/^.*\bimport\(.*$/gm)].map(([line]) => ({
      path,
      line: line.trim(),
    })),
  );
  const isAction = ({ line }: { line: string }): boolean => line.startsWith('load: async () =>');
  const others = imports.filter((each) => !isAction(each));
  const misplaced = imports.filter(isAction).filter(({ path, line }) => {
    return !path.startsWith('cli/commands/') || !/import\('\.\/[\w./-]+\.run\.ts'\)/.test(line);
  });
  expect(misplaced).toEqual([]);
  // dependency-cruiser does not see an import within a type.
  expect(imports.filter(({ line }) => /(?:typeof|[:=<|&]) ?import\(/.test(line))).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(50);
});
