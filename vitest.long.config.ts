/** The trials that `npm test` makes in small, in full: `npm run test:long`. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import quick from './vitest.config.ts';

export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: ['test/trials/**/*.test.ts', 'test/secrets/verify.test.ts'],
    env: { ...quick.test?.env, MOP_TEST_LONG: '1' },
    testTimeout: 600_000,
    // Many wait, for a limit of the sandbox or for the disk.
    maxWorkers: availableParallelism() + 1,
  },
});
