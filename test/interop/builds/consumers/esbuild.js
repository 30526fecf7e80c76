/** `node esbuild.js DIRECTORY` writes each bundle to a subdirectory. */
import { join } from 'node:path';
import { build } from 'esbuild';

async function bundle(name, entry, format, splitting = false) {
  await build({
    entryPoints: { main: entry },
    outdir: join(process.argv[2], name),
    bundle: true,
    format,
    logLimit: 0,
    minify: true,
    outExtension: { '.js': format === 'esm' ? '.mjs' : '.cjs' },
    platform: 'node',
    splitting,
  });
}

await bundle('module', 'main.ts', 'esm', true);
await bundle('commonjs', 'cjs/main.js', 'cjs');
await bundle('sign-from-index', 'sign-from-index.js', 'esm');
await bundle('sign-from-signing', 'sign-from-signing.js', 'esm');
