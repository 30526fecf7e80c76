import { html } from 'hono/html';
import type { Language } from '../../protocol/language.ts';
import { copyable, type Html } from '../../server/pages/html.ts';
import { LANGUAGE_TAGS, translated, type View } from '../../server/pages/view.ts';
import type { ExchangeData } from './script-data.ts';
import TEXTS from './texts/exchange.json' with { type: 'json' };

const EXCHANGE = TEXTS.page;

export function exchangeData(language: Language): ExchangeData {
  const exchangeTexts = translated(TEXTS.script, language);
  return { language: LANGUAGE_TAGS[language], exchangeTexts };
}

export function exchangeButtons(t: View['t'], prefix: string): Html {
  return html`
        <div class="actions">
          <button type="submit" id="${prefix}send" class="primary">${t(EXCHANGE.send)}</button>
          <button type="button" id="${prefix}cancel" hidden>${t(EXCHANGE.cancel)}</button>
        </div>`;
}

/** The place of an answer: its status, headers and body. */
export function exchangeAnswer(t: View['t'], prefix: string, rank: 3 | 5, empty = ''): Html {
  return html`
      <div class="messages">
        <p id="${prefix}status" role="status">${empty}</p>
        <p id="${prefix}error" role="alert"></p>
      </div>
      <div id="${prefix}response-parts" class="answer" hidden>
        ${copyable(t, `${prefix}response-headers`, '', t(EXCHANGE.headers), rank)}
        ${copyable(t, `${prefix}response-body`, '', t(EXCHANGE.body), rank)}
      </div>`;
}
