#!/usr/bin/env node
const { enableCompileCache } = require('node:module');
const { compileCache } = require('./compile-cache.js');
// Node 22.1 and later. Where the directory cannot be written, Node does without.
enableCompileCache?.(compileCache());
require('../dist/cli.cjs').run();
