/**
 * Runs a command from src/, without a build: `node scripts/from-source.js bill fetch --env sandbox`.
 * A debugger stops at breakpoints in the sources.
 */
import { sourceModule } from './source-module.js';

const { run } = await sourceModule('/src/cli/entry.ts');
await run();
