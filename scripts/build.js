/**
 * Bundles src into dist: the command line, split so that a command loads only what it needs, and
 * the library (`build/library.js`). Emits the library's types.
 *
 * The command line is CommonJS: Node loads such a file in half the time of an ES module, and the
 * executable of `npm run build:sea` can hold nothing else.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeData } from './build/data.js';
import { emitDeclarations } from './build/declarations.js';
import { writeLibrary } from './build/library.js';
import { OUTPUT, refuseLogs } from './build/output.js';
import { assertPatched } from './build/patches.js';
import { plugins } from './build/plugins.js';
import { billOfMaterials, bundledPackages, licenses } from './build/third-party.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}/dist`;

/** Modules and folders that several commands share, as one file: half as many to load at a start. */
const SHARED = {
  facts: [
    ...['detection', 'defaults', 'graphql', 'limits', 'operations', 'sandbox', 'time-zone'].map(
      (name) => `src/protocol/${name}.ts`,
    ),
    ...['redact', 'secrets'].map((name) => `src/http/${name}.ts`),
    'src/errors.ts',
    'src/version.ts',
  ],
  signing: [
    ...readdirSync(`${root}/src/signing`)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/signing/${name}`),
    ...['build', 'parse', 'print', 'value'].map((name) => `src/json/${name}.ts`),
  ],
  input: ['dry-run', 'input', 'json-document', 'print-curl', 'request-content', 'secret'].map(
    (name) => `src/cli/context/${name}.ts`,
  ),
};
for (const path of Object.values(SHARED).flat()) {
  if (!existsSync(join(root, path))) throw new Error(`scripts/build.js shares ${path}: it is gone`);
}

assertPatched(root);
rmSync(dist, { recursive: true, force: true });

const bundle = await rolldown({
  cwd: root,
  input: { cli: 'src/cli/entry.ts' },
  platform: 'node',
  plugins,
  preserveEntrySignatures: 'allow-extension',
  onLog: refuseLogs,
});
const { output } = await bundle.write({
  ...OUTPUT,
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // Rewriting expressions (`compress`) costs 2 ms at each start. Short names (`mangle`) gain nothing
  // measurable, and would show in stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: {
    groups: Object.entries(SHARED).map(([name, paths]) => ({
      name,
      test: (id) => paths.some((path) => id.startsWith(join(root, path))),
      minShareCount: 2,
      includeDependenciesRecursively: false,
    })),
  },
});
const modules = [
  ...output.flatMap(({ modules = {} }) => Object.keys(modules)),
  ...(await writeLibrary(root, dist)),
  ...(await writeData(root, dist)),
];
const packages = bundledPackages(root, modules);
const product = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
writeFileSync(`${dist}/THIRD-PARTY-LICENSES.txt`, licenses(packages));
writeFileSync(`${dist}/sbom.cdx.json`, billOfMaterials(product, packages));

emitDeclarations(root);
