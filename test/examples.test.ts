/** Type-checks and runs the `@example` of every public export, and compares its output with its comments. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, promisify } from 'node:util';
import { parseSync } from 'rolldown/utils';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Export {
  readonly name: string;
  readonly isType: boolean;
  /** The name in the declaring file, and that file. */
  readonly local: string;
  readonly file: string;
}

const exported = [
  ...(await exportsOf(join(root, 'src/index.ts'))),
  ...(await exportsOf(join(root, 'src/signing.ts'))),
];
const values = exported.filter(({ isType }) => !isType);
const examples = await Promise.all(
  [...new Map(values.map((each) => [each.local, each])).values()].map(async (each) => ({
    name: each.local,
    code: await exampleOf(each),
  })),
);

/** Within the repository, so that the examples find its packages. */
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(root, 'test/.examples-'));
  for (const { name, code } of examples) {
    const source = code.replace(/'mop-cli(\/signing)?'/g, (_, signing) =>
      signing ? "'../../src/signing.ts'" : "'../../src/index.ts'",
    );
    await writeFile(join(directory, `${name}.ts`), `${source}\nexport {};\n`);
  }
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('every export occurs in an example', () => {
  const all = examples.map(({ code }) => code).join('\n');
  const unused = exported.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(all));
  // loadRuleEngine is the deprecated name of loadDetector.
  expect(unused.map(({ name }) => name)).toEqual(['loadRuleEngine']);
});

it('passes the type checker', async () => {
  const options = {
    extends: '../../tsconfig.json',
    include: ['*.ts', '../../scripts/build/raw.d.ts'],
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(options));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const checked = promisify(execFile)(tsc, ['-p', directory]);
  const { stdout } = await checked.catch((failure: { readonly stdout: string }) => failure);
  expect(stdout).toBe('');
});

describe('prints the output in its comments', () => {
  it.each(examples)('$name', async ({ name, code }) => {
    const before = process.cwd();
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    onTestFinished(() => {
      process.chdir(before);
      log.mockRestore();
    });
    process.chdir(await temporaryDirectory());
    await import(join(directory, `${name}.ts`));
    const printed = log.mock.calls.map((values) => format(...values));
    expect(printed).toEqual(code.match(/(?<=^\/\/ ).*/gm));
  });
});

/** The exports of an entry, without those that it re-exports from the other entry. */
async function exportsOf(entry: string): Promise<Export[]> {
  const { program } = parseSync(entry, await readFile(entry, 'utf8'));
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source) return [];
    const file = join(dirname(entry), statement.source.value);
    return statement.specifiers.map(({ exported, local, exportKind }) => ({
      name: nameOf(exported),
      local: nameOf(local),
      isType: statement.exportKind === 'type' || exportKind === 'type',
      file,
    }));
  });
}

function nameOf(node: { readonly name: string } | { readonly value: unknown }): string {
  return 'name' in node ? node.name : String(node.value);
}

/** The code of the `@example` in front of a declaration. */
async function exampleOf({ local, file }: Export): Promise<string> {
  const source = await readFile(file, 'utf8');
  const declaration = `export (?:async )?(?:function|const|class) ${local}\\b`;
  const [before = ''] = source.split(new RegExp(`^${declaration}`, 'm'));
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(before) ?? [];
  const [, code] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(comment) ?? [];
  if (code === undefined) throw new Error(`${local} in ${file} has no @example`);
  return code.replaceAll(/^ \* ?/gm, '');
}
