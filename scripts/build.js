/**
 * Bundles src into dist: the command line, split so that a command loads only the modules that it
 * needs, and the library (`build/library.js`). Emits the library's types.
 *
 * The command line is CommonJS: Node loads it in half the time of an ES module, and the executable
 * of `npm run build:sea` supports nothing else.
 */
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { writeData } from './build/data.js';
import { emitDeclarations } from './build/declarations.js';
import { writeLibrary } from './build/library.js';
import { OUTPUT, refuseLogs } from './build/output.js';
import { assertPatched } from './build/patches.js';
import { plugins, replaceIn } from './build/plugins.js';
import { billOfMaterials, bundledPackages, licenses } from './build/third-party.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}/dist`;

/**
 * One chunk for each stage of a start: `--version`, every command, a signature, a call of a server,
 * files, and bills. A module is in the first chunk that needs it. Saves 13 % of `mop sign`.
 */
const CHUNKS = {
  entry: ['src/cli/entry.ts'],
  // Modules that `--help` and commands share.
  start: [
    'src/cli/main.ts',
    'src/cli/context/print-curl.ts',
    'src/protocol/readings.ts',
    'src/protocol/result-codes.ts',
  ],
  signature: ['src/cli/commands/sign/sign.run.ts'],
  call: [
    'src/cli/commands/call.run.ts',
    // Modules that `bill fetch` shares with every command that sends a request.
    'src/cli/context/spinner.ts',
    'src/http/content-coding.ts',
  ],
  // Modules that write files.
  files: ['src/cli/context/cache.ts', 'src/files/lock.ts'],
  bills: ['src/cli/commands/bill/fetch.run.ts'],
};

/** The number of wrappers that {@link eagerWrappers} rewrote. */
let wrappers = 0;

/**
 * V8 compiles a function in parentheses immediately. It pre-parses an arrow function, and compiles it
 * when it is called. For the wrappers of CommonJS modules, the difference is 5 % of `mop gql`.
 */
const eagerWrappers = {
  name: 'eager-wrappers',
  renderChunk: (code) =>
    code.replace(/\(\(\((exports(?:, module)?|)\) => \{/g, (_, parameters) => {
      wrappers++;
      return `((function(${parameters}) {`;
    }),
};

/**
 * V8 of Node 20 would optimise undici's WebAssembly parser in the background, which is 56 % of the
 * CPU time of `mop call`. The flag is set only here, because V8 rejects cached code that was compiled
 * under another flag. scripts/sea/compile.cjs intercepts the statement.
 */
const unoptimisedParser = replaceIn('undici/lib/dispatcher/client-h1.js', {
  'function lazyllhttp () {':
    "function lazyllhttp () {require('node:v8').setFlagsFromString('--liftoff-only')",
});

const started = new Date();
assertPatched(root);
rmSync(dist, { recursive: true, force: true });

const bundle = await rolldown({
  cwd: root,
  input: { cli: 'src/cli/entry.ts' },
  platform: 'node',
  plugins: [...plugins, unoptimisedParser, eagerWrappers],
  preserveEntrySignatures: 'allow-extension',
  onLog: refuseLogs,
});
const { output } = await bundle.write({
  ...OUTPUT,
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // In the executable, import() fails.
  dynamicImportInCjs: false,
  // Short names save 5 % of `mop gql`.
  minify: true,
  codeSplitting: {
    groups: Object.entries(CHUNKS).map(([name, paths], index, { length }) => ({
      debugName: name,
      name: chunkOf(name, paths),
      priority: length - index,
      includeDependenciesRecursively: false,
    })),
  },
});
if (wrappers === 0) throw new Error('the wrappers of CommonJS modules have changed');
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

// build-if-changed.js compares this time with those of the sources.
utimesSync(`${dist}/sbom.cdx.json`, started, started);

/** Names the chunk of the modules at `paths`, and of all that they import. */
function chunkOf(name, paths) {
  let modules;
  return (module, context) => {
    if (!modules) {
      modules = new Set();
      for (const path of paths) addImports(join(root, path), context, modules);
    }
    return modules.has(module) ? name : null;
  };
}

function addImports(module, context, found) {
  if (found.has(module)) return;
  const info = context.getModuleInfo(module);
  if (!info) throw new Error(`CHUNKS in scripts/build.js contains ${module}, which does not exist`);
  found.add(module);
  for (const id of info.importedIds) addImports(id, context, found);
}
