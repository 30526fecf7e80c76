import { RE2JS } from 're2js';
import type { Category } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';
import { FAMILIES, type RuleData, type Texts } from './rule-families.ts';
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
    this.patterns = inEachLanguage((language) =>
      patterns[language].map((source) => lazy(source, language)),
    );
    this.exceptions = inEachLanguage((language) => {
      const sources = exceptions?.[language] ?? [];
      return sources.length > 0 ? lazy(sources.join('|'), language) : undefined;
    });
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

  /** Every sentence that it matches has one of these. */
  get skeletons(): readonly Skeleton[] {
    return this.#vocabulary.read(this.#source, this.#language === 'en').skeletons;
  }

  test(text: string): boolean {
    return this.#pattern.test(text);
  }

  /** Its matches, from left to right without overlaps. */
  matches(text: string): Span[] {
    // Testing is much faster than locating.
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

const SHARED = inEachLanguage((language) => new Vocabulary(shared[language]));

export function loadRules(): readonly Rule[] {
  return FAMILIES.flatMap(({ category, vocabulary, rules }) => {
    const vocabularies = vocabulary
      ? inEachLanguage((language) => new Vocabulary(shared[language], vocabulary[language]))
      : SHARED;
    return rules.map((data) => new Rule(category, data, vocabularies));
  });
}

function inEachLanguage<T>(make: (language: Language) => T): Texts<T> {
  return { en: make('en'), zh: make('zh') };
}
