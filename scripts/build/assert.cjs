/** Replaces node:assert: undici calls only `assert(value, message)`, no method. */
module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
