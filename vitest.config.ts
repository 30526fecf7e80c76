import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { bundledText } from './scripts/build/bundled-text.js';

/** Tests of rooms that need no build and no process of their own. A test that does is `processes.test.ts`. */
const UNIT = [
  'test/{detection,files,graphql,http,json,platform,protocol,reconciliation,signing}/**/!(processes).test.ts',
  'test/{sandbox/detection,training}/**/*.test.ts',
];

const TRIALS = 'test/trials/**/*.test.ts';
const PACKAGE = 'test/package/**/*.test.ts';
const INTEROP = 'test/interop/**/*.test.ts';

export default defineConfig({
  plugins: [bundledText],
  resolve: {
    // Vite would resolve another build of graphql than the packages that depend on it, and the
    // types of the two builds are not compatible.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    // Loading the modules again for each file would take longer than most tests.
    isolate: false,
    // Else vitest replaces style sheets with empty ones; the pages of the sandbox need them.
    css: true,
    // One worker per core: the default leaves a core idle.
    maxWorkers: availableParallelism(),
    // A busy machine is not a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The time zone and locale of the machine must not matter: the tests run in an awkward pair.
    env: { TZ: 'America/St_Johns', LC_ALL: 'C' },
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...UNIT, TRIALS, PACKAGE, INTEROP],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'trials',
          include: [TRIALS],
          testTimeout: 600_000,
          // Many tests wait, for a limit of the sandbox or for the disk.
          maxWorkers: availableParallelism() + 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: [PACKAGE],
          globalSetup: 'test/package/setup.ts',
          // Node is downloaded, and an executable is built.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          include: [INTEROP],
          globalSetup: 'test/package/setup.ts',
          // Other people's builds take their time.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
