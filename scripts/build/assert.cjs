/** In place of node:assert in undici, which calls the function itself only. */
module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (!value) throw message instanceof Error ? message : new Error(message);
};
