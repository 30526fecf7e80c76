/** `node esbuild.js ENTRY esm|cjs DIRECTORY [--split]` */
import { build } from 'esbuild';

const [entry, format, outdir, split] = process.argv.slice(2);
await build({
  entryPoints: { main: entry },
  outdir,
  bundle: true,
  format,
  logLimit: 0,
  minify: true,
  outExtension: { '.js': format === 'esm' ? '.mjs' : '.cjs' },
  platform: 'node',
  splitting: split === '--split',
});
