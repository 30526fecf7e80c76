/**
 * What the executable runs: the bundle, out of the assets that scripts/build-sea.js gives it. The
 * modules stay apart as they are in dist, so that a command reads those it needs and no others, and
 * each has its compiled code beside it.
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
  // Some packages ask for others that are optional. Node would warn that there are none here.
  if (!isBuiltin(path)) throw new Error(`the executable has no ${path}`);
  return require(path);
}

load('cli.cjs').run();
