import { HEADS } from '../src/detection/engine/embedded-model.ts';
import { BUCKETS, type Vector, vectorOf } from '../src/detection/engine/ngrams.ts';
import type { Example } from './fit.ts';
import type { Row } from './rows.ts';
import { type Weighting, weightOf } from './weighting.ts';

/** N-grams in fewer texts have no weight: it would be random. */
const LEAST_TEXTS = 8;

/** The vectors of normalised texts, without rare n-grams. They serve all fits. */
export function vectorsOf(texts: readonly string[]): Vector[] {
  const all = texts.map((text) => vectorOf(text));
  const counts = new Int32Array(BUCKETS);
  for (const { buckets } of all) {
    for (const bucket of buckets) counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const isKept = (bucket: number | undefined) => (counts[bucket ?? 0] ?? 0) >= LEAST_TEXTS;
  return all.map(({ buckets, values }) => ({
    buckets: buckets.filter(isKept),
    values: values.filter((_, at) => isKept(buckets[at])),
  }));
}

/** The rows with their vectors, weighted by origin. */
export function examplesOf(
  rows: readonly Row[],
  vectors: readonly Vector[],
  weighting: Weighting,
): Example[] {
  const writers = [...new Set(rows.flatMap((row) => writerOf(row) ?? []))];
  return rows.map((row, at) => {
    const writer = weighting.hasWriterIntercepts ? writerOf(row) : undefined;
    return {
      vector: vectors[at] as Vector,
      targets: targetsOf(row),
      weight: weightOf(row, weighting),
      writer: writer === undefined ? undefined : writers.indexOf(writer),
    };
  });
}

function writerOf({ origin, group }: Row): string | undefined {
  return origin === 'public' ? group : undefined;
}

function targetsOf({ label, family }: Row): Example['targets'] {
  return HEADS.map((name) => {
    if (name === 'risky') return label === 'risky' ? 1 : 0;
    if (label === 'safe') return 0;
    return family === undefined ? undefined : family === name ? 1 : 0;
  });
}
