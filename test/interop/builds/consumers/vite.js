/** `node vite.js DIRECTORY` writes each bundle to a subdirectory. */
import { join } from 'node:path';
import { build } from 'vite';

async function bundle(name, entry, { ssr = true, format = 'es' } = {}) {
  const extension = format === 'es' ? 'mjs' : 'cjs';
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr,
      minify: true,
      outDir: join(process.argv[2], name),
      rolldownOptions: {
        input: { main: entry },
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
        },
      },
    },
  });
}

await bundle('module', 'main.ts');
await bundle('commonjs', 'main.ts', { format: 'cjs' });
for (const name of ['sign-from-index', 'sign-from-signing']) {
  await bundle(name, `${name}.js`);
  await bundle(`${name}-in-browser`, `${name}.js`, { ssr: false });
}
await bundle('verify-in-browser', 'verify-in-browser.js', { ssr: false });
