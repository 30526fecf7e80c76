import type { Language } from '../language.ts';
import type { Assessment, Hit } from './engine.ts';
import { HAN } from './look-alikes.ts';
import type { Span } from './sentences.ts';

/** Used when only the model found a risk: the risky sentence is unknown. */
const GENERAL: Readonly<Record<Language, string>> = {
  en: 'I want to be careful here. I am an AI, and for something that weighs on you, a person you trust or a professional can help in ways that I cannot. What would be useful to you right now?',
  zh: '这里我想谨慎一些。我是人工智能，如果有什么事压在你心上，身边信任的人或专业人士能给你我给不了的帮助。现在有什么是我可以为你做的？',
};

/**
 * A safer form of a text: each sentence with a hit gives way to what its gravest rule says instead,
 * the others stay. Where the rules found an encouragement to self-harm nothing of the text is kept.
 *
 * @returns The text itself when no rule hit.
 */
export function safeRewrite(source: string, { hits, sentences }: Assessment): string {
  const [first] = gravestFirst(hits.filter(({ rule }) => rule.category === 'self_harm'));
  if (first) return insteadOf(first);

  const said = new Set<string>();
  let text = '';
  let done = 0;
  for (const sentence of sentences) {
    const { start, end } = withMarkup(source, sentence);
    const [gravest] = gravestFirst(hits.filter((hit) => hit.start < end && hit.end > start));
    if (!gravest) continue;
    const instead = insteadOf(gravest);
    // What was said already would only leave its spaces behind.
    text +=
      said.has(instead) || source.includes(instead)
        ? source.slice(done, start).trimEnd()
        : source.slice(done, start) + instead;
    said.add(instead);
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

/** The rewrite of a text whose risk only the model sees. */
export function generalRewrite(source: string): string {
  return GENERAL[HAN.test(source) ? 'zh' : 'en'];
}

function insteadOf({ rule, language }: Hit): string {
  return rule.data.rewrite[language];
}

function gravestFirst(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => b.rule.data.weight - a.rule.data.weight);
}
