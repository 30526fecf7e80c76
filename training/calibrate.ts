import {
  logistic,
  type PlattScaling,
  type Script,
} from '../src/detection/engine/embedded-model.ts';
import type { Thresholds } from '../src/detection/engine/score.ts';

/** The log-odds of a text by a model that was not trained on it. */
export interface Prediction {
  readonly sum: number;
  readonly isTrue: boolean;
}

/**
 * The shares of safe texts that may reach each level. The limits for Chinese are stricter, because
 * its batches resemble each other more than they resemble other people's texts.
 */
export const FALSE_POSITIVES: Readonly<Record<Script, Thresholds>> = {
  other: { low: 0.1, medium: 0.04, high: 0.01 },
  han: { low: 0.08, medium: 0.025, high: 0.006 },
};

const STEPS = 50;

/**
 * Platt's calibration, by Newton's method: the linear function of the log-odds that fits the
 * predictions best.
 *
 * @param balanced Whether true and false predictions have the same total weight.
 */
export function calibrated(predictions: readonly Prediction[], balanced: boolean): PlattScaling {
  const share = predictions.filter(({ isTrue }) => isTrue).length / predictions.length;
  const weight = ({ isTrue }: Prediction) => (balanced ? 0.5 / (isTrue ? share : 1 - share) : 1);
  let slope = 1;
  let intercept = 0;
  for (let step = 0; step < STEPS; step++) {
    let [a, b, aa, ab, bb] = [0, 0, 1e-9, 0, 1e-9];
    for (const prediction of predictions) {
      const probability = logistic(slope * prediction.sum + intercept);
      const error = weight(prediction) * (probability - Number(prediction.isTrue));
      const curvature = weight(prediction) * probability * (1 - probability);
      a += error * prediction.sum;
      b += error;
      aa += curvature * prediction.sum ** 2;
      ab += curvature * prediction.sum;
      bb += curvature;
    }
    const determinant = aa * bb - ab ** 2;
    slope -= (a * bb - b * ab) / determinant;
    intercept -= (b * aa - a * ab) / determinant;
  }
  return { slope, intercept };
}

/** The lowest probability that at most this share of the safe texts reaches. */
export function thresholdAt(falsePositives: number, safe: readonly number[]): number {
  const sorted = safe.toSorted((one, other) => other - one);
  return sorted[Math.floor(falsePositives * sorted.length)] ?? 1;
}
