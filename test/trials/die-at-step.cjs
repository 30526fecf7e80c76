/**
 * Counts the disk operations of a process, and kills the process with SIGKILL at one of them. Load it
 * with `node --require`.
 *
 * A step is the moment before a call that changes the disk. A write has two steps, because a process
 * can also die after half of the data. `DIE_AT_STEP` selects the step: `14` is the fourteenth step,
 * `rename 2` the second step with that name. With `LIST_STEPS` the process writes the names of its
 * steps to that file at exit, one a line.
 */
const fs = require('node:fs');

const { DIE_AT_STEP, LIST_STEPS } = process.env;
const steps = [];
const { writeFileSync } = fs;
if (LIST_STEPS) process.on('exit', () => writeFileSync(LIST_STEPS, steps.join('\n')));

/** Counts a step; returns whether the process must die at this step. */
function isLast(name) {
  steps.push(name);
  const count = steps.filter((step) => step === name).length;
  return [`${steps.length}`, `${name} ${count}`].includes(DIE_AT_STEP);
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal arrives, so this thread makes no other call.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Counts each call of a method as a step. */
function wrap(object, method, name = method, isChange = (..._args) => true) {
  const original = object[method];
  object[method] = function (...args) {
    if (isChange(...args) && isLast(name)) die();
    return original.apply(this, args);
  };
}

/** Whether the flags open a file for writing. */
function isWriting(_path, flags = 'r') {
  return typeof flags === 'string' ? /[wa+]/.test(flags) : (flags & 3) !== 0;
}

for (const name of ['chmod', 'mkdir', 'rename', 'rm', 'rmdir', 'unlink']) {
  wrap(fs.promises, name);
  wrap(fs, `${name}Sync`, name);
}
for (const name of ['fsync', 'ftruncate', 'writeFile']) wrap(fs, `${name}Sync`, name);
wrap(fs, 'openSync', 'open', isWriting);

const { writeSync } = fs;
fs.writeSync = (file, data, ...rest) => {
  if (isLast('write')) die();
  if (!isLast('partial write')) return writeSync(file, data, ...rest);
  if (typeof data === 'string') writeSync(file, data.slice(0, data.length / 2), ...rest);
  else {
    const [offset = 0, length = data.length - offset, position] = rest;
    writeSync(file, data, offset, length >> 1, position);
  }
  return die();
};

const { open } = fs.promises;
fs.promises.open = async (path, flags, mode) => {
  if (!isWriting(path, flags)) return open(path, flags, mode);
  if (isLast('open')) die();
  const file = await open(path, flags, mode);
  for (const name of ['chmod', 'sync', 'truncate']) wrap(file, name);
  const { write, appendFile } = file;
  file.write = async (data, offset = 0, ...rest) => {
    if (isLast('write')) die();
    if (!isLast('partial write')) return write.call(file, data, offset, ...rest);
    await write.call(file, data, offset, (data.length - offset) >> 1);
    return die();
  };
  file.appendFile = async (data) => {
    if (isLast('append')) die();
    if (!isLast('partial append')) return appendFile.call(file, data);
    writeSync(file.fd, data.slice(0, data.length / 2));
    return die();
  };
  return file;
};
