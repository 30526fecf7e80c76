import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The zone and the locale of the machine must not matter: the tests run in an awkward pair.
    env: { TZ: 'America/St_Johns', LC_ALL: 'C' },
  },
});
