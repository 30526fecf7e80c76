import { RE2JS } from 're2js';
import type { Category, Level } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';
import { FAMILIES } from './rules/index.ts';
import shared from './rules/vocabulary.json' with { type: 'json' };
import type { Span } from './sentences.ts';
import type { Skeleton } from './skeleton.ts';
import { Vocabulary } from './vocabulary.ts';

/** The rules of one category, as its file has them. `rules/README.md` says how they are written. */
export interface RuleFamily {
  readonly category: Category;
  /** Names for patterns of this file, besides those of `vocabulary.json`. */
  readonly vocabulary?: Texts<Readonly<Record<string, string>>>;
  readonly rules: readonly RuleData[];
}

interface RuleData {
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

type Texts<T> = Readonly<Record<Language, T>>;

/** A rule with its patterns, which are compiled when a text first needs them. */
export class Rule {
  readonly category: Category;
  readonly data: RuleData;
  readonly patterns: Texts<readonly LazyPattern[]>;
  readonly exceptions: Texts<LazyPattern | undefined>;

  constructor(category: Category, data: RuleData, vocabularies: Texts<Vocabulary>) {
    this.category = category;
    this.data = data;
    const lazy = (source: string, language: Language): LazyPattern =>
      new LazyPattern(source, language, vocabularies[language]);
    const { patterns, exceptions } = data;
    this.patterns = {
      en: patterns.en.map((source) => lazy(source, 'en')),
      zh: patterns.zh.map((source) => lazy(source, 'zh')),
    };
    const anyOf = (language: Language): LazyPattern | undefined => {
      const sources = exceptions?.[language] ?? [];
      return sources.length > 0 ? lazy(sources.join('|'), language) : undefined;
    };
    this.exceptions = { en: anyOf('en'), zh: anyOf('zh') };
  }
}

/**
 * A pattern for normalised sentences, compiled for matching in linear time when it is first used.
 * English ones match whole words, or up to the end of the sentence.
 */
export class LazyPattern {
  readonly #source: string;
  readonly #language: Language;
  readonly #vocabulary: Vocabulary;
  #compiled: RE2JS | undefined;

  constructor(source: string, language: Language, vocabulary = SHARED[language]) {
    this.#source = source;
    this.#language = language;
    this.#vocabulary = vocabulary;
  }

  /** One of these has every sentence that it matches. */
  get skeletons(): readonly Skeleton[] {
    return this.#vocabulary.read(this.#source, this.#language === 'en').skeletons;
  }

  test(text: string): boolean {
    return this.#pattern.test(text);
  }

  /** Where it matches, from left to right without overlaps. */
  matches(text: string): Span[] {
    // Whether it matches is known much sooner than where.
    if (!this.test(text)) return [];
    const spans: Span[] = [];
    const matcher = this.#pattern.matcher(text);
    while (matcher.find()) spans.push({ start: matcher.start(), end: matcher.end() });
    return spans;
  }

  get #pattern(): RE2JS {
    if (!this.#compiled) {
      const source = this.#vocabulary.expand(this.#source);
      this.#compiled = RE2JS.compile(
        this.#language === 'en' ? `(?:^|\\b)(?:${source})(?:\\b|$)` : source,
      );
    }
    return this.#compiled;
  }
}

const SHARED = { en: new Vocabulary(shared.en), zh: new Vocabulary(shared.zh) };

/** Every rule, loaded. */
export function loadRules(): readonly Rule[] {
  return FAMILIES.flatMap(({ category, vocabulary, rules }) => {
    const vocabularies = vocabulary
      ? {
          en: new Vocabulary(shared.en, vocabulary.en),
          zh: new Vocabulary(shared.zh, vocabulary.zh),
        }
      : SHARED;
    return rules.map((data) => new Rule(category, data, vocabularies));
  });
}
