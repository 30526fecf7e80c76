/**
 * Bundles the library, without the command line: as ES modules, as CommonJS, and its entry for
 * signatures for browsers. Each module that is loaded on demand has a chunk.
 */
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { browserRuntime } from './browser-runtime.js';
import { OUTPUT, refuseLogs } from './output.js';
import { plugins as nodePlugins } from './plugins.js';
import { rawText } from './raw-text.js';

export const ENTRIES = { index: 'src/index.ts', signing: 'src/signing.ts' };

/** In an ES module bundled by esbuild, require() of Node's modules fails. */
const importsForRequire = esmExternalRequirePlugin({
  external: [/^node:/, ...builtinModules],
});

/** @returns The paths of the modules in the bundles. */
export async function writeLibrary(root, dist) {
  const modules = await Promise.all([
    write(root, ENTRIES, {
      dir: join(dist, 'esm'),
      format: 'esm',
      plugins: [...nodePlugins, importsForRequire],
    }),
    write(root, ENTRIES, { dir: join(dist, 'cjs'), format: 'cjs', plugins: nodePlugins }),
    write(
      root,
      { signing: ENTRIES.signing },
      {
        dir: join(dist, 'browser'),
        format: 'esm',
        platform: 'browser',
        plugins: [browserRuntime, rawText],
      },
    ),
  ]);
  return modules.flat();
}

async function write(root, input, { dir, format, platform = 'node', plugins }) {
  const extension = format === 'esm' ? 'js' : 'cjs';
  const entries = Object.values(input).map((path) => join(root, path));
  const bundle = await rolldown({
    cwd: root,
    input,
    platform,
    plugins,
    // Otherwise rolldown keeps an unused import that it adds.
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    onLog: refuseLogs,
    // The entry imports some modules directly that a single command loads on demand.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.write({
    ...OUTPUT,
    dir,
    format,
    entryFileNames: `[name].${extension}`,
    // Drops the list of entries from the name.
    chunkFileNames: ({ name }) => `${name.replace(/~.*/, '')}-[hash].${extension}`,
    // Jest cannot import() from CommonJS.
    dynamicImportInCjs: false,
    // A bundler drops unused chunks: a program that only signs has 15 KB instead of 300. Therefore
    // tables of mistakes, which are computed on loading, have a separate chunk, and entries contain
    // only re-exports. Each group includes its imports.
    codeSplitting: {
      groups: [
        { name: 'sign', test: /[\\/]signing[\\/](?:body|header)-mode\.ts$/, priority: 2 },
        { name: 'verify', test: /[\\/]signing[\\/]verification[\\/]/, priority: 1 },
        {
          name: 'part',
          test: (module) => !entries.includes(module),
          tags: ['$initial'],
          entriesAware: true,
        },
      ],
    },
  });
  return output.flatMap(({ modules = {} }) => Object.keys(modules));
}
