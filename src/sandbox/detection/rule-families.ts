import type { Category, Level } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';

/** The rules of one category, as its file has them. `rules/README.md` says how they are written. */
export interface RuleFamily {
  readonly category: Category;
  /** Names for patterns of this file, besides those of `vocabulary.json`. */
  readonly vocabulary?: Texts<Readonly<Record<string, string>>>;
  readonly rules: readonly RuleData[];
}

export interface RuleData {
  readonly id: string;
  readonly name: Texts<string>;
  readonly level: Exclude<Level, 'none'>;
  /** What it adds to the risk_score by itself; it lies in the range of the level. */
  readonly weight: number;
  readonly why: Texts<string>;
  readonly patterns: Texts<readonly string[]>;
  /** Where one of these matches in the same sentence, the rule does not count. */
  readonly exceptions?: Partial<Texts<readonly string[]>>;
  /** False where a negation in front does not take the words back. */
  readonly negatable?: boolean;
  readonly rewrite: Texts<string>;
  readonly examples: {
    readonly positive: readonly string[];
    readonly negative: readonly string[];
  };
}

/** Something in each language. */
export type Texts<T> = Readonly<Record<Language, T>>;
