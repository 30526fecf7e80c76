import type { Category, Level } from '../../protocol/detection.ts';
import type { AiFailure, AiVerdict } from './external-model.ts';

/** The `ai_analysis` of a detection result; D2 2.2 does not define its content. */
export type AiAnalysis = EmbeddedAnalysis | AiVerdict | FailedAnalysis;

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

/** The external model failed; the embedded model gave the estimate instead. */
interface FailedAnalysis extends AiFailure {
  readonly embedded: EmbeddedAnalysis;
}
