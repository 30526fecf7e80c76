/** `node webpack.js DIRECTORY` writes each bundle to a subdirectory. */
import { join, resolve } from 'node:path';
import webpack from 'webpack';

function bundle(name, entry, type, minimize) {
  const extension = type === 'module' ? 'mjs' : 'cjs';
  return {
    mode: 'production',
    target: 'node20.18',
    entry: resolve(entry),
    experiments: { outputModule: type === 'module' },
    optimization: { minimize },
    output: {
      path: join(process.argv[2], name),
      filename: `main.${extension}`,
      chunkFilename: `[id].${extension}`,
      library: { type },
    },
  };
}

const bundles = [
  bundle('module', 'esm/main.js', 'module', false),
  bundle('commonjs', 'cjs/main.js', 'commonjs2', false),
  bundle('sign-from-index', 'sign-from-index.js', 'module', true),
  bundle('sign-from-signing', 'sign-from-signing.js', 'module', true),
];
webpack(bundles, (error, stats) => {
  const problems = error ?? (stats.hasErrors() || stats.hasWarnings() ? stats.toString() : '');
  if (problems) throw new Error(problems);
});
