/** Tests of what is published: `npm run test:package`. They take minutes, and want the registry. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/package/*.test.ts'],
    globalSetup: 'test/package/setup.ts',
    maxWorkers: availableParallelism(),
    // Declarations are checked in three ways, Node is fetched, an executable is built.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    env: { TZ: 'America/St_Johns', LC_ALL: 'C' },
  },
});
