/** The trials that `npm test` makes in small, in full: `npm run test:long`. */
import { defineConfig } from 'vitest/config';
import quick from './vitest.config.ts';

export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: ['test/trials/**/*.test.ts'],
    env: { ...quick.test?.env, MOP_TEST_LONG: '1' },
    testTimeout: 600_000,
  },
});
