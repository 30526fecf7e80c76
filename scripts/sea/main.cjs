/**
 * The program of the executable: loads the bundle from the assets that scripts/build-sea.js adds.
 * The modules stay separate, as in dist, so that a command reads only the modules that it needs.
 * Each has its compiled code as another asset, which saves 16 % of `mop sign` and 22 % of `mop call`.
 */
const { isBuiltin } = require('node:module');
const { basename } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

const modules = new Map();

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const script = new Script(getAsset(name, 'utf8'), {
    filename: name,
    cachedData: new Uint8Array(getRawAsset(`${name}.code`)),
  });
  script.runInThisContext()(module.exports, requireInside, module);
  return module.exports;
}

function requireInside(path) {
  if (path.startsWith('.')) return load(basename(path));
  // Some packages require optional packages. Node would warn that they are missing.
  if (!isBuiltin(path)) throw new Error(`the executable does not contain ${path}`);
  return require(path);
}

load('cli.cjs').run();
