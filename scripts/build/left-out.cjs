/** In place of modules of undici that mop never uses. */
module.exports = function leftOut() {
  throw new Error('this part of undici is left out of the bundle');
};
