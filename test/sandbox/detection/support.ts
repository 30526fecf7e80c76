import { RuleEngine } from '../../../src/sandbox/detection/engine.ts';

/** One engine for all tests of a worker: it keeps no state. */
export const engine = new RuleEngine();

/** The ids of the rules that hit a text, by the place of the hits. */
export function hitsOf(text: string): string[] {
  return engine.assess(text).hits.map(({ rule }) => rule.data.id);
}
