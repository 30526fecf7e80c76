/**
 * Writes dist/data: the biggest modules of the bundles, shared by the command line and both forms
 * of the library. They are CommonJS without imports, which every module system and every bundler
 * supports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown } from 'rolldown';
import { OUTPUT, refuseLogs } from './output.js';

const MODULES = {
  'opencc-js/t2cn': 'opencc',
  './rule-families.ts': 'rule-families',
  './trained-model.ts': 'trained-model',
};

const WASM = 'node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm';

const FILES = { ...MODULES, [WASM]: 'sqlite-wasm' };

/** Replaces imports of these modules with imports of their files in `dist/data`. */
export const sharedData = {
  name: 'shared-data',
  resolveId: (source) =>
    FILES[source] ? { id: `../data/${FILES[source]}.cjs`, external: true } : null,
};

/** @returns The paths of the modules in the files. */
export async function writeData(root, dist) {
  const bundles = Object.entries(MODULES).map(async ([module, name]) => {
    const input = module.replace(/^\./, 'src/detection/engine');
    const bundle = await rolldown({ cwd: root, input, onLog: refuseLogs });
    const file = join(dist, 'data', `${name}.cjs`);
    const { output } = await bundle.write({ ...OUTPUT, file, format: 'cjs', exports: 'named' });
    return output.flatMap(({ modules = {}, imports = [] }) => {
      if (imports.length > 0) throw new Error(`${file} imports ${imports}`);
      return Object.keys(modules);
    });
  });
  const modules = (await Promise.all(bundles)).flat();
  // The default, 11, takes a quarter of the CPU time of the build, and saves 45 KB.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const wasm = brotliCompressSync(readFileSync(join(root, 'node_modules', WASM)), { params });
  // Encoded as text, because bundlers do not copy other files.
  const code = `module.exports = '${wasm.toString('base64')}';\n`;
  writeFileSync(join(dist, 'data', `${FILES[WASM]}.cjs`), code);
  return modules;
}
