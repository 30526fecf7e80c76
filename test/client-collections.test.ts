import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { clientFiles, VARIABLES } from '../scripts/client-collections.js';
import { platformOpenApi } from '../src/platform/openapi/document.ts';
import { PROXY_PORT } from '../src/protocol/defaults.ts';

const DIRECTORY = fileURLToPath(new URL('../docs/clients', import.meta.url));

it('docs/clients/ contains the output of npm run clients', () => {
  const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(DIRECTORY, path)).isFile())
    .map((path) => [path, readFileSync(join(DIRECTORY, path), 'utf8')]);
  expect(Object.fromEntries(files)).toEqual(
    clientFiles(platformOpenApi(VARIABLES), `http://127.0.0.1:${PROXY_PORT}`),
  );
});
