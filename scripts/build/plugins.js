/** The plugins of the bundle. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledText } from './bundled-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const plugins = [
  bundledText,
  {
    // Saves 24 ms of CPU time in each command that uses the network.
    name: 'undici-lean',
    resolveId: (source) =>
      source === 'undici' ? join(root, 'scripts/build/undici-lean.js') : null,
  },
  {
    name: 'node-sqlite3-wasm',
    load(id) {
      if (!id.endsWith('node-sqlite3-wasm.js')) return null;
      const source = readFileSync(id.replace(/js$/, 'wasm'));
      this.emitFile({ type: 'asset', fileName: `chunks/${WASM}`, source });
      return withBundledWasm(readFileSync(id, 'utf8'));
    },
  },
  {
    // The ES modules of graphql, without the unused ones, save 12 ms of CPU time in `mop gql`. All
    // imports must resolve to this form: graphql rejects types of a second copy.
    name: 'graphql',
    resolveId(source) {
      if (!/^graphql(?:\/|$)/.test(source)) return null;
      const path = source === 'graphql' ? 'graphql/index.mjs' : source.replace(/\.js$/, '.mjs');
      return { id: join(root, 'node_modules', path), moduleSideEffects: false };
    },
  },
  {
    // `import text from 'FILE?raw'`, as in Vite.
    name: 'raw',
    resolveId: (source, importer) =>
      source.endsWith('?raw') ? join(dirname(importer), source) : null,
    load: (id) =>
      id.endsWith('?raw')
        ? { code: readFileSync(id.replace(/\?raw$/, ''), 'utf8'), moduleType: 'text' }
        : null,
  },
];

const WASM = 'node-sqlite3-wasm.wasm';

/**
 * node-sqlite3-wasm reads its WebAssembly from its own directory. In the bundle the file is beside
 * the chunk; in the executable of `npm run build:sea` it is an asset.
 */
function withBundledWasm(source) {
  const directory = 'scriptDirectory=__dirname+"/"';
  const reading = 'return readBinary(file)';
  if (!source.includes(directory) || !source.includes(reading)) {
    throw new Error('node-sqlite3-wasm has changed: how does it find its WebAssembly now?');
  }
  return source.replace(directory, 'scriptDirectory=""').replace(
    reading,
    `const sea = require("node:sea");
     return sea.isSea() ? sea.getRawAsset("${WASM}") : readBinary(require.resolve("./${WASM}"))`,
  );
}
