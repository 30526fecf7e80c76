/**
 * Runs a command from src/, without a build: `node scripts/from-source.js bill fetch --env sandbox`.
 * A debugger stops at breakpoints in the sources.
 */
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';
import { bundledText } from './build/bundled-text.js';

const server = await createViteServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  configFile: false,
  plugins: [bundledText],
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
const { run } = await server.ssrLoadModule('/src/cli/entry.ts');
await run();
