import type { Language } from '../../protocol/language.ts';
import type { Span } from './mapped-text.ts';
import { compile } from './rule.ts';
import contexts from './rules/contexts.json' with { type: 'json' };
import { clauseStart, remarkEnd, statementStart } from './sentences.ts';

/** Whether the words before a match at `start` negate it, as in "I would never say that …". */
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

const QUOTATION =
  /"[^"\n]{2,300}"|「[^「」\n]{2,300}」|『[^『』\n]{2,300}』|《[^《》\n]{1,80}》|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,300}'(?![\w'])/g;

/** Introductions after which the speaker asserts the quoted words. */
const ASSERTED = [
  /\b(?:i|we) (?:just |only |will |want to |have to |must |would )*(?:say|said|whisper(?:ed)?|tell you|told you|promise|repeat|add|reply|ask|beg)\b[^."]*$/,
  /(?:^|[.!?;,:] ?|\b(?:and|then|just|please|now|you (?:should|could|can|must|might|need to|have to)) )(?:tell|text|write to|message|answer|repeat|remember|remind|send|say)\b(?! (?:me|us)\b)[^."]*$/,
  /(?:^|[,，。])(?:我|我们)(?:只|就|会|想|要|必须|还是)*(?:说|告诉你|想说|对你说|答应|发誓|保证)[^。"]*$/,
  /(?:对|跟|和|给)(?:他|她|他们|家人|朋友|爸妈|父母|医生|自己)[^。"]{0,6}(?:说|发|讲|回复|念)[^。"]*$/,
];

/**
 * The quotations that the speaker does not assert. The speaker asserts one that fills a line, or
 * that another person is asked to say.
 */
export function unassertedQuotations(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: quotation, index } of text.matchAll(QUOTATION)) {
    const start = index;
    const end = index + quotation.length;
    // The last 80 characters before a quotation suffice.
    const before = text.slice(Math.max(0, start - 80), start).replace(/^.*\n/s, '');
    const after = text.slice(end, end + 80).replace(/\n.*$/s, '');
    if (!WORD.test(before) && !WORD.test(after)) continue;
    if (!ASSERTED.some((pattern) => pattern.test(before))) spans.push({ start, end });
  }
  return spans;
}

const WORD = /[\p{L}\p{N}]/u;
