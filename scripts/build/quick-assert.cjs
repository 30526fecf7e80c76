/**
 * `assert` for undici, with a message: without one, Node parses the source to quote the assertion,
 * which takes seconds in a bundle of one line.
 */
const { AssertionError } = require('node:assert');

module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (!value) throw new AssertionError({ message });
};
