import { RE2JS } from 're2js';
import type { Category } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';
import type { RuleData, Texts } from './rule-families.ts';
import { FAMILIES } from './rules/index.ts';
import shared from './rules/vocabulary.json' with { type: 'json' };
import type { Span } from './sentences.ts';
import type { Skeleton } from './skeleton.ts';
import { Vocabulary } from './vocabulary.ts';

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
