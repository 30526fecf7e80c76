/** Replaces modules of undici that mop never uses. */
module.exports = function leftOut() {
  throw new Error('the bundle does not contain this part of undici');
};
