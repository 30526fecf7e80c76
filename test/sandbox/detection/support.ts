import { RuleEngine } from '../../../src/sandbox/detection/engine.ts';

/** One engine for all tests of a worker: it keeps no state, and compiling its patterns takes seconds. */
export const engine = new RuleEngine();
