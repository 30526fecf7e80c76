import { MIN_SCORE } from '../../protocol/detection.ts';
import type { Language } from '../../protocol/language.ts';
import type { Assessment, Detector } from './detector.ts';
import type { Span } from './mapped-text.ts';
import { HAN } from './normalize.ts';
import type { Hit } from './rule-engine.ts';

/** Replaces a text whose risk cannot be removed sentence by sentence. */
const GENERAL: Readonly<Record<Language, string>> = {
  en: 'I want to be careful here. I am an AI, and for something that weighs on you, a person you trust or a professional can help in ways that I cannot. What would be useful to you right now?',
  zh: '这里我想谨慎一些。我是人工智能，如果有什么事压在你心上，身边信任的人或专业人士能给你我给不了的帮助。现在有什么是我可以为你做的？',
};

/** Maximum number of passes. A text that is still risky is replaced entirely. */
const MAX_PASSES = 5;

/**
 * A safer form of a text. Replaces each risky sentence by the rewrite of its most severe rule, or
 * of its likeliest family when only the model objects. Replaces a text about self-harm entirely.
 */
export function safeRewrite(source: string, detector: Detector): string {
  let text = source;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const assessment = detector.assess(text);
    if (assessment.score < MIN_SCORE.medium) return text;
    const { hits } = assessment;
    const selfHarm = mostSevere(hits.filter(({ rule }) => rule.category === 'self_harm'));
    if (selfHarm) return rewriteOf(selfHarm);
    text = withoutRisk(text, assessment, detector);
  }
  return generalRewrite(source);
}

/** A safe text for a source whose risk cannot be removed sentence by sentence. */
export function generalRewrite(source: string): string {
  return GENERAL[languageOf(source)];
}

/** Replaces the sentences that are risky by themselves, or else those with the highest score. */
function withoutRisk(source: string, { hits, sentences }: Assessment, detector: Detector): string {
  const judged = sentences.map((sentence) => {
    const span = withMarkup(source, sentence);
    const words = source.slice(span.start, span.end);
    const hit = mostSevere(hits.filter(({ start, end }) => start < span.end && end > span.start));
    const score = hit ? hit.rule.data.weight : detector.assess(words).score;
    return { ...span, words, hit, score };
  });
  const highest = judged.reduce((most, { score }) => Math.max(most, score), 0);
  const threshold = Math.min(highest, MIN_SCORE.medium);

  const used = new Set<string>();
  let text = '';
  let done = 0;
  for (const { start, end, words, hit, score } of judged) {
    if (score < threshold) continue;
    const rewrite = hit ? rewriteOf(hit) : detector.likeliestRewrite(words)[languageOf(words)];
    // Insert each rewrite once. In place of a second one, drop the spaces too.
    text +=
      used.has(rewrite) || source.includes(rewrite)
        ? source.slice(done, start).trimEnd()
        : source.slice(done, start) + rewrite;
    used.add(rewrite);
    done = end;
  }
  return text + source.slice(done);
}

/** A sentence with its surrounding emphasis marks. */
function withMarkup(source: string, { start, end }: Span): Span {
  while (MARKUP.test(source[start - 1] ?? '')) start--;
  while (MARKUP.test(source[end] ?? '')) end++;
  return { start, end };
}

const MARKUP = /[*_`~]/;

function rewriteOf({ rule, language }: Hit): string {
  return rule.data.rewrite[language];
}

/** The first hit with the highest weight. */
function mostSevere(hits: readonly Hit[]): Hit | undefined {
  const weight = Math.max(...hits.map(({ rule }) => rule.data.weight));
  return hits.find(({ rule }) => rule.data.weight === weight);
}

function languageOf(text: string): Language {
  return HAN.test(text) ? 'zh' : 'en';
}
