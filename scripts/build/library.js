/**
 * Bundles the library, without the command line, as ES modules and as CommonJS. Both have the same
 * entries, and a chunk for each module that is loaded on demand.
 */
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { OUTPUT, refuseLogs } from './output.js';
import { plugins } from './plugins.js';

export const ENTRIES = { index: 'src/index.ts', signing: 'src/signing.ts' };

/** In an ES module bundled by esbuild, require() of Node's modules fails. */
const importsForRequire = esmExternalRequirePlugin({
  external: [/^node:/, ...builtinModules],
});

/** @returns The paths of the modules in the bundles. */
export async function writeLibrary(root, dist) {
  const modules = await Promise.all([
    write(root, { dir: join(dist, 'esm'), format: 'esm', extension: 'js' }),
    write(root, { dir: join(dist, 'cjs'), format: 'cjs', extension: 'cjs' }),
  ]);
  return modules.flat();
}

async function write(root, { dir, format, extension }) {
  const entries = Object.values(ENTRIES).map((path) => join(root, path));
  const bundle = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    plugins: format === 'esm' ? [...plugins, importsForRequire] : plugins,
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
