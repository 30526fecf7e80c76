/**
 * To be loaded with `node --require`: counts the steps of a process on the disk, and ends it with
 * SIGKILL at one of them.
 *
 * A step is a call that changes what is on the disk, just before it is made. A write is two, since a
 * process can also die when half of it is done. `DIE_AT_STEP` tells the one to die at: `14` is the
 * fourteenth of all, `rename 2` the second of that name. With `LIST_STEPS` the process lives, and
 * the names of its steps are written to that file, a line each.
 */
const fs = require('node:fs');

const { DIE_AT_STEP, LIST_STEPS } = process.env;
const steps = [];
const { writeFileSync } = fs;
if (LIST_STEPS) process.on('exit', () => writeFileSync(LIST_STEPS, steps.join('\n')));

/** Whether this step is the last. */
function isLast(name) {
  steps.push(name);
  const ofThatName = steps.filter((step) => step === name).length;
  return [`${steps.length}`, `${name} ${ofThatName}`].includes(DIE_AT_STEP);
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  // So that nothing more is done until the signal has reached every thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Makes a step of a method. */
function wrap(object, method, name = method, isChange = (..._args) => true) {
  const original = object[method];
  object[method] = function (...args) {
    if (isChange(...args) && isLast(name)) die();
    return original.apply(this, args);
  };
}

/** Whether a file is opened to be written. */
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
  if (!isLast('half a write')) return writeSync(file, data, ...rest);
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
    if (!isLast('half a write')) return write.call(file, data, offset, ...rest);
    await write.call(file, data, offset, (data.length - offset) >> 1);
    return die();
  };
  file.appendFile = async (data) => {
    if (isLast('append')) die();
    if (!isLast('half an append')) return appendFile.call(file, data);
    writeSync(file.fd, data.slice(0, data.length / 2));
    return die();
  };
  return file;
};
