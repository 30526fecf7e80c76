/**
 * Imports a module with all its imports as the text of one script.
 *
 * - `FILE?bundled` is CommonJS for Node. `new Worker(program, { eval: true })` runs it without a file,
 *   because a user's bundle and the single executable contain no such file.
 * - `FILE?browser` is a script for browsers.
 *
 * `FOLDER?assets` is the texts of the scripts, styles and images in a folder, by name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { browserRuntime } from './browser-runtime.js';
import { rawText } from './raw-text.js';

const TARGETS = {
  '?bundled': { platform: 'node', plugins: [rawText], output: { format: 'cjs' } },
  '?browser': {
    platform: 'browser',
    // The scripts of pages work by their side effects; package.json declares none.
    treeshake: { moduleSideEffects: [{ test: /\/assets\/[^/]+\.js$/, sideEffects: true }] },
    plugins: [browserRuntime, rawText],
    output: { format: 'iife' },
  },
};

const ASSETS = '?assets';

export const bundledText = {
  name: 'bundled-text',
  // Runs before vite resolves the name as a file.
  enforce: 'pre',
  resolveId: (source, importer) =>
    suffixOf(source) === undefined ? null : join(dirname(importer), source),
  async load(id) {
    const suffix = suffixOf(id);
    if (suffix === undefined) return null;
    if (suffix === ASSETS) return exported(assetsOf(id.slice(0, -ASSETS.length)));
    const { output: format, ...options } = TARGETS[suffix];
    const { output } = await build({
      ...options,
      input: id.slice(0, -suffix.length),
      write: false,
      output: { ...format, codeSplitting: false, comments: false, minify: true },
    });
    return exported(output[0].code);
  },
};

function suffixOf(id) {
  return [...Object.keys(TARGETS), ASSETS].find((suffix) => id.endsWith(suffix));
}

function exported(value) {
  return { code: `export default ${JSON.stringify(value)};`, moduleType: 'js' };
}

function assetsOf(folder) {
  const names = readdirSync(folder).filter((name) => /\.(?:css|js|svg)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
