import type { Language } from '../../protocol/language.ts';
import type { Span } from './mapped-text.ts';
import { compile } from './rule.ts';
import contexts from './rules/contexts.json' with { type: 'json' };
import { clauseStart, remarkEnd, statementStart } from './sentences.ts';

/**
 * Whether the words before a match in its clause negate it, as in "I would never say that …".
 *
 * @param sentence Normalised.
 * @param start The position of the match in the sentence.
 */
export function isNegated(sentence: string, start: number, language: Language): boolean {
  const before = sentence.slice(clauseStart(sentence, start), start);
  return language === 'en'
    ? NEGATION.test(before.replace(AFFIRMING, ' '))
    : isNegatedInChinese(before);
}

/**
 * Whether a sentence describes the matched words instead of asserting them: "people who claim that
 * …", "… is a sign of manipulation".
 */
export function isDescribed(sentence: string, { start, end }: Span, language: Language): boolean {
  const { before, after } = DESCRIBING[language];
  const introduction = sentence.slice(statementStart(sentence, start), start);
  return (
    introduction.search(before) !== -1 ||
    sentence.slice(end, remarkEnd(sentence, end)).search(after) !== -1
  );
}

/** Negations that affirm: "no doubt", "never forget". */
const AFFIRMING = new RegExp(`\\b(?:${contexts.en.affirming.join('|')})\\b`, 'g');
const NEGATION = new RegExp(`\\b(?:${contexts.en.negation.join('|')})\\b`);

/** Compares whole words: 别 is a negation, but not in 特别. */
function isNegatedInChinese(before: string): boolean {
  // Segmenting is slow, and most clauses contain no possible negation.
  const near = before.slice(-MAX_SCOPE_ZH);
  if (!MAYBE_NEGATION_ZH.test(near)) return false;
  words ??= new Intl.Segmenter('zh', { granularity: 'word' });
  for (const { segment } of words.segment(near)) {
    if (NEGATION_ZH.test(segment) && !AFFIRMING_ZH.test(segment)) return true;
  }
  return false;
}

/** The maximum distance between a negation and a match, in characters. */
const MAX_SCOPE_ZH = 40;
const ANY_NEGATION_ZH = contexts.zh.negation.join('|');
const MAYBE_NEGATION_ZH = new RegExp(ANY_NEGATION_ZH);
const NEGATION_ZH = new RegExp(`^[我你他她它咱]?(?:${ANY_NEGATION_ZH})`);
const AFFIRMING_ZH = new RegExp(`^[我你他她它咱]?(?:${contexts.zh.affirming.join('|')})`);

let words: Intl.Segmenter | undefined;

const DESCRIBING = { en: describing('en'), zh: describing('zh') };

function describing(language: Language) {
  const { before, after } = contexts[language].describing;
  return { before: compile(before, language), after: compile(after, language) };
}
