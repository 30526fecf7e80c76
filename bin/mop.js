#!/usr/bin/env node
const { existsSync, mkdirSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');

// Node 22.1 and later: takes 7 % off `mop sign`, and 10 % off `mop call`. If the directory is not
// writable, Node does not cache.
if (enableCompileCache) {
  const directory = compileCache();
  if (directory) enableCompileCache(directory);
}
require('../dist/cli.cjs').run();

/**
 * The directory for the compiled code of mop, in the user's cache. Node's default is the directory
 * for temporary files, which other users can write to. Undefined without a cache, as in a container
 * without a home directory.
 */
function compileCache() {
  try {
    const cache = userCache();
    if (!isAbsolute(cache)) return undefined;
    const own = join(cache, 'mop', 'compiled');
    // On a file system such as /proc, Node would retry for ever to create it.
    if (!existsSync(own)) [cache, join(cache, 'mop'), own].forEach(makeDirectory);
    return own;
  } catch {
    return undefined;
  }
}

function userCache() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return XDG_CACHE_HOME || join(homedir(), '.cache');
}

function makeDirectory(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
