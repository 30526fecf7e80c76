/** `node vite.js ENTRY server|browser DIRECTORY` */
import { build } from 'vite';

const [entry, target, outDir] = process.argv.slice(2);
await build({
  configFile: false,
  logLevel: 'silent',
  ssr: { noExternal: true },
  build: {
    ssr: target === 'server',
    minify: true,
    outDir,
    rolldownOptions: {
      input: { main: entry },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
