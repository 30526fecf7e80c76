import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { bundledText } from './scripts/build/bundled-text.js';
import { SlowestFiles } from './test/support/slowest-files.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';

/** Beside the tests of the same subject, or in test/trials if the subject is the whole program. */
const TRIALS = 'test/**/*.trial.ts';
const PACKAGE = 'test/package/**/*.test.ts';
const INTEROP = 'test/interop/**/*.test.ts';

export default defineConfig({
  plugins: [bundledText],
  resolve: {
    // Otherwise Vite and the dependants of graphql would load two different builds, whose types are
    // incompatible.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    // Reloading the modules for each file would take longer than most tests.
    isolate: false,
    // By default vitest empties style sheets, which the pages of the sandbox need.
    css: true,
    // One worker per core: the default leaves a core idle.
    maxWorkers: availableParallelism(),
    // All cores run tests. A larger new space is collected less often, and without further threads.
    // Saves 7 % of the CPU time.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    setupFiles: ['test/support/delete-cache.ts'],
    // A busy machine must not cause failures.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // An unusual time zone and locale, so that results do not depend on those of the machine.
    env: { TZ: 'America/St_Johns', LC_ALL: 'C' },
    reporters: ['default', new SlowestFiles()],
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, PACKAGE, INTEROP],
        },
      },
      {
        extends: true,
        test: {
          name: 'trials',
          include: [TRIALS],
          testTimeout: 600_000,
          // Many tests wait for a time limit of the sandbox or for the disk.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: [PACKAGE],
          globalSetup: 'test/package/setup.ts',
          // These tests download Node and build an executable.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'interop',
          include: [INTEROP],
          globalSetup: 'test/interop/setup.ts',
          // The builds of other tools are slow.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
