import { html } from 'hono/html';
import { DETECT_PATH, MAX_TEXT_LENGTH, MIN_SCORE } from '../../protocol/detection.ts';
import { LANGUAGES } from '../../protocol/language.ts';
import { LANGUAGE_NAMES, type Page } from '../../server/pages/frame.ts';
import { filled } from '../../server/pages/html.ts';
import { LANGUAGE_TAGS, translated, type View } from '../../server/pages/view.ts';
import template from './detection-page.html?raw';
import type { DetectionData } from './script-data.ts';
import CATEGORIES from './texts/categories.json' with { type: 'json' };
import TEXTS from './texts/detection.json' with { type: 'json' };
import EXAMPLES from './texts/examples.json' with { type: 'json' };

/** The main page: checks a typed or dictated text, and shows the findings. */
export function detectionPage({ language, t, link }: View): Page {
  const { title, summary, how, noScript, footnote, ...texts } = TEXTS.page;
  const categories = Object.entries(CATEGORIES).map(([key, { name, effect }]) => [
    key,
    { name: t(name), effect: t(effect) },
  ]);
  const data: DetectionData = {
    language: LANGUAGE_TAGS[language],
    resultLanguage: language,
    detectPath: DETECT_PATH,
    maxLength: MAX_TEXT_LENGTH,
    texts: translated(TEXTS.script, language),
    levels: translated(TEXTS.levels, language),
    categories: Object.fromEntries(categories),
    failures: translated(TEXTS.failures, language),
    speechFailures: translated(TEXTS.speechFailures, language),
  };
  const exampleLists = html`${LANGUAGES.map(
    (of) => html`
      <ul lang="${LANGUAGE_TAGS[of]}" aria-label="${LANGUAGE_NAMES[of]}">
        ${EXAMPLES.map(
          ({ name, text }) =>
            html`<li><button type="button" data-example="${text[of]}">${name[of]}</button></li>`,
        )}
      </ul>`,
  )}`;
  const [lowScore, highScore] = [`${MIN_SCORE.medium}`, `${MIN_SCORE.high}`];
  return {
    ...{ title, summary, noScript, footnote, data },
    intro: html`<a href="${link('/onepager')}">${t(how)}</a>`,
    styles: ['site.css'],
    script: 'detect.js',
    headers: { 'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()' },
    content: filled(template, t, texts, { exampleLists, lowScore, highScore }),
  };
}
