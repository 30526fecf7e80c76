/**
 * `import program from 'FILE?bundled'` imports a module with all its imports, as the text of one
 * CommonJS script. `new Worker(program, { eval: true })` runs it without a file, because a user's
 * bundle and the single executable contain no such file.
 */
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const SUFFIX = '?bundled';

export const bundledText = {
  name: 'bundled-text',
  // Runs before vite resolves the name as a file.
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.endsWith(SUFFIX) ? join(dirname(importer), source) : null,
  async load(id) {
    if (!id.endsWith(SUFFIX)) return null;
    const { output } = await build({
      input: id.slice(0, -SUFFIX.length),
      platform: 'node',
      write: false,
      output: { format: 'cjs', codeSplitting: false, comments: false, minify: true },
    });
    return { code: `export default ${JSON.stringify(output[0].code)};`, moduleType: 'js' };
  },
};
