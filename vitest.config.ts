import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vite would take another form of graphql than the packages that build on it, and the two do
    // not know each other's types.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/package/**'],
    // Else vitest takes every style sheet for an empty one: the pages of the sandbox have some.
    css: true,
    // One for each core: the default leaves one idle, which on a small machine is half.
    maxWorkers: availableParallelism(),
    // A busy machine is no failure.
    testTimeout: 60_000,
    // The zone and the locale of the machine must not matter: the tests run in an awkward pair.
    env: { TZ: 'America/St_Johns', LC_ALL: 'C' },
  },
});
