import type { Detector } from './detector.ts';

/**
 * Loads the rules and the embedded model of the detection service, for use without HTTP.
 *
 * @example
 * ```ts
 * import {
 *   type Assessment,
 *   type Detector,
 *   type EmbeddedAnalysis,
 *   type Hit,
 *   loadDetector,
 * } from 'mop-cli';
 *
 * const detector: Detector = await loadDetector();
 * const assessment: Assessment = detector.assess('You only need me.');
 * const [hit]: readonly Hit[] = assessment.hits;
 * const estimate: EmbeddedAnalysis = detector.analyze('You only need me.');
 * console.log(assessment.level, hit?.rule.category, estimate.provider);
 * // high dependency embedded
 * ```
 */
export async function loadDetector(): Promise<Detector> {
  const { Detector } = await import('./detector.ts');
  return new Detector();
}
