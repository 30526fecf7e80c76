/**
 * Resolves the imports of page scripts in bundles. A server serves the scripts of several folders in one,
 * so that `./dom.js` may be in another folder of sources.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = ['src/server/pages/assets', 'src/server/requests/assets'];

export const pageScripts = {
  name: 'page-scripts',
  resolveId(source, importer = '') {
    if (!/\/assets\/[^/]+$/.test(importer) || !source.startsWith('./')) return null;
    const folders = [dirname(importer), ...FOLDERS.map((folder) => join(process.cwd(), folder))];
    const paths = folders.map((folder) => join(folder, source));
    return paths.find((path) => existsSync(path)) ?? null;
  },
};
