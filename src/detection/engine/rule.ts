import type { Category } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import { FAMILIES, type RuleData, type Texts } from './rule-families.ts';
import vocabulary from './rules/vocabulary.json' with { type: 'json' };

export interface Rule {
  readonly category: Category;
  readonly data: RuleData;
  readonly patterns: Texts<RegExp>;
}

export function loadRules(): readonly Rule[] {
  return FAMILIES.flatMap(({ category, rules }) =>
    rules.map((data) => ({
      category,
      data,
      patterns: {
        en: compile(data.patterns.en, 'en'),
        zh: compile(data.patterns.zh, 'zh'),
      },
    })),
  );
}

/**
 * Alternative patterns as one expression. English patterns match whole words. All quantifiers are
 * bounded, as a test checks: matching takes linear time.
 */
export function compile(sources: readonly string[], language: Language): RegExp {
  const alternatives = sources.map((source) => expand(source, language)).join('|');
  return new RegExp(language === 'en' ? `\\b(?:${alternatives})(?!\\w)` : alternatives, 'g');
}

/** A pattern with the `{names}` of the vocabulary replaced by their patterns. */
export function expand(source: string, language: Language): string {
  const meanings: Readonly<Record<string, string>> = vocabulary[language];
  return source.replace(/\{([a-z]\w*)\}/g, (_, name: string) => {
    const meaning = meanings[name];
    if (meaning === undefined) throw new Error(`the vocabulary does not contain {${name}}`);
    return `(?:${expand(meaning, language)})`;
  });
}
