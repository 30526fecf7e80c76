import type { Detector } from './detector.ts';

/**
 * The rules and the embedded model of the detection service, for use without HTTP. They are loaded
 * by this call.
 */
export async function loadDetector(): Promise<Detector> {
  const { Detector } = await import('./detector.ts');
  return new Detector();
}
