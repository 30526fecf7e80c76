import { HEADS, logistic } from '../src/detection/engine/embedded-model.ts';
import { BUCKETS, type Vector } from '../src/detection/engine/ngrams.ts';
import { type Draw, seededDraw } from '../src/sandbox/fares.ts';

/** For each head 1, 0, or undefined if the label does not decide it. */
type Targets = readonly (0 | 1 | undefined)[];

export interface Example {
  readonly vector: Vector;
  readonly targets: Targets;
  /** The example counts as much as this number of equal examples. */
  readonly weight: number;
  /** The number of the writer whose intercept is added during the fit. */
  readonly writer: number | undefined;
}

/** Weights of all heads for each bucket, and the intercept of each head. */
export interface Linear {
  readonly weights: Float32Array;
  readonly intercepts: Float32Array;
}

/** Parameters with the sums of their squared gradients. */
interface Parameters {
  readonly values: Float32Array;
  readonly squares: Float32Array;
  readonly rate: number;
}

const EPOCHS = 8;
const LEARNING_RATE = 0.1;
const SEED = 1;

/**
 * Logistic regression of the heads at once, by AdaGrad over the examples in a seeded order.
 * Intercepts of writers are not part of the result.
 *
 * @param heads The first heads only; each has the same weights as in a fit of all.
 */
export function fitModel(examples: readonly Example[], heads: number = HEADS.length): Linear {
  const writers = examples.reduce((most, { writer = -1 }) => Math.max(most, writer + 1), 0);
  const weights = parameters(BUCKETS * heads, LEARNING_RATE);
  const intercepts = parameters(heads, LEARNING_RATE / 2);
  const ofWriters = parameters(writers * heads, LEARNING_RATE / 2);
  const model = { weights: weights.values, intercepts: intercepts.values };
  const draw = seededDraw(SEED);
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, draw);
    for (const { vector, targets, weight, writer } of order) {
      const errors = logOdds(model, vector);
      for (let head = 0; head < heads; head++) {
        const target = targets[head];
        const own = writer === undefined ? 0 : (ofWriters.values[writer * heads + head] ?? 0);
        const probability = logistic((errors[head] ?? 0) + own);
        errors[head] = target === undefined ? 0 : weight * (probability - target);
      }
      for (let at = 0; at < vector.buckets.length; at++) {
        step(weights, (vector.buckets[at] ?? 0) * heads, errors, vector.values[at] ?? 0);
      }
      step(intercepts, 0, errors, 1);
      if (writer !== undefined) step(ofWriters, writer * heads, errors, 1);
    }
  }
  return model;
}

function parameters(length: number, rate: number): Parameters {
  return {
    values: new Float32Array(length),
    squares: new Float32Array(length).fill(1e-6),
    rate,
  };
}

/** The step size decreases with the squares of earlier gradients, separately for each parameter. */
function step(
  { values, squares, rate }: Parameters,
  first: number,
  errors: Float64Array,
  value: number,
): void {
  for (let head = 0; head < errors.length; head++) {
    const at = first + head;
    const gradient = (errors[head] ?? 0) * value;
    const square = (squares[at] ?? 0) + gradient * gradient;
    squares[at] = square;
    values[at] = (values[at] ?? 0) - (rate * gradient) / Math.sqrt(square);
  }
}

/** The sum of each head, not calibrated. */
export function logOdds(
  { weights, intercepts }: Linear,
  { buckets, values }: Vector,
): Float64Array {
  const sums = Float64Array.from(intercepts);
  for (let at = 0; at < buckets.length; at++) {
    const first = (buckets[at] ?? 0) * sums.length;
    const value = values[at] ?? 0;
    for (let head = 0; head < sums.length; head++) {
      sums[head] = (sums[head] ?? 0) + (weights[first + head] ?? 0) * value;
    }
  }
  return sums;
}

function shuffle<T>(items: T[], draw: Draw): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = draw(last + 1);
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
