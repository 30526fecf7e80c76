import { Detector } from '../../../src/detection/engine/detector.ts';

/** One for all tests of a worker: it keeps no state, and loading it takes a moment. */
export const detector = new Detector();

/** The ids of the rules that hit a text, by the place of the hits. */
export function hitsOf(text: string): string[] {
  return detector.assess(text).hits.map(({ rule }) => rule.data.id);
}
