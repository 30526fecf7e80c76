import { html } from 'hono/html';
import { quoted } from '../../errors.ts';
import { documentedOperations } from '../../platform/openapi/operations.ts';
import { ADDRESS_PREFIX } from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { Page, SiteName } from '../pages/frame.ts';
import { copyable, type Html, prose } from '../pages/html.ts';
import { type Text, translated, type View } from '../pages/view.ts';
import { MAX_EXCHANGES } from './history.ts';
import type { RequestsData } from './page-data.ts';
import TEXTS from './texts.json' with { type: 'json' };

const { page: WORDS, verdicts: VERDICTS } = TEXTS;

/** The kinds of verdicts that the list can be reduced to. */
const KINDS = ['all', 'right', 'wrong', 'unreadable', 'none', 'uncertain'] as const;

/** The live page of the last requests. */
export function requestsPage(site: SiteName, view: View): Page {
  const { language } = view;
  const data: RequestsData = {
    maxRows: MAX_EXCHANGES,
    texts: translated(TEXTS.script, language),
    verdicts: translated(VERDICTS, language),
    layers: translated(TEXTS.layers, language),
  };
  return {
    title: WORDS.title,
    summary: WORDS[site],
    styles: ['layers.css', 'requests.css'],
    script: 'requests.js',
    noScript: WORDS.noScript,
    data,
    content: html`<div id="panes">${list(site, view)} ${details(view)}</div>`,
  };
}

/** A command that sends a first request to the server of the page. */
function firstCommand(site: SiteName, origin: string): string {
  const [{ path = '', examples = [] } = {}] = documentedOperations('').filter(
    ({ id }) => id === 'estimate',
  );
  const body = JSON.stringify(examples[0]?.fields);
  if (site === 'proxy') {
    const url = `${origin}${ADDRESS_PREFIX.header}${path}`;
    return quoted`curl -H 'Content-Type: application/json' -d ${body} ${url}`;
  }
  const { apiKey, secret } = SANDBOX_CREDENTIALS;
  const variables = quoted`MOP_API_KEY=${apiKey} MOP_API_SECRET=${secret} MOP_OPEN_BASE_URL=${origin}`;
  return `${variables} \\\n  ${quoted`mop call ${path} ${body} --mode header`}`;
}

function list(site: SiteName, { t, origin }: View): Html {
  const column = (title: Text, kind = '') => html`
                <th scope="col" class="${kind}">${t(title)}</th>`;
  return html`
        <section id="list" aria-labelledby="list-title">
          <h2 id="list-title" class="spoken">${t(WORDS.list)}</h2>
          <div class="toolbar">
            <div class="filter">
              <label for="filter">${t(WORDS.filter)}</label>
              <input type="search" id="filter" spellcheck="false" autocomplete="off">
            </div>
            <div>
              <label for="kind">${t(WORDS.verdict)}</label>
              <select id="kind">
                ${KINDS.map((kind) => html`<option value="${kind}">${t(VERDICTS[kind])}</option>`)}
              </select>
            </div>
            <button type="button" id="pause">${t(TEXTS.script.pause)}</button>
            <button type="button" id="clear">${t(WORDS.clear)}</button>
          </div>
          <p id="connection" class="note" role="status">${t(TEXTS.script.connecting)}</p>
          <p id="news" class="spoken" role="status"></p>
          <p id="no-match" hidden>${t(TEXTS.script.noMatch)}</p>
          <div id="empty">
            ${copyable('first-command', html`<h3 id="first-command-title">${t(WORDS.empty)}</h3>`, firstCommand(site, origin), t)}
          </div>
          <table id="table" class="requests" hidden>
            <caption class="spoken">${t(WORDS.caption)}</caption>
            <thead>
              <tr>
                ${column(WORDS.number, 'number')} ${column(WORDS.time)} ${column(WORDS.request)}
                ${column(WORDS.outcome)} ${column(WORDS.duration, 'number')} ${column(WORDS.verdict)}
              </tr>
            </thead>
            <tbody id="rows"></tbody>
          </table>
        </section>`;
}

function details({ t, link }: View): Html {
  return html`
        <section id="details" aria-labelledby="details-title" hidden>
          <div class="details-head">
            <h2 id="details-title" tabindex="-1"></h2>
            <button type="button" id="close">${t(WORDS.close)}</button>
          </div>
          <p id="facts" class="note"></p>
          <div id="actions" class="actions">
            <a class="button" id="debug" href="${link('/platform/debugger')}">${t(WORDS.debug)}</a>
            <button type="button" id="copy-curl">${t(WORDS.copyCurl)}</button>
            <button type="button" id="copy-vector" aria-describedby="no-vector">${t(WORDS.copyVector)}</button>
            <button type="button" id="copy-string">${t(WORDS.copyString)}</button>
          </div>
          <p id="no-debug" class="note">${prose(t(WORDS.noDebug))}</p>
          <p id="no-vector" class="note">${t(WORDS.noVector)}</p>
          <p id="outcome" role="status"></p>
          <div id="layers"></div>
        </section>`;
}
