/** Replaces node:assert, because undici calls only `assert(value, message)` and no method. */
module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
