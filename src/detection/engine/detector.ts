import type { Category, Level } from '../../protocol/detection.ts';
import { type Contribution, EmbeddedModel } from './embedded-model.ts';
import type { MappedText } from './mapped-text.ts';
import { normalize } from './normalize.ts';
import type { Rule } from './rule.ts';
import { type Matches, RuleEngine } from './rule-engine.ts';
import type { RuleData } from './rule-families.ts';
import { combinedScore, levelOf } from './score.ts';
import { TRAINED } from './trained-model.ts';

export interface Assessment extends Matches {
  readonly level: Level;
  /** 0 to 100: the higher of `ruleScore` and the score of the model. */
  readonly score: number;
  /** 0 to 100, of the rules alone. */
  readonly ruleScore: number;
  /** The model's probability of risk, assuming that half of all texts are risky. */
  readonly probability: number;
}

/** The estimate of the embedded model: statistics of example texts, not a judgement. */
export interface EmbeddedAnalysis {
  readonly status: 'ok';
  readonly provider: 'embedded';
  /** The version of the weights. */
  readonly version: string;
  readonly level: Level;
  /** A whole number from 0 to 100, in the range of the level. */
  readonly score: number;
  /** The probability of risk, 0 to 1. */
  readonly probability: number;
  /** The probability of each family, 0 to 1, the highest first. */
  readonly families: Readonly<Record<Category, number>>;
  /** Up to 8 words or phrases that contributed most, the strongest first. */
  readonly words: readonly ContributingWord[];
}

interface ContributingWord {
  readonly text: string;
  /** In UTF-16 code units of the text. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Contribution to the log-odds of being risky; above 0. */
  readonly weight: number;
}

/**
 * The local part of the detection (D2 section 1): a short rule book for clear cases, and a trained
 * model for all others. Both take time linear in the length of a text.
 */
export class Detector {
  readonly #rules = new RuleEngine();
  readonly #model = new EmbeddedModel(TRAINED);

  get rules(): readonly Rule[] {
    return this.#rules.rules;
  }

  /** The hits of the rules, and the higher score of rules and model. */
  assess(source: string): Assessment {
    const mapped = normalize(source);
    const { hits, sentences } = this.#rules.match(mapped);
    const estimate = this.#model.estimate(mapped.text);
    const ruleScore = Math.max(0, ...hits.map(({ rule }) => rule.data.weight));
    const score = combinedScore(ruleScore, estimate.score);
    const { probability } = estimate;
    return { level: levelOf(score), score, ruleScore, hits, sentences, probability };
  }

  /** The rewrite of the first rule in the most likely family. */
  likeliestRewrite(source: string): RuleData['rewrite'] {
    const [[likeliest] = []] = this.#model.families(normalize(source).text);
    const rule = this.rules.find(({ category }) => category === likeliest) as Rule;
    return rule.data.rewrite;
  }

  analyze(source: string): EmbeddedAnalysis {
    const mapped = normalize(source);
    const { probability, score } = this.#model.estimate(mapped.text);
    const families = this.#model.families(mapped.text);
    return {
      status: 'ok',
      provider: 'embedded',
      version: TRAINED.version,
      level: levelOf(score),
      score,
      probability: rounded(probability),
      families: Object.fromEntries(
        families.map(([name, each]) => [name, rounded(each)]),
      ) as EmbeddedAnalysis['families'],
      words: inSource(this.#model.contributions(mapped.text), mapped).map(
        ({ start, end, weight }) => ({
          text: source.slice(start, end),
          start,
          end,
          weight: rounded(weight),
        }),
      ),
    };
  }
}

/**
 * Contributions with positions in the source, strongest first. Merges two that share a word, such as
 * "don't".
 */
function inSource(contributions: readonly Contribution[], mapped: MappedText): Contribution[] {
  const found: Contribution[] = [];
  for (const { start, end, weight } of contributions) {
    const span = mapped.sourceRange(start, end);
    const known = found.findIndex((other) => span.start < other.end && other.start < span.end);
    const other = found[known];
    if (!other) {
      found.push({ ...span, weight });
      continue;
    }
    found[known] = {
      start: Math.min(span.start, other.start),
      end: Math.max(span.end, other.end),
      weight: weight + other.weight,
    };
  }
  return found.sort((one, other) => other.weight - one.weight);
}

/** Rounds to three decimals: the estimate is not more precise. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
