/**
 * Imports a module with all its imports as the text of one script.
 *
 * - `FILE?bundled` is CommonJS for Node. `new Worker(program, { eval: true })` runs it without a file,
 *   because a user's bundle and the single executable contain no such file.
 * - `FILE?browser` is a script for browsers.
 */
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

export const bundledText = {
  name: 'bundled-text',
  // Runs before vite resolves the name as a file.
  enforce: 'pre',
  resolveId: (source, importer) =>
    suffixOf(source) === undefined ? null : join(dirname(importer), source),
  async load(id) {
    const suffix = suffixOf(id);
    if (suffix === undefined) return null;
    const { output: format, ...options } = TARGETS[suffix];
    const { output } = await build({
      ...options,
      input: id.slice(0, -suffix.length),
      write: false,
      output: { ...format, codeSplitting: false, comments: false, minify: true },
    });
    return { code: `export default ${JSON.stringify(output[0].code)};`, moduleType: 'js' };
  },
};

function suffixOf(id) {
  return Object.keys(TARGETS).find((suffix) => id.endsWith(suffix));
}
