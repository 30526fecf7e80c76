import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SUFFIX = '?raw';

/** `import text from 'FILE?raw'`, as in Vite. */
export const rawText = {
  name: 'raw-text',
  resolveId: (source, importer) =>
    source.endsWith(SUFFIX) ? join(dirname(importer), source) : null,
  load: (id) =>
    id.endsWith(SUFFIX)
      ? { code: readFileSync(id.slice(0, -SUFFIX.length), 'utf8'), moduleType: 'text' }
      : null,
};
