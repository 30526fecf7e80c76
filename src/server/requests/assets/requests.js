import { copy } from './clipboard.js';
import { curlOf } from './copies.js';
import { detailParts } from './details.js';
import { base64, byId, fill, Latest, make, pageData } from './dom.js';
import { fieldValues, keepAcrossLanguages, keepFor, setFieldValues } from './keep.js';
import { verdictOf } from './verdict.js';
import { breakable, withoutMarks } from './visible.js';
import './copy-buttons.js';

/** @import { ExchangeRow, RequestsData, ShownExchange } from '../page-data.ts' */

/** @type {RequestsData} */
const data = pageData();
const { maxRows, texts, verdicts } = data;

const rows = byId('rows', HTMLElement);
const filter = byId('filter', HTMLInputElement);
const kind = byId('kind', HTMLSelectElement);
const debug = byId('debug', HTMLAnchorElement);
const pause = byId('pause', HTMLButtonElement);
const details = byId('details', HTMLElement);
const latest = new Latest();

/** The id of the server: after a restart, the numbers start at 1 again. */
let server = '';
let lastId = 0;
/** @type {ExchangeRow[] | undefined} Rows that arrived while the list is paused. */
let paused;
/** @type {ShownExchange | undefined} */
let shown;

connect();
filter.addEventListener('input', applyFilter);
kind.addEventListener('input', applyFilter);
debug.addEventListener('click', () => {
  if (shown) handOver(shown);
});
pause.addEventListener('click', togglePause);
byId('clear', HTMLButtonElement).addEventListener('click', clearRows);
byId('close', HTMLButtonElement).addEventListener('click', close);
details.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
});
rows.addEventListener('keydown', moveByArrow);
window.addEventListener('hashchange', openByHash);
for (const [id, textOf] of Object.entries({
  'copy-curl': curlOf,
  'copy-vector': (/** @type {ShownExchange} */ { layers }) =>
    JSON.stringify(layers?.vector, null, 2),
  'copy-string': (/** @type {ShownExchange} */ { layers }) => withoutMarks(layers?.right ?? ''),
})) {
  byId(id, HTMLButtonElement).addEventListener('click', async () => {
    if (shown === undefined) return;
    const isCopied = await copy(textOf(shown));
    byId('outcome', HTMLElement).textContent = isCopied ? texts.copied : texts.notCopied;
  });
}
keepAcrossLanguages(
  () => ({ fields: fieldValues() }),
  ({ fields }) => setFieldValues(fields),
);
openByHash();

/**
 * Opens the debugger with a request and the time at which it was answered.
 *
 * @param {ShownExchange} exchange
 */
function handOver(exchange) {
  const fields = { 'sent-at': String(Math.floor(exchange.time / 1000)) };
  keepFor(debug.pathname, { fields, bytes: base64(curlOf(exchange)) });
}

/** Connects to the events, and reconnects when the server ends them. */
function connect() {
  const source = new EventSource('/requests/events');
  source.addEventListener('open', () => setConnection(texts.connected, 'open'));
  source.addEventListener('server', ({ data }) => {
    const isOther = server !== '' && server !== data;
    server = data;
    if (!isOther) return;
    // The browser resumed the event stream of an earlier server.
    source.close();
    clearRows();
    lastId = 0;
    connect();
  });
  source.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
  source.addEventListener('error', () => {
    setConnection(texts.lost, 'lost');
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
  });
}

/** Wait before a reconnection: a browser does not reconnect after a refusal. */
const RETRY_MS = 3000;

/**
 * @param {string} words
 * @param {string} state
 */
function setConnection(words, state) {
  const connection = byId('connection', HTMLElement);
  connection.textContent = words;
  connection.dataset.state = state;
}

/** @param {ExchangeRow} row */
function receive(row) {
  if (row.id <= lastId) return;
  lastId = row.id;
  if (paused === undefined) addRow(row);
  else paused = [...paused, row].slice(-maxRows);
  showPause();
}

/** @param {ExchangeRow} row */
function addRow(row) {
  rows.prepend(rowElement(row));
  if (rows.children.length > maxRows) rows.lastElementChild?.remove();
  applyFilter();
  announce(row);
}

/** @param {ExchangeRow} row */
function rowElement(row) {
  const { id, method, path, status, code, milliseconds } = row;
  const { kind, words } = verdictOf(row, verdicts);
  const time = new Date(row.time);
  const outcome = code === undefined ? `${status}` : `${status} · ${code}`;
  const isGood = status < 400 && (code ?? 0) === 0;
  const link = make('a', { href: `#${id}` }, make('b', {}, method), ' ', ...breakable(path));
  return make(
    'tr',
    {
      'data-text': `#${id} ${method} ${path} ${status} ${words}`.toLowerCase(),
      'data-kind': kind,
    },
    make('td', { class: 'number' }, `${id}`),
    make('td', {}, make('time', { datetime: time.toISOString() }, clockTime(time))),
    make('td', { class: 'path' }, link),
    make('td', { class: 'outcome', 'data-good': String(isGood) }, outcome),
    make('td', { class: 'number' }, fill(texts.duration, { milliseconds })),
    make('td', { class: 'verdict-cell', 'data-verdict': kind }, ...breakable(words)),
  );
}

/** @param {Date} time */
function clockTime(time) {
  return time.toLocaleTimeString('en-GB');
}

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const row of rows.children) {
    if (!(row instanceof HTMLElement)) continue;
    const isKind = kind.value === 'all' || row.dataset.kind === kind.value;
    row.hidden = !isKind || !words.every((word) => row.dataset.text?.includes(word));
    if (!row.hidden) count++;
  }
  byId('table', HTMLElement).hidden = count === 0;
  byId('empty', HTMLElement).hidden = rows.children.length > 0;
  byId('no-match', HTMLElement).hidden = count > 0 || rows.children.length === 0;
}

function togglePause() {
  const waiting = paused ?? [];
  paused = paused === undefined ? [] : undefined;
  for (const row of waiting) addRow(row);
  showPause();
}

function showPause() {
  const count = paused?.length ?? 0;
  if (paused === undefined) pause.textContent = texts.pause;
  else pause.textContent = count > 0 ? fill(texts.resumeNew, { count }) : texts.resume;
}

function clearRows() {
  rows.replaceChildren();
  paused &&= [];
  applyFilter();
  showPause();
}

/** Interval of announcements: requests may arrive faster than a screen reader speaks. */
const ANNOUNCEMENT_MS = 1000;
let unannounced = 0;

/** @param {ExchangeRow} row */
function announce(row) {
  unannounced++;
  if (unannounced > 1) return;
  setTimeout(() => {
    const { method, path, status } = row;
    const { words } = verdictOf(row, verdicts);
    const request = `${method} ${path}, ${status}, ${words}`;
    byId('news', HTMLElement).textContent =
      unannounced === 1 ? fill(texts.one, { request }) : fill(texts.many, { count: unannounced });
    unannounced = 0;
  }, ANNOUNCEMENT_MS);
}

/** @param {KeyboardEvent} event */
function moveByArrow(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const links = /** @type {HTMLElement[]} */ ([...rows.querySelectorAll('tr:not([hidden]) a')]);
  const next = links[links.findIndex((link) => link.matches(':focus')) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Opens the exchange whose id is in the address. */
function openByHash() {
  const id = /^#(\d+)$/.exec(location.hash)?.[1];
  if (id !== undefined) open(id);
  else if (location.hash === '') hideDetails();
}

/** @param {string} id */
function open(id) {
  markCurrent(id);
  details.setAttribute('aria-busy', 'true');
  const load = async (/** @type {AbortSignal} */ signal) => {
    const response = await fetch(`/requests/${id}?lang=${document.documentElement.lang}`, {
      signal,
    });
    if (!response.ok) throw new Error(await response.text());
    return /** @type {ShownExchange} */ (await response.json());
  };
  void latest.run(load, {
    done: (exchange) => show(exchange),
    failed: (error) => showFailure(id, error),
  });
}

/** @param {ShownExchange} exchange */
function show(exchange) {
  const { id, method, path, status, code, milliseconds, layers, request } = exchange;
  shown = exchange;
  reveal(`${method} ${path}`);
  const facts = [
    fill(texts.numbered, { id }),
    clockTime(new Date(exchange.time)),
    `HTTP ${status}`,
    ...(code === undefined ? [] : [fill(texts.code, { code })]),
    fill(texts.duration, { milliseconds }),
  ];
  byId('facts', HTMLElement).textContent = facts.join(' · ');
  byId('actions', HTMLElement).hidden = false;
  byId('copy-curl', HTMLButtonElement).disabled = request === undefined;
  debug.hidden = request === undefined || !exchange.isExact;
  byId('no-debug', HTMLElement).hidden = exchange.isExact;
  byId('copy-string', HTMLButtonElement).disabled = layers === null;
  byId('copy-vector', HTMLButtonElement).disabled = !layers?.vector;
  byId('no-vector', HTMLElement).hidden = Boolean(layers?.vector);
  byId('layers', HTMLElement).replaceChildren(...detailParts(exchange, data));
}

/**
 * @param {string} id
 * @param {unknown} error
 */
function showFailure(id, error) {
  shown = undefined;
  reveal(fill(texts.numbered, { id }));
  byId('facts', HTMLElement).textContent = '';
  byId('actions', HTMLElement).hidden = true;
  byId('no-vector', HTMLElement).hidden = true;
  byId('no-debug', HTMLElement).hidden = true;
  const isNetwork = error instanceof TypeError;
  const words = isNetwork ? texts.silent : String(Object(error).message);
  byId('layers', HTMLElement).replaceChildren(make('p', { role: 'alert' }, words));
}

/** @param {string} title */
function reveal(title) {
  details.setAttribute('aria-busy', 'false');
  byId('outcome', HTMLElement).textContent = '';
  byId('panes', HTMLElement).classList.add('open');
  details.hidden = false;
  const heading = byId('details-title', HTMLElement);
  heading.textContent = title;
  heading.focus();
}

function close() {
  const id = location.hash;
  history.pushState(null, '', location.pathname);
  hideDetails();
  const link = rows.querySelector(`a[href="${CSS.escape(id)}"]`);
  (link instanceof HTMLElement ? link : filter).focus();
}

function hideDetails() {
  latest.cancel();
  markCurrent('');
  shown = undefined;
  details.hidden = true;
  byId('panes', HTMLElement).classList.remove('open');
}

/** @param {string} id */
function markCurrent(id) {
  for (const link of rows.querySelectorAll('a')) {
    if (link.hash === `#${id}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}
