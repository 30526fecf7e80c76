import { createHash } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import {
  type Calibration,
  HEADS,
  type Head,
  logistic,
  type PlattScaling,
  type Script,
  scriptOf,
  type TrainedModel,
} from '../src/detection/engine/embedded-model.ts';
import { normalize } from '../src/detection/engine/normalize.ts';
import type { Thresholds } from '../src/detection/engine/score.ts';
import { calibrated, FALSE_POSITIVES, thresholdAt } from './calibrate.ts';
import { crossValidated } from './cross-validate.ts';
import { examplesOf, vectorsOf } from './examples.ts';
import { fitModel, type Linear } from './fit.ts';
import type { Row } from './rows.ts';
import { CHOSEN } from './weighting.ts';

/** Increase it when the design of the model changes. */
const DESIGN = '1.0.0';
/**
 * Weights are rounded to small integers, which compress well: -7 to 7 for the risk, -3 to 3 for a
 * family.
 */
const mostWeight = (head: number): number => (head === 0 ? 7 : 3);
/** The share of weights beyond the largest integer, which are clipped. */
const CLIPPED = 0.001;

/** A row with the probabilities by a model that was not trained on its group. */
export interface Scored {
  readonly row: Row;
  readonly script: Script;
  /** One for each head. */
  readonly probabilities: readonly number[];
}

/** Trains the model. The same rows in the same order give an identical model. */
export function train(rows: readonly Row[]): { model: TrainedModel; scored: Scored[] } {
  const texts = rows.map(({ text }) => normalize(text).text);
  const scripts = texts.map(scriptOf);
  const examples = examplesOf(rows, vectorsOf(texts), CHOSEN);
  const unseen = crossValidated(rows, examples);
  const calibrationOf = (script: Script): Calibration =>
    calibrationBy((name, head) => {
      const predictions = unseen.flatMap((sums, at) => {
        const target = examples[at]?.targets[head];
        if (scripts[at] !== script || target === undefined) return [];
        return [{ sum: sums[head] ?? 0, isTrue: target === 1 }];
      });
      return calibrated(predictions, name === 'risky');
    });
  const calibration = { han: calibrationOf('han'), other: calibrationOf('other') };
  const scored = rows.map((row, at) => {
    const script = scripts[at] as Script;
    const probabilities = HEADS.map((name, head) => {
      const { slope, intercept } = calibration[script][name];
      return logistic(slope * (unseen[at]?.[head] ?? 0) + intercept);
    });
    return { row, script, probabilities };
  });
  return { model: modelOf(fitModel(examples), calibration, scored), scored };
}

function calibrationBy(scalingOf: (name: Head, head: number) => PlattScaling): Calibration {
  const entries = HEADS.map((name, head) => [name, scalingOf(name, head)] as const);
  return Object.fromEntries(entries) as Calibration;
}

function modelOf(
  { weights, intercepts }: Linear,
  calibration: TrainedModel['calibration'],
  scored: readonly Scored[],
): TrainedModel {
  const heads = HEADS.length;
  const steps = HEADS.map((_, head) => {
    const sizes = weights.filter((weight, at) => at % heads === head && weight !== 0);
    return quantile(sizes.map(Math.abs), 1 - CLIPPED) / mostWeight(head);
  });
  const bytes = Int8Array.from(weights, (weight, at) => {
    const head = at % heads;
    const rounded = Math.round(weight / (steps[head] ?? 1));
    return Math.min(Math.max(rounded, -mostWeight(head)), mostWeight(head));
  });
  // The model adds up rounded weights, without the intercept of the fit.
  const forBytes = (of: Calibration): Calibration =>
    calibrationBy((name, head) => ({
      slope: of[name].slope * (steps[head] ?? 0),
      intercept: of[name].slope * (intercepts[head] ?? 0) + of[name].intercept,
    }));
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return {
    version: `${DESIGN}+${digest}`,
    thresholds: { han: thresholdsOf('han', scored), other: thresholdsOf('other', scored) },
    calibration: { han: forBytes(calibration.han), other: forBytes(calibration.other) },
    weights: brotliCompressSync(bytes).toString('base64'),
  };
}

/** Ignores public texts: their risk often depends on the conversation, not on their words. */
function thresholdsOf(script: Script, scored: readonly Scored[]): Thresholds {
  const safe = scored.flatMap(({ row: { label, origin }, probabilities: [risky = 0], ...of }) =>
    label === 'safe' && origin === 'written' && of.script === script ? [risky] : [],
  );
  const { low, medium, high } = FALSE_POSITIVES[script];
  return {
    low: thresholdAt(low, safe),
    medium: thresholdAt(medium, safe),
    high: thresholdAt(high, safe),
  };
}

function quantile(values: Float32Array, share: number): number {
  return values.sort()[Math.floor(share * (values.length - 1))] ?? 0;
}
