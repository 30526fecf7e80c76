const { homedir } = require('node:os');
const { join } = require('node:path');

/**
 * Where Node keeps the compiled code of mop: in the cache of the user, as their system has it. By
 * default it would be in the directory for temporary files, which others can write to as well.
 */
exports.compileCache = () => {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const caches = {
    darwin: () => join(homedir(), 'Library', 'Caches'),
    win32: () => LOCALAPPDATA || join(homedir(), 'AppData', 'Local'),
  };
  const own = caches[process.platform]?.() ?? (XDG_CACHE_HOME || join(homedir(), '.cache'));
  return join(own, 'mop', 'compiled');
};
