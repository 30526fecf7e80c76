/** Bundles src into dist, split so that a command loads only what it needs, and emits the types. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

rmSync(`${root}/dist`, { recursive: true, force: true });

const options = {
  absWorkingDir: root,
  metafile: true,
  entryPoints: { cli: 'src/cli/entry.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  assetNames: 'chunks/[name]-[hash]',
  loader: { '.wasm': 'file' },
  logLevel: 'warning',
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};

const mends = [
  {
    name: 'undici',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^undici$/ }, () => ({ path: `${root}/scripts/undici-lean.js` }));
      onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/ }, ({ path }) => ({
        contents: withPausedFinish(readFileSync(path, 'utf8')),
      }));
    },
  },
  {
    name: 'node-sqlite3-wasm',
    setup({ onLoad }) {
      onLoad({ filter: /node-sqlite3-wasm\.js$/ }, ({ path }) => ({
        contents: withBundledWasm(readFileSync(path, 'utf8')),
      }));
    },
  },
  {
    // In the form that leaves out what nobody uses, and in this one alone: two forms side by side
    // would not know each other's types.
    name: 'graphql',
    setup({ onResolve }) {
      onResolve({ filter: /^graphql(?:\/|$)/ }, ({ path }) => ({
        path: `${root}/node_modules/${path === 'graphql' ? 'graphql/index.mjs' : path.replace(/\.js$/, '.mjs')}`,
        sideEffects: false,
      }));
    },
  },
  {
    // Files as text, by the convention that vitest has too.
    name: 'raw',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path.replace(/\?raw$/, '')),
        namespace: 'raw',
      }));
      onLoad({ filter: /.*/, namespace: 'raw' }, ({ path }) => ({
        contents: readFileSync(path, 'utf8'),
        loader: 'text',
      }));
    },
  },
];

const draft = await build({ ...options, plugins: mends, write: false });
const { metafile } = await build({ ...options, plugins: [...mends, together(draft.metafile)] });

/**
 * esbuild makes a file of the modules that the same set of lazily loaded parts shares: thirty small
 * ones for the command line to read at each start. What it always loads is made a dependency of
 * every part here, so that all of it has one set, and becomes one file.
 */
function together({ inputs, outputs }) {
  const fileOf = (entry) => Object.keys(outputs).find((file) => outputs[file].entryPoint === entry);
  const ownModules = (file) =>
    Object.keys(outputs[file].inputs).filter((name) => /^src/.test(name));
  const sharedBy = (file) =>
    outputs[file].imports
      .filter(({ path, kind }) => kind === 'import-statement' && outputs[path])
      .flatMap(({ path }) => [...ownModules(path), ...sharedBy(path)]);

  const [entry, program] = ['src/cli/entry.ts', 'src/cli/program.ts'];
  const first = sharedBy(fileOf(entry));
  const always = [...new Set([...first, ...sharedBy(fileOf(program))])];
  const loaded = [...always, ...ownModules(fileOf(entry)), ...ownModules(fileOf(program))];
  const parts = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, path }) => kind === 'dynamic-import' && !loaded.includes(path))
    .map(({ path }) => path);
  const added = new Map([...parts, 'src/index.ts'].map((part) => [part, always]));
  added.set(program, first);
  return {
    name: 'together',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const modules = added.get(relative(root, path).replaceAll('\\', '/'));
        if (!modules) return undefined;
        const imports = modules.map((module) => `import ${JSON.stringify(join(root, module))};`);
        return { contents: `${readFileSync(path, 'utf8')}\n${imports.join('\n')}`, loader: 'ts' };
      });
    },
  };
}

/** The licence texts of the packages that the bundle carries: they ask to go with every copy. */
function licenses(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  return [...packages]
    .sort()
    .map((name) => {
      const folder = `${root}/node_modules/${name}`;
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      const text = file ? readFileSync(`${folder}/${file}`, 'utf8') : license;
      return `${name} ${version}\n\n${text.trim()}\n`;
    })
    .join(`\n${'-'.repeat(72)}\n\n`);
}

/**
 * undici 7 ends the process with an assertion when a server closes its connection while the reader
 * of a body is behind (nodejs/undici#5360, mended in undici 8, which needs Node 22). Here the
 * parser is driven on instead: a complete body ends, and one that is cut is an error as before.
 */
function withPausedFinish(source) {
  const start = source.indexOf('  finish () {');
  const assertion = source.indexOf('    assert(!this.paused)\n', start);
  const end = source.indexOf('    const { llhttp } = this\n', start);
  if (start < 0 || assertion < start || assertion > end) {
    throw new Error('undici has changed: is the work-around for its issue 5360 still needed?');
  }
  const resume = `
    for (let pass = 0; this.paused && pass < 2; pass++) {
      this.llhttp.llhttp_resume(this.ptr)
      this.paused = false
      // The first pass completes a body of known length; without one it pauses again.
      if (pass === 0) this.execute(EMPTY_BUF)
    }
    if (this.statusCode === 0) return null
`;
  return source.slice(0, assertion) + resume + source.slice(end);
}

/** node-sqlite3-wasm reads its WebAssembly beside itself: here that is a file beside the chunk. */
function withBundledWasm(source) {
  const directory = 'scriptDirectory=__dirname+"/"';
  const name = 'return locateFile("node-sqlite3-wasm.wasm")';
  if (![directory, name].every((part) => source.includes(part))) {
    throw new Error('node-sqlite3-wasm has changed: how does it find its WebAssembly now?');
  }
  return source
    .replace(directory, 'scriptDirectory=""')
    .replace(name, 'return require.resolve(require("./node-sqlite3-wasm.wasm"))');
}

writeFileSync(`${root}/dist/THIRD-PARTY-LICENSES.txt`, licenses(Object.keys(metafile.inputs)));

const tsc = require.resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', `${root}/scripts/tsconfig.types.json`], {
  stdio: 'inherit',
});
