import type { Category, Level } from '../../protocol/detection.ts';
import { LANGUAGES, type Language } from '../language.ts';
import { isDescribed, isNegated } from './exemption.ts';
import { HAN } from './look-alikes.ts';
import type { MappedText } from './mapped-text.ts';
import { normalize } from './normalize.ts';
import { PatternIndex } from './pattern-index.ts';
import { foreignQuotations } from './quotations.ts';
import { type LazyPattern, loadRules, type Rule } from './rule.ts';
import { combinedScore, levelOf } from './score.ts';
import { piecesOf, type Span, sentencesOf } from './sentences.ts';

/** Where a rule found something. */
export interface Hit {
  readonly rule: Rule;
  readonly language: Language;
  /** In UTF-16 code units of the text. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Assessment {
  readonly level: Level;
  /** 0 to 100. */
  readonly score: number;
  /** By their place. */
  readonly hits: readonly Hit[];
  /** The sentences of the text, in UTF-16 code units of it. */
  readonly sentences: readonly Span[];
}

/** Hits of one rule that are reported. */
const MAX_HITS = 5;
/** Further negations and quotations count as hits: a hostile text must not take long. */
const MAX_EXEMPTIONS = 300;
/** Characters on each side of a match, within its sentence, that decide whether it is meant. */
const CONTEXT_LENGTH = 240;

const LETTERS = { en: /[a-z]/, zh: HAN };

/** The rule engine, its rules loaded. Matching takes time linear in the length of the text. */
export class RuleEngine {
  readonly rules: readonly Rule[] = loadRules();
  readonly #indexes: Partial<Record<Language, PatternIndex<RulePattern>>> = {};

  /** Matches the rules against a text (D2 section 1, the first of its two levels). */
  assess(source: string): Assessment {
    const mapped = normalize(source);
    const sentences = sentencesOf(mapped.text);
    const pieces = sentences.flatMap((sentence) =>
      piecesOf(mapped.text, sentence).map((span) => new Piece(mapped, sentence, span)),
    );
    const findings = new Findings(foreignQuotations(mapped.text));
    const isOpen = ({ rule }: RulePattern) => !findings.isFull(rule);
    for (const piece of pieces) {
      for (const language of piece.languages) {
        this.#indexes[language] ??= indexOf(this.rules, language);
        for (const { rule, pattern } of this.#indexes[language].candidates(piece.text, isOpen)) {
          findings.match(piece, language, rule, pattern);
        }
      }
    }
    const hits = findings.hits();
    const score = combinedScore(gravestOfEach(hits));
    return {
      level: levelOf(score),
      score,
      hits,
      sentences: sentences.map(({ start, end }) => mapped.sourceRange(start, end)),
    };
  }
}

/** The gravest weight of each family that hit: its rules say much the same. */
function gravestOfEach(hits: readonly Hit[]): number[] {
  const weights = new Map<Category, number>();
  for (const { rule } of hits) {
    weights.set(rule.category, Math.max(rule.data.weight, weights.get(rule.category) ?? 0));
  }
  return [...weights.values()];
}

interface RulePattern {
  readonly rule: Rule;
  readonly pattern: LazyPattern;
}

function indexOf(rules: readonly Rule[], language: Language): PatternIndex<RulePattern> {
  const index = new PatternIndex<RulePattern>();
  for (const rule of rules) {
    for (const pattern of rule.patterns[language]) index.add(pattern.skeletons, { rule, pattern });
  }
  return index;
}

/** A sentence, or a piece of a long one. */
class Piece {
  readonly text: string;
  readonly languages: readonly Language[];
  /** Those that hit here. */
  readonly rules = new Set<Rule>();
  readonly #mapped: MappedText;
  readonly #sentence: Span;
  readonly #start: number;

  constructor(mapped: MappedText, sentence: Span, { start, end }: Span) {
    this.text = mapped.text.slice(start, end);
    this.#mapped = mapped;
    this.#sentence = sentence;
    this.#start = start;
    this.languages = LANGUAGES.filter((language) => LETTERS[language].test(this.text));
  }

  /** A match of the piece in the normalised text. */
  placed({ start, end }: Span): Span {
    return { start: this.#start + start, end: this.#start + end };
  }

  /** A place of the normalised text in the text as it was written. */
  sourceRange({ start, end }: Span): Span {
    return this.#mapped.sourceRange(start, end);
  }

  /** The context of a span of the normalised text in its sentence, and the span in it. */
  contextOf({ start, end }: Span): { readonly text: string; readonly span: Span } {
    const from = Math.max(this.#sentence.start, start - CONTEXT_LENGTH);
    const to = Math.min(this.#sentence.end, end + CONTEXT_LENGTH);
    return {
      text: this.#mapped.text.slice(from, to),
      span: { start: start - from, end: end - from },
    };
  }
}

class Findings {
  readonly #quotations: readonly Span[];
  readonly #hits = new Map<Rule, Hit[]>();
  #exempted = 0;

  constructor(quotations: readonly Span[]) {
    this.#quotations = quotations;
  }

  /** By their place. */
  hits(): Hit[] {
    return [...this.#hits.values()].flat().sort((a, b) => a.start - b.start || b.end - a.end);
  }

  isFull(rule: Rule): boolean {
    return this.#hits.get(rule)?.length === MAX_HITS;
  }

  match(piece: Piece, language: Language, rule: Rule, pattern: LazyPattern): void {
    // What several patterns of a rule find in one sentence is one thing.
    if (piece.rules.has(rule) || this.isFull(rule)) return;
    const hits = this.#hits.get(rule) ?? [];
    for (const span of pattern.matches(piece.text).map((match) => piece.placed(match))) {
      const hit = { rule, language, ...piece.sourceRange(span) };
      // Pieces of one sentence overlap.
      const isKnown = hits.some(({ start, end }) => start < hit.end && hit.start < end);
      if (isKnown || this.#isExempt(rule, piece, span, language)) continue;
      hits.push(hit);
      piece.rules.add(rule);
    }
    if (hits.length > 0) this.#hits.set(rule, hits.slice(0, MAX_HITS));
  }

  /** Whether a match is not what the text says: negated, quoted, described, or excepted. */
  #isExempt(rule: Rule, piece: Piece, placed: Span, language: Language): boolean {
    if (this.#exempted === MAX_EXEMPTIONS) return false;
    const { text, span } = piece.contextOf(placed);
    const isExempt =
      (rule.data.negatable !== false && isNegated(text, span.start, language)) ||
      isWithin(placed, this.#quotations) ||
      (rule.exceptions[language]?.test(text) ?? false) ||
      isDescribed(text, span, language);
    if (isExempt) this.#exempted++;
    return isExempt;
  }
}

function isWithin(span: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => start <= span.start && span.end <= end);
}
