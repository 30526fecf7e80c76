import { html } from 'hono/html';
import { type Html, htmlDocument } from '../pages/html.ts';
import { MAX_EXCHANGES } from './history.ts';

/** The texts of the page that differ between servers. */
export interface PageTexts {
  /** A sentence that names the server of these requests. */
  readonly summary: string;
  /** The path of a start page, if the server has one. */
  readonly startPage?: string | undefined;
}

/** The page of the last requests. */
export function requestsPage({ summary, startPage }: PageTexts): Html {
  return htmlDocument({
    language: 'en',
    title: 'Requests · mop',
    description: summary,
    assets: '/requests/assets',
    styles: ['requests.css'],
    script: 'requests.js',
    data: { maxRows: MAX_EXCHANGES },
    body: html`<a class="skip" href="#main">Skip to the content</a>
    <header class="site-header">
      <a class="brand" href="/requests">
        <img src="/requests/assets/icon.svg" alt="" width="24" height="24">mop</a>
      ${startPage && html`<nav aria-label="Pages"><ul><li><a href="${startPage}">Start page</a></li></ul></nav>`}
    </header>
    <main id="main" class="full" tabindex="-1">
      <div class="intro">
        <h1>Requests</h1>
        <p>${summary} The last ${MAX_EXCHANGES} are kept.</p>
      </div>
      <noscript><p class="notice">This page needs JavaScript. <code>--log</code> prints the requests in the terminal.</p></noscript>
      <div id="panes">${list()} ${details()}</div>
    </main>`,
  });
}

function list(): Html {
  return html`
        <section id="list" aria-labelledby="list-title">
          <h2 id="list-title" class="spoken">List</h2>
          <div class="toolbar">
            <div class="filter">
              <label for="filter">Filter by path, number or verdict</label>
              <input type="search" id="filter" spellcheck="false" autocomplete="off">
            </div>
            <button type="button" id="pause">Pause</button>
            <button type="button" id="clear">Clear view</button>
          </div>
          <p id="connection" class="note" role="status">Connecting</p>
          <p id="news" class="spoken" role="status"></p>
          <p id="empty">No requests yet.</p>
          <table id="table" class="requests" hidden>
            <caption class="spoken">Requests, newest first</caption>
            <thead>
              <tr>
                <th scope="col" class="number">No.</th>
                <th scope="col">Time</th>
                <th scope="col">Request</th>
                <th scope="col">Status · code</th>
                <th scope="col" class="number">Duration</th>
                <th scope="col">Signature</th>
              </tr>
            </thead>
            <tbody id="rows"></tbody>
          </table>
        </section>`;
}

function details(): Html {
  return html`
        <section id="details" aria-labelledby="details-title" hidden>
          <div class="details-head">
            <h2 id="details-title" tabindex="-1"></h2>
            <button type="button" id="close">Close</button>
          </div>
          <p id="facts" class="note"></p>
          <div id="actions" class="actions">
            <button type="button" id="copy-curl">Copy as curl</button>
            <button type="button" id="copy-vector" aria-describedby="no-vector">Copy as test vector</button>
            <button type="button" id="copy-string">Copy the string to sign</button>
          </div>
          <p id="no-vector" class="note">No test vector: the request is not examined, contains a credential, or has an unexplained signature.</p>
          <p id="copied" role="status"></p>
          <div id="layers"></div>
        </section>`;
}
