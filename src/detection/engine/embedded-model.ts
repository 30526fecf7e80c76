import { brotliDecompressSync } from 'node:zlib';
import { CATEGORIES, type Category } from '../../protocol/detection.ts';
import type { Span } from './mapped-text.ts';
import { BUCKETS, type Vector, vectorOf } from './ngrams.ts';
import { HAN } from './normalize.ts';
import { estimatedScore, type Thresholds } from './score.ts';

/** The estimated probabilities: of any risk, and of each family. */
export const HEADS = ['risky', ...CATEGORIES] as const;
export type Head = (typeof HEADS)[number];

/** The file that `npm run train` writes; `docs/detection-model.md` describes it. */
export interface TrainedModel {
  readonly version: string;
  readonly thresholds: Readonly<Record<Script, Thresholds>>;
  readonly calibration: Readonly<Record<Script, Calibration>>;
  /** A signed byte for each head of each bucket (`ngrams.ts`), as Brotli in base64. */
  readonly weights: string;
}

/** The script of a text; {@link scriptOf} defines it. */
export type Script = 'han' | 'other';

export type Calibration = Readonly<Record<Head, PlattScaling>>;

/** Log-odds are slope * sum + intercept. */
export interface PlattScaling {
  readonly slope: number;
  readonly intercept: number;
}

export interface Estimate {
  /** The probability of risk, assuming that half of all texts are risky. */
  readonly probability: number;
  /** 0 to 79. */
  readonly score: number;
}

/** A word or phrase of a normalised text, and its share in the log-odds of risk. */
export interface Contribution extends Span {
  readonly weight: number;
}

const MAX_CONTRIBUTIONS = 8;
/** Neighbouring words of at least this share of the strongest one form a phrase. */
const PHRASE_SHARE = 0.25;
/** Words with a lower weight are not listed. */
const MIN_WEIGHT = 0.05;
const ALL_HAN = new RegExp(HAN, 'g');
const WORD = /[a-z0-9']+|[\u3400-\u9fff]/g;

/** A linear model over the n-grams of a normalised text. Its methods take linear time. */
export class EmbeddedModel {
  readonly #weights: Int8Array;
  readonly #calibration: TrainedModel['calibration'];
  readonly #thresholds: TrainedModel['thresholds'];

  constructor({ weights, calibration, thresholds }: TrainedModel) {
    this.#weights = byHead(brotliDecompressSync(Buffer.from(weights, 'base64')));
    this.#calibration = calibration;
    this.#thresholds = thresholds;
  }

  estimate(text: string): Estimate {
    const script = scriptOf(text);
    const probability = this.#probability('risky', vectorOf(text), script);
    return { probability, score: estimatedScore(probability, this.#thresholds[script]) };
  }

  /** The probability of each family, the highest first. */
  families(text: string): (readonly [Category, number])[] {
    const vector = vectorOf(text);
    const script = scriptOf(text);
    return CATEGORIES.map(
      (category) => [category, this.#probability(category, vector, script)] as const,
    ).sort(([, one], [, other]) => other - one);
  }

  /** The words and phrases with the highest contribution to the risk, strongest first. */
  contributions(text: string): Contribution[] {
    const spans: Span[] = [];
    const { buckets, values } = vectorOf(text, (_, start, end) => spans.push({ start, end }));
    const { slope } = this.#calibration[scriptOf(text)].risky;
    const shares = new Float64Array(text.length);
    for (const [at, { start, end }] of spans.entries()) {
      const weight = slope * (this.#weights[buckets[at] ?? 0] ?? 0) * (values[at] ?? 0);
      for (let unit = start; unit < end; unit++) {
        shares[unit] = (shares[unit] ?? 0) + weight / (end - start);
      }
    }
    const words = Array.from(text.matchAll(WORD), ({ 0: word, index: start }) => {
      const end = start + word.length;
      const weight = shares.subarray(start, end).reduce((sum, share) => sum + share, 0);
      return { start, end, weight };
    });
    return phrases(words)
      .sort((one, other) => other.weight - one.weight)
      .slice(0, MAX_CONTRIBUTIONS);
  }

  #probability(head: Head, { buckets, values }: Vector, script: Script): number {
    const first = HEADS.indexOf(head) * BUCKETS;
    let sum = 0;
    for (let at = 0; at < buckets.length; at++) {
      sum += (this.#weights[first + (buckets[at] ?? 0)] ?? 0) * (values[at] ?? 0);
    }
    const { slope, intercept } = this.#calibration[script][head];
    return logistic(slope * sum + intercept);
  }
}

/** Reorders the weights by head: one head is summed at a time, and its weights fit the CPU cache. */
function byHead(byBucket: Uint8Array): Int8Array {
  const weights = new Int8Array(byBucket.length);
  let at = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    for (let head = 0; head < HEADS.length; head++) {
      const weight = byBucket[at++];
      if (weight) weights[head * BUCKETS + bucket] = weight;
    }
  }
  return weights;
}

function phrases(words: readonly Contribution[]): Contribution[] {
  const strong = PHRASE_SHARE * words.reduce((most, { weight }) => Math.max(most, weight), 0);
  const found: Contribution[] = [];
  for (const word of words) {
    const last = found.at(-1);
    const isNext = last !== undefined && word.start - last.end <= 1 && last.weight >= strong;
    if (isNext && word.weight >= strong) {
      found[found.length - 1] = { ...last, end: word.end, weight: last.weight + word.weight };
    } else if (word.weight >= MIN_WEIGHT) {
      found.push(word);
    }
  }
  return found;
}

/** One fifth of Han characters is enough: a Chinese text may contain foreign words. */
export function scriptOf(text: string): Script {
  const han = text.match(ALL_HAN)?.length ?? 0;
  return han > 0 && 5 * han >= text.length ? 'han' : 'other';
}

export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
