/** The esbuild plugins of the bundle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const plugins = [
  {
    // Saves 24 ms of CPU time in each command that uses the network.
    name: 'undici-lean',
    setup({ onResolve }) {
      onResolve({ filter: /^undici$/ }, () => ({ path: `${root}/scripts/build/undici-lean.js` }));
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
    // The ES modules of graphql, without the unused ones, save 12 ms of CPU time in `mop gql`. All
    // imports must resolve to this form: graphql rejects types of a second copy.
    name: 'graphql',
    setup({ onResolve }) {
      onResolve({ filter: /^graphql(?:\/|$)/ }, ({ path }) => ({
        path: `${root}/node_modules/${path === 'graphql' ? 'graphql/index.mjs' : path.replace(/\.js$/, '.mjs')}`,
        sideEffects: false,
      }));
    },
  },
  {
    // `import text from 'FILE?raw'`, as in Vite.
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

/**
 * node-sqlite3-wasm reads its WebAssembly from its own directory. In the bundle the file is beside
 * the chunk; in the executable of `npm run build:sea` it is an asset.
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
