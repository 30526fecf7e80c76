/** `node webpack.js ENTRY module|commonjs2 DIRECTORY [--minify]` */
import { resolve } from 'node:path';
import webpack from 'webpack';

const [entry, type, directory, minify] = process.argv.slice(2);
const module = type === 'module';
const extension = module ? 'mjs' : 'cjs';
const config = {
  mode: 'production',
  target: 'node20.18',
  entry: resolve(entry),
  experiments: { outputModule: module },
  optimization: { minimize: minify === '--minify' },
  output: {
    path: resolve(directory),
    filename: `main.${extension}`,
    chunkFilename: `[id].${extension}`,
    library: { type },
  },
};
webpack(config, (error, stats) => {
  const problems = error ?? (stats.hasErrors() || stats.hasWarnings() ? stats.toString() : '');
  if (problems) throw new Error(problems);
});
