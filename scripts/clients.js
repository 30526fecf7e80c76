/** Writes the collections for Postman and Bruno into docs/clients/. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFiles, VARIABLES } from './client-collections.js';
import { sourceModule } from './source-module.js';

const { platformOpenApi } = await sourceModule('/src/platform/openapi/document.ts');
const { PROXY_PORT } = await sourceModule('/src/protocol/defaults.ts');

const directory = fileURLToPath(new URL('../docs/clients', import.meta.url));
rmSync(directory, { recursive: true, force: true });
const files = clientFiles(platformOpenApi(VARIABLES), `http://127.0.0.1:${PROXY_PORT}`);
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}
process.exit();
