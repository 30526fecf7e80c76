/**
 * Emits the types of the library: only the declarations that its entries reach. They import no
 * package, so a strict project compiles against them without further packages. A project with the
 * types of a browser does not need Node's types either.
 *
 * The declarations are CommonJS, and the ES modules re-export them. So values of either form are
 * assignable to types of the other.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ENTRIES } from './library.js';

const require = createRequire(import.meta.url);

export function emitDeclarations(root) {
  const tsc = require.resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'scripts/build/tsconfig.types.json')], {
    stdio: 'inherit',
  });
  const types = join(root, 'dist/types');
  const files = new Set();
  for (const entry of Object.keys(ENTRIES)) {
    reachable(join(types, `${entry}.d.ts`), files);
    const reexport = `export * from '../types/${entry}.js';\n`;
    writeFileSync(join(root, `dist/esm/${entry}.d.ts`), reexport);
  }
  for (const file of files) {
    const declaration = readFileSync(file, 'utf8');
    writeFileSync(file, declaration.replaceAll(/^ +#private;$/gm, PRIVATE));
  }
  removeOtherFiles(types, files);
  writeFileSync(join(types, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Keeps the type of a class nominal. TypeScript for ES5, its old default, refuses `#private`. */
const PRIVATE = "    private readonly '#private';";

function reachable(file, found) {
  if (found.has(file)) return found;
  found.add(file);
  for (const name of imports(readFileSync(file, 'utf8'))) {
    if (!name.startsWith('.')) {
      throw new Error(`${file} imports ${name}: public types must not depend on other packages`);
    }
    reachable(join(dirname(file), name.replace(/\.ts$/, '.d.ts')), found);
  }
  return found;
}

/** The modules that a declaration names: after `from`, in `import(…)`, or in a reference. */
function imports(declaration) {
  // Examples in comments import the package itself.
  const code = declaration.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const names = /(?:\bfrom |\bimport\(|^import |<reference (?:types|path|lib)=)(['"])(.+?)\1/gm;
  return [...code.matchAll(names)].map(([, , name]) => name);
}

function removeOtherFiles(directory, files) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) removeOtherFiles(path, files);
    else if (!files.has(path)) rmSync(path);
  }
  if (readdirSync(directory).length === 0) rmdirSync(directory);
}
