import { type Language, LazyPattern } from './rule.ts';
import contexts from './rules/contexts.json' with { type: 'json' };
import { clauseStart, remarkEnd, statementStart } from './sentences.ts';

/**
 * Whether the words before a match in its clause negate it, as in "I would never say that …".
 *
 * @param sentence Normalised.
 * @param start Where the match begins in it.
 */
export function isNegated(sentence: string, start: number, language: Language): boolean {
  const before = sentence.slice(clauseStart(sentence, start), start);
  return language === 'en' ? isNegatedInEnglish(before) : isNegatedInChinese(before);
}

/**
 * Whether a sentence speaks about what matches, instead of saying it: "people who tell you that …",
 * "… is a sign of manipulation".
 */
export function isDescribed(
  sentence: string,
  { start, end }: { readonly start: number; readonly end: number },
  language: Language,
): boolean {
  const { before, after } = DESCRIBING[language];
  const said = sentence.slice(statementStart(sentence, start), start);
  return before.test(said) || after.test(sentence.slice(end, remarkEnd(sentence, end)));
}

function isNegatedInEnglish(before: string): boolean {
  return NEGATION.test(before.replace(AFFIRMING, ' '));
}

/** Negations that affirm: "no doubt", "never forget". */
const AFFIRMING = new RegExp(`\\b(?:${contexts.en.affirming.join('|')})\\b`, 'g');
const NEGATION = new RegExp(`\\b(?:${contexts.en.negation.join('|')})\\b`);

/**
 * Words are looked at as a reader sees them: 别 is a negation, and it is none in 特别. Of several
 * the last one counts.
 */
function isNegatedInChinese(before: string): boolean {
  const words = [...segmenter().segment(before)].map(({ segment }) => segment);
  return words.some((word) => NEGATION_ZH.test(word) && !AFFIRMING_ZH.test(word));
}

const NEGATION_ZH = new RegExp(`^[我你您他她它咱]?(?:${contexts.zh.negation.join('|')})`);
const AFFIRMING_ZH = new RegExp(`^[我你您他她它咱]?(?:${contexts.zh.affirming.join('|')})`);

let words: Intl.Segmenter | undefined;

function segmenter(): Intl.Segmenter {
  words ??= new Intl.Segmenter('zh', { granularity: 'word' });
  return words;
}

const DESCRIBING = {
  en: describing('en'),
  zh: describing('zh'),
};

function describing(language: Language) {
  const { before, after } = contexts[language].describing;
  return {
    before: new LazyPattern(before.join('|'), language),
    after: new LazyPattern(after.join('|'), language),
  };
}
