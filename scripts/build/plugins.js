/** The plugins of all bundles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledText } from './bundled-text.js';
import { sharedData } from './data.js';
import { rawText } from './raw-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readWasm = JSON.stringify(join(root, 'scripts/build/sqlite-wasm.js'));

/** The modules for HTTP/2, SOCKS proxies and bodies of FormData. */
const UNUSED_BY_UNDICI = /\/(?:client-h2\.js|socks5-proxy-agent|fetch\/body\.js)$/;

export const plugins = [
  bundledText,
  sharedData,
  {
    // Saves 23 % of `mop call`. The modules that it leaves out save another 4 %.
    name: 'undici-lean',
    resolveId(source, importer) {
      if (source === 'undici') return join(root, 'scripts/build/undici-lean.js');
      if (!importer?.includes('/undici/lib/')) return null;
      if (source === 'node:assert') return join(root, 'scripts/build/quick-assert.cjs');
      return UNUSED_BY_UNDICI.test(source) ? join(root, 'scripts/build/left-out.cjs') : null;
    },
  },
  replaceIn('node-sqlite3-wasm/dist/node-sqlite3-wasm.js', {
    // The package reads its WebAssembly from its own directory; bundlers do not copy it.
    'if(typeof __filename!="undefined"){_scriptName=__filename}else{}': '',
    'scriptDirectory=__dirname+"/"': 'scriptDirectory=""',
    'return readBinary(file)': `return require(${readWasm}).readWasm()`,
  }),
  // env-paths, which conf imports, reads the home directory when it is loaded. It throws if the user
  // has no home directory, as in a container. We pass another directory to conf.
  replaceIn('conf/node_modules/env-paths/index.js', {
    'const homedir = os.homedir();': "const homedir = '/';",
  }),
  // Bundlers would try to resolve the optional packages of ws.
  replaceIn('ws/lib/buffer-util.js', { '!process.env.WS_NO_BUFFER_UTIL': 'false' }),
  replaceIn('ws/lib/validation.js', { '!process.env.WS_NO_UTF_8_VALIDATE': 'false' }),
  {
    // The ES modules of graphql, reduced to the used ones, save 10 % of `mop gql`. All imports must
    // resolve to this form, because graphql rejects types of a second copy.
    name: 'graphql',
    resolveId(source) {
      if (!/^graphql(?:\/|$)/.test(source)) return null;
      const path = source === 'graphql' ? 'graphql/index.mjs' : source.replace(/\.js$/, '.mjs');
      return { id: join(root, 'node_modules', path), moduleSideEffects: false };
    },
  },
  rawText,
];

/** Replaces texts of a module. Fails if one of them is missing. */
export function replaceIn(module, replacements) {
  return {
    name: module,
    load(id) {
      if (id !== join(root, 'node_modules', module)) return null;
      return Object.entries(replacements).reduce(
        (source, [from, to]) => {
          if (!source.includes(from)) throw new Error(`${module} has changed: ${from} is missing`);
          return source.replace(from, to);
        },
        readFileSync(id, 'utf8'),
      );
    },
  };
}
