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

it('each command has a declaration file with its name, and a .run.ts file', () => {
  const missing = MOP.commands.flatMap((command) => missingFiles(command));
  expect(missing).toEqual([]);
});

/** The missing files of a command: `bill/fetch.ts` and `bill/fetch.run.ts` for `mop bill fetch`. */
function missingFiles({ name, load, commands = [] }: CommandDeclaration, group = ''): string[] {
  const places = group ? [`${group}/${name}`] : [name, `${name}/${name}`];
  const hasFile = (suffix: string): boolean =>
    places.some((place) => existsSync(join(SRC, 'cli/commands', `${place}${suffix}`)));
  const wanted = ['.ts', ...(load ? ['.run.ts'] : [])].filter((suffix) => !hasFile(suffix));
  return [
    ...wanted.map((suffix) => `${group}/${name}${suffix}`),
    ...commands.flatMap((child) => missingFiles(child, name)),
  ];
}

it('loads each .run.ts in its declaration, and has at most 47 other dynamic imports', () => {
  const imports = files.flatMap((path) =>
    [...readFileSync(join(SRC, path), 'utf8').matchAll(/^.*\bimport\(.*$/gm)].map(([line]) => ({
      path,
      line: line.trim(),
    })),
  );
  const [actions, others] = [
    imports.filter(({ line }) => line.startsWith('load: () => import(')),
    imports.filter(({ line }) => !line.startsWith('load: () => import(')),
  ];
  const misplaced = actions.filter(({ path, line }) => {
    const name = path.split('/').at(-1)?.replace('.ts', '.run.ts');
    return !path.startsWith('cli/commands/') || !line.includes(`import('./${name}')`);
  });
  expect(misplaced).toEqual([]);
  // dependency-cruiser does not see an import within a type.
  expect(imports.filter(({ line }) => /(?:typeof|[:=<|&]) ?import\(/.test(line))).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(47);
});
