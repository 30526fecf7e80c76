import type { Level } from '../../protocol/detection.ts';
import { isDescribed, isNegated } from './exemption.ts';
import type { MappedText } from './mapped-text.ts';
import { normalize } from './normalize.ts';
import { PatternIndex } from './pattern-index.ts';
import { foreignQuotations } from './quotations.ts';
import { type Language, type LazyPattern, loadRules, type Rule } from './rule.ts';
import { combinedScore, levelOf } from './score.ts';
import { type Span, sentencesOf } from './sentences.ts';

/** Where a rule found something. */
export interface Hit {
  readonly rule: Rule;
  readonly language: Language;
  /** In UTF-16 code units of the text. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** What the rules say of a text. */
export interface Assessment {
  readonly level: Level;
  /** 0 to 100. */
  readonly score: number;
  /** By their place. */
  readonly hits: readonly Hit[];
  /** The sentences of the text, in UTF-16 code units of it. */
  readonly sentences: readonly Span[];
}

/** More hits of one rule tell nobody more. */
const MAX_HITS = 5;
/** A text that negates or quotes the same thing more often does not explain it any more. */
const MAX_EXEMPTIONS = 25;

/** The rule engine, its rules loaded. Matching takes time linear in the length of the text. */
export class RuleEngine {
  readonly rules: readonly Rule[] = loadRules();
  readonly #indexes = new Map<Language, PatternIndex<RulePattern>>();

  /** Finds what the rules name in a text (D2 section 1, the first of its two levels). */
  assess(source: string): Assessment {
    const mapped = normalize(source);
    const sentences = sentencesOf(mapped.text).map((span) => new Sentence(mapped, span));
    const findings = new Findings(foreignQuotations(mapped.text));
    for (const sentence of sentences) {
      for (const language of sentence.languages) {
        for (const { rule, pattern } of this.#index(language).candidates(sentence.text)) {
          findings.look(sentence, language, rule, pattern);
        }
      }
    }
    const hits = findings.hits();
    const weights = new Map(hits.map(({ rule }) => [rule, rule.data.weight]));
    const score = combinedScore([...weights.values()]);
    return { level: levelOf(score), score, hits, sentences: sentences.map(({ source }) => source) };
  }

  /** Made when the first text of the language comes. */
  #index(language: Language): PatternIndex<RulePattern> {
    const index = this.#indexes.get(language) ?? indexOf(this.rules, language);
    this.#indexes.set(language, index);
    return index;
  }
}

interface RulePattern {
  readonly rule: Rule;
  readonly pattern: LazyPattern;
}

function indexOf(rules: readonly Rule[], language: Language): PatternIndex<RulePattern> {
  const index = new PatternIndex<RulePattern>();
  for (const rule of rules) {
    for (const pattern of rule.patterns[language]) index.add(pattern.skeleton, { rule, pattern });
  }
  return index;
}

class Sentence {
  readonly text: string;
  readonly start: number;
  readonly source: Span;
  readonly languages: readonly Language[];
  readonly #mapped: MappedText;

  constructor(mapped: MappedText, { start, end }: Span) {
    this.text = mapped.text.slice(start, end);
    this.start = start;
    this.source = mapped.sourceRange(start, end);
    this.#mapped = mapped;
    const found: [Language, RegExp][] = [
      ['en', /[a-z]/],
      ['zh', /[\u3400-\u9fff]/],
    ];
    this.languages = found.flatMap(([language, letter]) =>
      letter.test(this.text) ? [language] : [],
    );
  }

  /** Where a part of the sentence is in the text. */
  sourceRange({ start, end }: Span): Span {
    return this.#mapped.sourceRange(this.start + start, this.start + end);
  }
}

/** What is found in one text. */
class Findings {
  readonly #quotations: readonly Span[];
  readonly #hits = new Map<Rule, Hit[]>();
  readonly #exempted = new Map<Rule, number>();

  constructor(quotations: readonly Span[]) {
    this.#quotations = quotations;
  }

  /** By their place; of hits of one rule that overlap, the longest. */
  hits(): Hit[] {
    return [...this.#hits.values()].flat().sort((a, b) => a.start - b.start || b.end - a.end);
  }

  look(sentence: Sentence, language: Language, rule: Rule, pattern: LazyPattern): void {
    const hits = this.#hits.get(rule) ?? [];
    if (hits.length >= MAX_HITS) return;
    for (const span of pattern.matches(sentence.text)) {
      if (this.#isExempt(rule, sentence, span, language)) continue;
      const hit = { rule, language, ...sentence.sourceRange(span) };
      const other = hits.findIndex(({ start, end }) => start < hit.end && hit.start < end);
      if (other === -1) hits.push(hit);
      else if (lengthOf(hit) > lengthOf(hits[other])) hits[other] = hit;
    }
    if (hits.length > 0) this.#hits.set(rule, hits.slice(0, MAX_HITS));
  }

  /** Whether a match is not what the text says: negated, quoted, described, or excepted. */
  #isExempt(rule: Rule, sentence: Sentence, span: Span, language: Language): boolean {
    const exempted = this.#exempted.get(rule) ?? 0;
    if (exempted >= MAX_EXEMPTIONS) return false;
    const { text, start } = sentence;
    const isExempt =
      (rule.data.negatable !== false && isNegated(text, span.start, language)) ||
      isWithin({ start: start + span.start, end: start + span.end }, this.#quotations) ||
      (rule.exceptions[language]?.test(text) ?? false) ||
      isDescribed(text, span, language);
    if (isExempt) this.#exempted.set(rule, exempted + 1);
    return isExempt;
  }
}

function isWithin(span: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => start <= span.start && span.end <= end);
}

function lengthOf(span: Span | undefined): number {
  return span ? span.end - span.start : 0;
}
