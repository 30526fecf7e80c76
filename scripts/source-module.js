/**
 * Loads a module of the sources with all its imports, without a build. Errors and debuggers show
 * the sources.
 */
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';
import { bundledText } from './build/bundled-text.js';

/** @param path The path from the root, such as `/src/cli/entry.ts`. */
export async function sourceModule(path) {
  const server = await createViteServer({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    plugins: [bundledText],
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: null },
  });
  return server.ssrLoadModule(path);
}
