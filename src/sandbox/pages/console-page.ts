import { html } from 'hono/html';
import { DETECT_PATH, HEALTH_PATH } from '../../protocol/detection.ts';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, type Html } from '../../server/pages/html.ts';
import { type Text, translated, type View } from '../../server/pages/view.ts';
import { exchangeAnswer, exchangeButtons, exchangeData } from './exchange-parts.ts';
import type { ConsoleData } from './script-data.ts';
import TEXTS from './texts/console.json' with { type: 'json' };
import EXAMPLES from './texts/examples.json' with { type: 'json' };

const CONSOLE = TEXTS.page;

/** The console: a request and its answer as sent, and a price calculator. */
export function consolePage({ language, t }: View): Page {
  const data: ConsoleData = {
    ...exchangeData(language),
    texts: translated(TEXTS.script, language),
  };
  const body = JSON.stringify({ text: EXAMPLES[0]?.text[language] }, null, 2);
  return {
    title: CONSOLE.title,
    summary: CONSOLE.summary,
    styles: ['site.css'],
    script: 'console.js',
    noScript: CONSOLE.noScript,
    data,
    content: html`<div class="columns">${request(t, body)} ${response(t)}</div> ${calculator(t)}`,
  };
}

function request(t: View['t'], body: string): Html {
  return html`
    <section aria-labelledby="request-title">
      <h2 id="request-title">${t(CONSOLE.request)}</h2>
      <form id="request" novalidate>
        <label for="endpoint">${t(CONSOLE.endpoint)}</label>
        <select id="endpoint">
          <option>POST ${DETECT_PATH}</option>
          <option>GET ${HEALTH_PATH}</option>
        </select>
        <div id="body-part">
          <label for="body">${t(CONSOLE.body)}</label>
          <textarea id="body" class="code" rows="6" spellcheck="false" autocomplete="off"
            aria-describedby="not-json">${body}</textarea>
          <p id="not-json" class="note" hidden>${t(CONSOLE.notJson)}</p>
        </div>
        ${exchangeButtons(t, '')}
      </form>
      ${code(t, CONSOLE.asSent, 'wire')}
      <p class="note">${t(CONSOLE.asSentNote)}</p>
      ${code(t, CONSOLE.curl, 'curl')}
      ${code(t, CONSOLE.mop, 'mop')}
    </section>`;
}

function response(t: View['t']): Html {
  return html`
    <section id="response" aria-labelledby="response-title">
      <h2 id="response-title">${t(CONSOLE.response)}</h2>
      ${exchangeAnswer(t, '', 3, t(CONSOLE.noResponse))}
    </section>`;
}

/** A titled code block, which the script fills in. */
function code(t: View['t'], title: Text, id: string): Html {
  return copyable(id, html`<h3 id="${id}-title">${t(title)}</h3>`, '', t);
}

function calculator(t: View['t']): Html {
  const field = (id: string, label: Text, value: number, range: Range = {}) => html`
          <div class="field">
            <label for="${id}">${t(label)}</label>
            <input type="number" id="${id}" value="${value}" min="${range.min ?? 0}"
              max="${range.max ?? 1_000_000_000}" step="${range.step ?? 'any'}" required>
          </div>`;
  const row = (id: string, label: Text) => html`
              <tr>
                <th scope="row">${t(label)}</th>
                <td id="${id}-cny"></td>
                <td id="${id}-usd"></td>
              </tr>`;
  return html`
    <section class="price" aria-labelledby="price-title">
      <h2 id="price-title">${t(CONSOLE.price)}</h2>
      <p class="notice">${t(CONSOLE.priceNote)}</p>
      <form id="price" novalidate class="columns">
        <div>
          <fieldset>
            <legend>${t(CONSOLE.volume)}</legend>
            ${field('per-day', CONSOLE.perDay, 10_000, { step: 1 })}
            ${field('length', CONSOLE.length, 200)}
            ${field('share', CONSOLE.share, 10, { max: 100 })}
          </fieldset>
          <fieldset>
            <legend>${t(CONSOLE.prices)}</legend>
            ${field('rule-price', CONSOLE.rulePrice, 0.5)}
            ${field('model-price', CONSOLE.modelPrice, 8)}
            ${field('prompt', CONSOLE.prompt, 600)}
            ${field('rate', CONSOLE.rate, 7.2, { min: 0.01 })}
          </fieldset>
        </div>
        <div>
          <table class="costs">
            <caption>${t(CONSOLE.month)}</caption>
            <thead>
              <tr>
                <th scope="col">${t(CONSOLE.part)}</th>
                <th scope="col">CNY</th>
                <th scope="col">USD</th>
              </tr>
            </thead>
            <tbody>
              ${row('rules', CONSOLE.ruleCost)}
              ${row('model', CONSOLE.modelCost)}
              ${row('total', CONSOLE.totalCost)}
            </tbody>
          </table>
          <p id="price-error" role="alert"></p>
        </div>
      </form>
    </section>`;
}

interface Range {
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}
