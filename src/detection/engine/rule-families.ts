import type { Category } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import consciousness from './rules/consciousness.json' with { type: 'json' };
import delusion from './rules/delusion.json' with { type: 'json' };
import dependency from './rules/dependency.json' with { type: 'json' };
import escalation from './rules/escalation.json' with { type: 'json' };
import guilt from './rules/guilt.json' with { type: 'json' };
import isolation from './rules/isolation.json' with { type: 'json' };
import manipulation from './rules/manipulation.json' with { type: 'json' };
import medical from './rules/medical.json' with { type: 'json' };
import minimizing from './rules/minimizing.json' with { type: 'json' };
import reassurance from './rules/reassurance.json' with { type: 'json' };
import selfHarm from './rules/self-harm.json' with { type: 'json' };
import sycophancy from './rules/sycophancy.json' with { type: 'json' };

/** The rules of one category, as in its file; `rules/README.md` explains how to write them. */
export interface RuleFamily {
  readonly category: Category;
  readonly rules: readonly RuleData[];
}

export interface RuleData {
  readonly id: string;
  readonly name: Texts<string>;
  /** The score of a text that matches this rule; the highest decides. */
  readonly weight: number;
  readonly why: Texts<string>;
  readonly patterns: Texts<readonly string[]>;
  /** False when a preceding negation does not negate the words. */
  readonly negatable?: boolean;
  readonly rewrite: Texts<string>;
  readonly examples: {
    readonly positive: readonly string[];
    readonly negative: readonly string[];
  };
}

/** A value for each language. */
export type Texts<T> = Readonly<Record<Language, T>>;

/** The rule files (`rules/rules.schema.json`), most severe first. */
export const FAMILIES = [
  selfHarm,
  medical,
  delusion,
  manipulation,
  isolation,
  dependency,
  guilt,
  escalation,
  consciousness,
  minimizing,
  reassurance,
  sycophancy,
] as readonly unknown[] as readonly RuleFamily[];
