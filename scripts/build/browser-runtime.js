/** In bundles for browsers, `src/runtime/browser/` replaces the modules of `src/runtime/`. */
export const browserRuntime = {
  name: 'browser-runtime',
  resolveId(source, importer) {
    const module = /\/runtime\/(\w+\.ts)$/.exec(source)?.[1];
    if (module === undefined || importer === undefined) return null;
    return this.resolve(source.replace(/\w+\.ts$/, `browser/${module}`), importer);
  },
};
