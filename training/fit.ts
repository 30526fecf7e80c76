import { HEADS, logistic } from '../src/sandbox/detection/embedded-model.ts';
import { BUCKETS, type Vector } from '../src/sandbox/detection/ngrams.ts';
import { type Draw, seededDraw } from '../src/sandbox/random.ts';

/** For each head 1, 0, or undefined if the label does not decide it. */
type Targets = readonly (0 | 1 | undefined)[];

export interface Example {
  readonly vector: Vector;
  readonly targets: Targets;
}

/** Weights of all heads for each bucket, and the intercept of each head. */
export interface Linear {
  readonly weights: Float32Array;
  readonly intercepts: Float32Array;
}

const EPOCHS = 8;
const LEARNING_RATE = 0.1;
const SEED = 1;

/** Without n-grams in fewer than `least` texts, whose weights would be random. */
export function withoutRare(all: readonly Vector[], least: number): Vector[] {
  const texts = new Int32Array(BUCKETS);
  for (const { buckets } of all) {
    for (const bucket of buckets) texts[bucket] = (texts[bucket] ?? 0) + 1;
  }
  const isKept = (bucket: number | undefined) => (texts[bucket ?? 0] ?? 0) >= least;
  return all.map(({ buckets, values }) => ({
    buckets: buckets.filter(isKept),
    values: values.filter((_, at) => isKept(buckets[at])),
  }));
}

/** Logistic regression of all heads at once, by AdaGrad over the examples in a seeded order. */
export function fitModel(examples: readonly Example[]): Linear {
  const model = {
    weights: new Float32Array(BUCKETS * HEADS.length),
    intercepts: new Float32Array(HEADS.length),
  };
  const stepWeights = adaGrad(model.weights, LEARNING_RATE);
  const stepIntercepts = adaGrad(model.intercepts, LEARNING_RATE / 2);
  const draw = seededDraw(SEED);
  const order = [...examples];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, draw);
    for (const { vector, targets } of order) {
      const errors = logOdds(model, vector).map((sum, head) => {
        const target = targets[head];
        return target === undefined ? 0 : logistic(sum) - target;
      });
      for (let at = 0; at < vector.buckets.length; at++) {
        stepWeights((vector.buckets[at] ?? 0) * HEADS.length, errors, vector.values[at] ?? 0);
      }
      stepIntercepts(0, errors, 1);
    }
  }
  return model;
}

/** The step size decreases with the squares of earlier gradients, separately for each weight. */
function adaGrad(weights: Float32Array, rate: number) {
  const squares = new Float32Array(weights.length).fill(1e-6);
  return (first: number, errors: Float64Array, value: number): void => {
    for (let head = 0; head < errors.length; head++) {
      const at = first + head;
      const gradient = (errors[head] ?? 0) * value;
      const square = (squares[at] ?? 0) + gradient * gradient;
      squares[at] = square;
      weights[at] = (weights[at] ?? 0) - (rate * gradient) / Math.sqrt(square);
    }
  };
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
