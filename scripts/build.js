/**
 * Bundles src into dist, split so that a command loads only what it needs, and emits the types.
 *
 * The bundle is CommonJS: Node loads such a file in half the time of an ES module, and the
 * executable of `npm run build:sea` can hold nothing else. Users of the library import
 * `dist/index.js`, an ES module that re-exports the bundle.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { emitDeclarations } from './build/declarations.js';
import { plugins } from './build/plugins.js';
import { billOfMaterials, bundledPackages, licenses } from './build/third-party.js';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });

const options = {
  absWorkingDir: root,
  metafile: true,
  entryPoints: { cli: 'src/cli/entry.ts', index: 'src/index.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  assetNames: 'chunks/[name]-[hash]',
  loader: { '.wasm': 'file' },
  logLevel: 'warning',
  write: false,
};

/** What so many commands need, all of them may load. */
const SEVERAL = 2;

const draft = await build({ ...options, plugins });
const { metafile, outputFiles } = await build({
  ...options,
  plugins: [...plugins, together(draft.metafile)],
});
for (const { path, contents, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, path.endsWith('.cjs') ? await asCommonJs(text) : contents);
}
writeFileSync(`${root}/dist/index.js`, "export * from './index.cjs';\n");
const packages = bundledPackages(root, Object.keys(metafile.inputs));
const product = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
writeFileSync(`${root}/dist/THIRD-PARTY-LICENSES.txt`, licenses(packages));
writeFileSync(`${root}/dist/sbom.cdx.json`, billOfMaterials(product, packages));

emitDeclarations(root);

/** esbuild splits modules alone; each file is turned into CommonJS by itself. */
async function asCommonJs(module) {
  const { code } = await transform(module, {
    format: 'cjs',
    platform: 'node',
    target: options.target,
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
  });
  return code;
}

/**
 * esbuild makes a file of the modules that the same set of lazily loaded parts shares: thirty small
 * ones for the command line to read at each start. What several commands need is made a dependency
 * of every part here, so that all of it has one set, and becomes one file.
 */
function together({ inputs }) {
  const targets = (module, kind) =>
    inputs[module].imports.filter((found) => found.kind === kind && inputs[found.path]);
  const needs = (module, found = new Set()) => {
    if (found.has(module)) return found;
    found.add(module);
    for (const { path } of targets(module, 'import-statement')) needs(path, found);
    return found;
  };
  const [entry, program] = ['src/cli/entry.ts', 'src/cli/frame/program.ts'];
  const users = new Map([...needs(entry), ...needs(program)].map((module) => [module, SEVERAL]));
  const commands = new Set(targets(program, 'dynamic-import').map(({ path }) => path));
  for (const command of commands) {
    for (const module of needs(command)) users.set(module, (users.get(module) ?? 0) + 1);
  }
  const core = [...users.keys()].filter(
    (module) => users.get(module) >= SEVERAL && module.startsWith('src') && module !== program,
  );

  const imports = Object.values(inputs).flatMap((input) => input.imports);
  const parts = imports
    .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path])
    .map(({ path }) => path);
  const early = parts.find((part) => core.includes(part));
  if (early) throw new Error(`import ${early} statically: every command loads it`);
  const added = core.map((module) => `import ${JSON.stringify(join(root, module))};`).join('\n');
  return {
    name: 'together',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (!parts.includes(relative(root, path).replaceAll('\\', '/'))) return undefined;
        return { contents: `${readFileSync(path, 'utf8')}\n${added}`, loader: 'ts' };
      });
    },
  };
}
