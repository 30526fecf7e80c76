import { LANGUAGES, type Language } from '../../protocol/language.ts';
import { isDescribed, isNegated, unassertedQuotations } from './exemption.ts';
import type { MappedText, Span } from './mapped-text.ts';
import { HAN } from './normalize.ts';
import { loadRules, type Rule } from './rule.ts';
import { sentencesOf } from './sentences.ts';

/** A match of a rule that is not exempt. */
export interface Hit {
  readonly rule: Rule;
  readonly language: Language;
  /** In UTF-16 code units of the original text. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface Matches {
  /** Sorted by position. */
  readonly hits: readonly Hit[];
  /** The sentences of the text, in UTF-16 code units. */
  readonly sentences: readonly Span[];
}

const MAX_HITS = 5;
/** The maximum number of exempt matches. Further ones count as hits, to bound the time of a text. */
const MAX_EXEMPTIONS = 300;
/** The checked context on each side of a match, within its sentence, in characters. */
const CONTEXT_LENGTH = 240;

/** A text without a match of this expression has no hits in the language. */
const MINIMUM_TEXT = { en: /[a-z] [a-z]/, zh: HAN };

/** The rules, loaded. Matching takes time linear in the length of the text. */
export class RuleEngine {
  readonly rules: readonly Rule[] = loadRules();

  /** Matches the rules against a text: the first level of detection (D2 section 1). */
  match(mapped: MappedText): Matches {
    const sentences = sentencesOf(mapped.text);
    const hits = this.#matches(mapped.text, sentences)
      .map(({ start, end, ...match }) => ({ ...match, ...mapped.sourceRange(start, end) }))
      .sort((a, b) => a.start - b.start || b.end - a.end);
    return { hits, sentences: sentences.map(({ start, end }) => mapped.sourceRange(start, end)) };
  }

  /** Hits with positions in the normalised text: up to one for each rule and sentence. */
  #matches(text: string, sentences: readonly Span[]): Hit[] {
    const languages = LANGUAGES.filter((language) => MINIMUM_TEXT[language].test(text));
    const quotations = unassertedQuotations(text);
    const hits: Hit[] = [];
    let exempted = 0;
    for (const rule of this.rules) {
      const sentencesHit: Span[] = [];
      for (const language of languages) {
        const pattern = rule.patterns[language];
        // `matchAll` would copy the expression.
        pattern.lastIndex = 0;
        for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
          if (sentencesHit.length === MAX_HITS) break;
          const span = { start: match.index, end: pattern.lastIndex };
          const sentence = sentenceAt(sentences, span.start);
          if (sentencesHit.includes(sentence)) continue;
          const isExempt =
            exempted < MAX_EXEMPTIONS &&
            (isWithin(span, quotations) || isExemptMatch(text, sentence, span, rule, language));
          if (isExempt) {
            exempted++;
          } else {
            sentencesHit.push(sentence);
            hits.push({ rule, language, ...span });
          }
        }
      }
    }
    return hits;
  }
}

function isExemptMatch(
  text: string,
  sentence: Span,
  { start, end }: Span,
  { data }: Rule,
  language: Language,
): boolean {
  const from = Math.max(sentence.start, start - CONTEXT_LENGTH);
  const context = text.slice(from, Math.max(end, Math.min(sentence.end, end + CONTEXT_LENGTH)));
  const span = { start: start - from, end: end - from };
  return (
    (data.negatable !== false && isNegated(context, span.start, language)) ||
    isDescribed(context, span, language)
  );
}

/** The sentence at a position: the last one that starts at or before it. */
function sentenceAt(sentences: readonly Span[], place: number): Span {
  let [low, high] = [0, sentences.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sentences[middle]?.start ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return sentences[low] ?? { start: 0, end: 0 };
}

function isWithin(span: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => start <= span.start && span.end <= end);
}
