import { html } from 'hono/html';
import { DETECT_PATH, MAX_TEXT_LENGTH, MIN_SCORE } from '../../protocol/detection.ts';
import { LANGUAGES } from '../../protocol/language.ts';
import { LANGUAGE_NAMES, type Page } from '../../server/pages/frame.ts';
import type { Html } from '../../server/pages/html.ts';
import { LANGUAGE_TAGS, type Text, translated, type View } from '../../server/pages/view.ts';
import type { DetectionData } from './script-data.ts';
import CATEGORIES from './texts/categories.json' with { type: 'json' };
import TEXTS from './texts/detection.json' with { type: 'json' };
import EXAMPLES from './texts/examples.json' with { type: 'json' };

const DETECTION = TEXTS.page;

/** The main page: checks a typed or dictated text, and shows the findings. */
export function detectionPage({ language, t, link }: View): Page {
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
  return {
    title: DETECTION.title,
    summary: DETECTION.summary,
    intro: html`<a href="${link('/onepager')}">${t(DETECTION.how)}</a>`,
    styles: ['site.css'],
    script: 'detect.js',
    noScript: DETECTION.noScript,
    data,
    footnote: DETECTION.footnote,
    headers: { 'Permissions-Policy': 'microphone=(self), camera=(), geolocation=()' },
    content: html`
      <div class="columns">
        <div class="sticky">${form(t)}</div>
        <div>
          ${result(t)}
          <p class="placeholder">${t(DETECTION.noResult)}</p>
        </div>
      </div>`,
  };
}

function form(t: View['t']): Html {
  return html`
    <form id="detect" novalidate>
      <label for="text">${t(DETECTION.label)}</label>
      <textarea id="text" rows="7" aria-describedby="hint counter error" autocomplete="off"></textarea>
      <div class="under">
        <p id="hint">${t(DETECTION.hint)}</p>
        <p id="counter"></p>
      </div>
${examples(t)}
      <div class="actions">
        <button type="submit" id="check" class="primary">${t(DETECTION.check)}</button>
        <button type="button" id="cancel" hidden>${t(DETECTION.cancel)}</button>
        <button type="button" id="speak" data-stop="${t(DETECTION.speakStop)}" hidden>${t(
          DETECTION.speak,
        )}</button>
      </div>
      <p class="note" data-note="speak" hidden>${t(DETECTION.speakPrivacy)}</p>
      <p class="note" id="speak-absent" hidden>${t(DETECTION.speakAbsent)}</p>
    </form>
    <div class="messages">
      <p id="status" role="status"></p>
      <p id="error" role="alert"></p>
    </div>`;
}

/** Examples in both languages. */
function examples(t: View['t']): Html {
  return html`
    <div class="examples" role="group" aria-labelledby="examples-title">
      <p id="examples-title">${t(DETECTION.examples)}</p>
      ${LANGUAGES.map(
        (of) => html`
      <ul lang="${LANGUAGE_TAGS[of]}" aria-label="${LANGUAGE_NAMES[of]}">
        ${EXAMPLES.map(
          ({ name, text }) =>
            html`<li><button type="button" data-example="${text[of]}">${name[of]}</button></li>`,
        )}
      </ul>`,
      )}
    </div>`;
}

function result(t: View['t']): Html {
  const title = (text: Text, id: string) => html`<h3 id="${id}">${t(text)}</h3>`;
  const marks = (kind: string, name: Html) => html`
          <label id="legend-${kind}"><input type="checkbox" id="show-${kind}" checked> ${name}</label>`;
  return html`
    <section id="result" aria-labelledby="result-title" hidden>
      <h2 id="result-title" tabindex="-1">${t(DETECTION.result)}</h2>
      <div class="verdict">
        <p id="level" class="level"></p>
        <div class="score">
          <label for="score">${t(DETECTION.score)}</label>
          <meter id="score" min="0" max="100" low="${MIN_SCORE.medium}"
            high="${MIN_SCORE.high}" optimum="0" value="0"></meter>
          <span id="score-text"></span>
        </div>
      </div>
      ${title(DETECTION.rules, 'rules-title')}
      <p id="no-rules">${t(DETECTION.noRules)}</p>
      <ol id="rules" class="rules" aria-labelledby="rules-title"></ol>
      <div id="model-part">
        ${title(DETECTION.model, 'model-title')}
        <div id="model"></div>
      </div>
      <div id="marked-part">
        ${title(DETECTION.marked, 'marked-title')}
        <p class="legend">
          ${marks('matched', html`<span class="mark" data-level="high">${t(DETECTION.matched)}</span>`)}
          ${marks('counted', html`<span class="counted">${t(DETECTION.counted)}</span>`)}
        </p>
        <section id="marked" class="text-box" aria-labelledby="marked-title" tabindex="0"></section>
      </div>
      ${title(DETECTION.rewrite, 'rewrite-title')}
      <p id="no-rewrite">${t(DETECTION.noRewrite)}</p>
      <div id="rewrite-part">
        <section id="rewrite" class="text-box" aria-labelledby="rewrite-title" tabindex="0"></section>
        <div class="actions">
          <button type="button" id="copy">${t(DETECTION.copy)}</button>
          <button type="button" id="read" data-stop="${t(DETECTION.readStop)}" hidden>${t(
            DETECTION.read,
          )}</button>
        </div>
        <p class="note" id="read-absent" hidden>${t(DETECTION.readAbsent)}</p>
      </div>
    </section>`;
}
