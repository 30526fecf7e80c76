/**
 * `node compile.cjs DIRECTORY` compiles the modules that scripts/build-sea.js wrote to DIRECTORY,
 * and writes the compiled code beside each. V8 compiles a function when it is first called, so this
 * script runs commands to include the functions that they use.
 */
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { basename, join } = require('node:path');
const v8 = require('node:v8');
const { Script } = require('node:vm');

const directory = process.argv[2];

const COMMANDS = [
  ['--version'],
  ['help'],
  ['sign', '--help'],
  ['sign', '{"a":1.0}', '--env', 'sandbox'],
  ['bill', 'fetch', '--env', 'sandbox', '--force', '-o', `${directory}/`],
  ['gql', '{ bill { date } }', '--env', 'sandbox'],
  ['detect', 'hello', '--env', 'sandbox'],
  ['account', 'link', '--user', 'u', '--openid', 'o'],
];

const early = new Map();
const late = new Map();
let scripts = early;

// Commands set a flag of V8 before they use the network, and V8 rejects code that was compiled under
// other flags. This script does not set the flag while commands run. It collects the modules that are
// loaded afterwards in `late`, and compiles them with the flag at the end.
const { setFlagsFromString } = v8;
let flag;
v8.setFlagsFromString = (given) => {
  flag = given;
  scripts = late;
};

// A command ends its process, but here another command follows.
process.exit = (code) => {
  process.exitCode = code;
};

require.extensions['.cjs'] = (module, path) => {
  compile(path).runInThisContext()(module.exports, createRequire(path), module);
};

function compile(path) {
  const script = new Script(readFileSync(path, 'utf8'), { filename: basename(path) });
  scripts.set(path, script);
  return script;
}

async function runCommands() {
  const { run } = require(join(directory, 'cli.cjs'));
  for (const command of COMMANDS) {
    scripts = early;
    process.argv = [process.execPath, 'mop', ...command];
    await run();
    if (process.exitCode !== 0) throw new Error(`mop ${command.join(' ')} failed`);
  }
}

function compileRemaining() {
  scripts = early;
  for (const name of readdirSync(directory, { recursive: true })) {
    const path = join(directory, name);
    if (name.endsWith('.cjs') && !early.has(path) && !late.has(path)) compile(path);
  }
}

function writeCode(compiled) {
  for (const [path, script] of compiled) {
    const cachedData = script.createCachedData();
    const again = new Script(readFileSync(path, 'utf8'), { filename: basename(path), cachedData });
    if (again.cachedDataRejected) throw new Error(`V8 rejects the compiled code of ${path}`);
    writeFileSync(`${path}.code`, cachedData);
  }
}

runCommands().then(() => {
  compileRemaining();
  writeCode(early);
  setFlagsFromString(flag);
  writeCode(late);
});
