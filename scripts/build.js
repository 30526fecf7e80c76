/** Bundles src into dist, split so that a command loads only what it needs, and emits the types. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

rmSync(`${root}/dist`, { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/entry.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  plugins: [
    {
      name: 'undici-lean',
      setup({ onResolve }) {
        onResolve({ filter: /^undici$/ }, () => ({ path: `${root}/scripts/undici-lean.js` }));
      },
    },
  ],
});

const tsc = require.resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', `${root}/scripts/tsconfig.types.json`], {
  stdio: 'inherit',
});
