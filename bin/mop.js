#!/usr/bin/env node
const { enableCompileCache } = require('node:module');
// Node 22.1 and later. Where the directory cannot be written, Node does without.
if (enableCompileCache) {
  const { compileCache } = require('./compile-cache.js');
  const directory = compileCache();
  if (directory) enableCompileCache(directory);
}
require('../dist/cli.cjs').run();
