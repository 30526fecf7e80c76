/**
 * `import program from 'FILE?bundled'`: a module with all that it imports, as the text of one
 * CommonJS script. A thread runs it with `new Worker(program, { eval: true })`: such a thread needs no
 * file, which other people's bundles and the single executable would lose.
 */
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const SUFFIX = '?bundled';

export const bundledText = {
  name: 'bundled-text',
  // Before vite looks for a file of that name.
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
