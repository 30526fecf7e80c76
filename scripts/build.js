/**
 * Bundles src into dist, split so that a command loads only what it needs, and emits the types.
 *
 * The bundle is CommonJS: Node loads a file of it in half the time that a module takes, and the
 * executable of `npm run build:sea` can hold nothing else. The library's users see a module,
 * `dist/index.js`, which hands on what the bundle exports.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { emitDeclarations } from './declarations.js';
import { billOfMaterials, bundledPackages, licenses } from './third-party.js';

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

const mends = [
  {
    name: 'undici',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^undici$/ }, () => ({ path: `${root}/scripts/undici-lean.js` }));
      onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/ }, ({ path }) => ({
        contents: withResetAsFailure(withPausedFinish(readFileSync(path, 'utf8'))),
      }));
    },
  },
  {
    // What packages load at once for what we never ask of them: commands that are programs of their
    // own, HTTP/2, and messages of Node's own HTTP.
    name: 'unused',
    setup({ onResolve, onLoad }) {
      const UNUSED = [
        { importer: /[\\/]commander[\\/]/, module: /^node:child_process$/, contents: '' },
        { importer: /[\\/]undici[\\/]/, module: /client-h2\.js$/, contents: '' },
        {
          importer: /[\\/]undici[\\/]/,
          module: /^node:http$/,
          contents: 'exports.IncomingMessage = class {}; exports.maxHeaderSize = 16384;',
        },
      ];
      onResolve(
        { filter: /^node:(?:child_process|http)$|client-h2\.js$/ },
        ({ path, importer }) => {
          const unused = UNUSED.find(
            (each) => each.importer.test(importer) && each.module.test(path),
          );
          return unused && { path, namespace: 'unused', pluginData: unused.contents };
        },
      );
      onLoad({ filter: /.*/, namespace: 'unused' }, ({ pluginData }) => ({ contents: pluginData }));
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

/** What so many commands need, all of them may load. */
const SEVERAL = 2;

const draft = await build({ ...options, plugins: mends });
const { metafile, outputFiles } = await build({
  ...options,
  plugins: [...mends, together(draft.metafile)],
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

/**
 * undici takes a reset for the end of a body that has no other end, for the sake of servers that
 * close so on macOS. A bill that is known to be cut must not pass for one.
 */
function withResetAsFailure(source) {
  const reset = "if (err.code === 'ECONNRESET' && parser.statusCode && !parser.shouldKeepAlive) {";
  if (!source.includes(reset)) throw new Error('undici has changed: what is a reset to it now?');
  return source.replace(reset, 'if (false) {');
}

/**
 * node-sqlite3-wasm reads its WebAssembly beside itself: here that is a file beside the chunk, and
 * in the executable of `npm run build:sea` an asset.
 */
function withBundledWasm(source) {
  const directory = 'scriptDirectory=__dirname+"/"';
  const name = 'return locateFile("node-sqlite3-wasm.wasm")';
  const reading = 'return readBinary(file)';
  if (![directory, name, reading].every((part) => source.includes(part))) {
    throw new Error('node-sqlite3-wasm has changed: how does it find its WebAssembly now?');
  }
  return source
    .replace(directory, 'scriptDirectory=""')
    .replace(name, 'return require("./node-sqlite3-wasm.wasm")')
    .replace(
      reading,
      `const sea = require("node:sea");
       return sea.isSea() ? sea.getRawAsset(file.replace("./", "")) : readBinary(require.resolve(file))`,
    );
}
