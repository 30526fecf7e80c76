import { LEAST_SCORE } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';
import type { Assessment, Detector } from './detector.ts';
import type { Hit } from './engine.ts';
import { HAN } from './look-alikes.ts';
import type { Span } from './sentences.ts';

/** Used when no sentence accounts for the risk. */
const GENERAL: Readonly<Record<Language, string>> = {
  en: 'I want to be careful here. I am an AI, and for something that weighs on you, a person you trust or a professional can help in ways that I cannot. What would be useful to you right now?',
  zh: '这里我想谨慎一些。我是人工智能，如果有什么事压在你心上，身边信任的人或专业人士能给你我给不了的帮助。现在有什么是我可以为你做的？',
};

/** Rewrites of a rewrite before the whole text is replaced. */
const MAX_PASSES = 5;

/**
 * A safer form of a text: each risky sentence gives way to a rewrite of its gravest rule, or of its
 * likeliest family where only the model objects. Of an encouragement to self-harm, nothing is kept.
 *
 * @returns The text itself when its level is below medium.
 */
export function safeRewrite(source: string, detector: Detector): string {
  let text = source;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const assessment = detector.assess(text);
    if (assessment.score < LEAST_SCORE.medium) return text;
    const { hits } = assessment;
    const selfHarm = gravest(hits.filter(({ rule }) => rule.category === 'self_harm'));
    if (selfHarm) return insteadOf(selfHarm);
    text = withoutRisk(text, assessment, detector);
  }
  return generalRewrite(source);
}

/** The rewrite of a text whose risk no sentence accounts for. */
export function generalRewrite(source: string): string {
  return GENERAL[languageOf(source)];
}

/** Replaces the sentences that are risky by themselves; if none is, the one that comes closest. */
function withoutRisk(source: string, { hits, sentences }: Assessment, detector: Detector): string {
  const judged = sentences.map((sentence) => {
    const span = withMarkup(source, sentence);
    const words = source.slice(span.start, span.end);
    const hit = gravest(hits.filter(({ start, end }) => start < span.end && end > span.start));
    const score = hit ? hit.rule.data.weight : detector.assess(words).score;
    return { ...span, words, hit, score };
  });
  const highest = judged.reduce((most, { score }) => Math.max(most, score), 0);
  const least = Math.min(highest, LEAST_SCORE.medium);

  const used = new Set<string>();
  let text = '';
  let done = 0;
  for (const { start, end, words, hit, score } of judged) {
    if (score < least) continue;
    const instead = hit ? insteadOf(hit) : detector.likeliestRewrite(words)[languageOf(words)];
    // A rewrite that is there already would only leave its spaces behind.
    text +=
      used.has(instead) || source.includes(instead)
        ? source.slice(done, start).trimEnd()
        : source.slice(done, start) + instead;
    used.add(instead);
    done = end;
  }
  return text + source.slice(done);
}

/** A sentence with the marks of emphasis around it. */
function withMarkup(source: string, { start, end }: Span): Span {
  while (MARKUP.test(source[start - 1] ?? '')) start--;
  while (MARKUP.test(source[end] ?? '')) end++;
  return { start, end };
}

const MARKUP = /[*_`~]/;

function insteadOf({ rule, language }: Hit): string {
  return rule.data.rewrite[language];
}

/** The hit of the highest weight, the first of several. */
function gravest(hits: readonly Hit[]): Hit | undefined {
  const weight = Math.max(...hits.map(({ rule }) => rule.data.weight));
  return hits.find(({ rule }) => rule.data.weight === weight);
}

function languageOf(text: string): Language {
  return HAN.test(text) ? 'zh' : 'en';
}
