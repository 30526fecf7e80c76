import { make } from './dom.js';
import { verdictOf } from './verdict.js';
import { indented, visible } from './visible.js';

/** @import { Mistake, ShownAnswer, ShownExchange, ShownLayers, ShownRequest } from '../page-data.ts' */

/**
 * The layers of an exchange, from the verdict to the answer.
 *
 * @param {ShownExchange} exchange
 * @returns {Node[]}
 */
export function detailParts(exchange) {
  const { layers, request, answer } = exchange;
  return [
    section('Signature', ...verdict(exchange)),
    ...(layers ? [section('Fields', fieldTable(layers))] : []),
    ...(layers ? [section('String to sign', ...stringsToSign(layers))] : []),
    section('Request', ...requestParts(request)),
    section('Answer', ...answerParts(exchange, answer)),
  ];
}

/**
 * @param {string} title
 * @param {readonly Node[]} parts
 */
function section(title, ...parts) {
  return make('section', {}, make('h3', {}, title), ...parts);
}

/** @param {ShownExchange} exchange */
function verdict(exchange) {
  const { warnings = [], search, layers, missingLayers, signature } = exchange;
  const diagnosis = mistakesOf(exchange);
  const { kind, words } = verdictOf(
    exchange,
    diagnosis.map(({ id }) => id),
  );
  const isWrong = signature === 'wrong' && diagnosis.length === 0;
  return [
    make('p', { class: 'verdict-line', 'data-verdict': kind }, sentence(words)),
    ...(diagnosis.length > 0 ? [mistakeList(diagnosis)] : []),
    ...(isWrong ? [note(UNEXPLAINED[search ?? 'complete'])] : []),
    ...warnings.map((warning) => note(`Warning: ${warning}`)),
    ...(layers ? digests(layers) : [note(missingLayers ?? '')]),
  ];
}

/** @param {ShownExchange} exchange */
function mistakesOf({ signature, diagnosis = [], layers }) {
  const isUnexplained = signature === 'wrong' && diagnosis.length === 0;
  return isUnexplained ? (layers?.diagnosis ?? []) : diagnosis;
}

const UNEXPLAINED = {
  complete: 'No known mistake explains this signature. Check the api secret first.',
  'cut-short': 'The search was cut short because the request is large.',
  skipped: 'The search found nothing within 8 seconds. Send the request again.',
};

/** @param {readonly Mistake[]} diagnosis */
function mistakeList(diagnosis) {
  return make(
    'ul',
    { class: 'mistakes' },
    ...diagnosis.map(({ id, title, fields, fix }) =>
      make(
        'li',
        {},
        make('p', {}, make('strong', {}, sentence(title)), ' ', make('code', {}, id)),
        ...(fields.length > 0 ? [make('p', {}, `Fields: ${fields.map(visible).join(', ')}`)] : []),
        make('p', {}, `Fix: ${fix}`),
      ),
    ),
  );
}

/** @param {ShownLayers} layers */
function digests({ received, expected }) {
  if (received === expected) return [];
  return [
    definitions([
      ['Received', received],
      ['Right', expected],
    ]),
  ];
}

/** @param {readonly (readonly [name: string, value: string])[]} pairs */
function definitions(pairs) {
  const parts = pairs.flatMap(([name, value]) => [
    make('dt', {}, visible(name)),
    make('dd', {}, make('code', {}, visible(value))),
  ]);
  return make('dl', { class: 'pairs' }, ...parts);
}

const SOURCES = { business: 'business field', common: 'common field', header: 'header' };

/** @param {ShownLayers} layers */
function fieldTable({ entries, omitted, received }) {
  const row = (/** @type {readonly string[]} */ [name = '', ...cells]) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, visible(name))),
      ...cells.map((cell) => make('td', {}, cell)),
    );
  const head = ['Name', 'Value', 'Source', 'Signed'].map((title) =>
    make('th', { scope: 'col' }, title),
  );
  const rows = [
    ...entries.map(({ name, value, source }) =>
      row([name, visible(value), SOURCES[source], 'yes']),
    ),
    ...omitted.map(({ name, reason }) =>
      row([name, isSignature(name) ? visible(received) : '', '', `no: ${reason}`]),
    ),
  ];
  const table = make(
    'table',
    { class: 'signed-fields' },
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...rows),
  );
  return scrollable('Fields', table);
}

/** @param {string} name */
function isSignature(name) {
  return /^(?:x-tms-)?sign$/i.test(name);
}

/** @param {ShownLayers} layers */
function stringsToSign({ right, signed, difference }) {
  if (signed === null) return [code('String to sign', visible(right))];
  const side = (/** @type {'theirs' | 'ours'} */ name) =>
    difference.map((piece) =>
      piece.theirs === piece.ours
        ? visible(piece[name])
        : make('mark', { class: name }, `⟦${visible(piece[name])}⟧`),
    );
  return [
    note('The differences are between ⟦ and ⟧.'),
    make('h4', {}, 'Signed by the client'),
    code('Signed by the client', ...side('theirs')),
    make('h4', {}, 'Right'),
    code('Right', ...side('ours')),
  ];
}

/** @param {ShownRequest | undefined} request */
function requestParts(request) {
  if (request === undefined) return [note('The request was not kept.')];
  const { url, headers = [], body } = request;
  return [
    ...(url === undefined ? [] : [definitions([['Address', url]])]),
    make('h4', {}, 'Headers'),
    definitions(headers),
    make('h4', {}, 'Body'),
    typeof body === 'string'
      ? textOrNote('Body of the request', body)
      : definitions(
          body.map((field) => [field.name, 'file' in field ? `@${field.file}` : field.value]),
        ),
  ];
}

/**
 * @param {ShownExchange} exchange
 * @param {ShownAnswer | undefined} answer
 */
function answerParts({ error }, answer) {
  const failure = error === null ? [] : [note(`Error: ${error}`)];
  if (answer === undefined) return [...failure, note('The answer was not kept.')];
  const { headers, body, isTruncated } = answer;
  return [
    ...failure,
    make('h4', {}, 'Headers'),
    definitions(headers),
    make('h4', {}, 'Body'),
    body === undefined ? note('The body is not text.') : textOrNote('Body of the answer', body),
    ...(isTruncated ? [note('Only the first 64 KiB of the body are kept.')] : []),
  ];
}

/**
 * @param {string} label
 * @param {string} text
 */
function textOrNote(label, text) {
  return text === '' ? note('The body is empty.') : code(label, indented(text));
}

/**
 * @param {string} label
 * @param {readonly (Node | string)[]} parts
 */
function code(label, ...parts) {
  return scrollable(label, make('code', {}, ...parts), 'pre');
}

/**
 * A part that can be scrolled with the keyboard.
 *
 * @param {string} label
 * @param {Node} content
 */
function scrollable(label, content, tag = 'div') {
  const attributes = { role: 'group', 'aria-label': label, tabindex: '0', class: 'scrolled' };
  return make(tag, attributes, content);
}

/** @param {string} text */
function note(text) {
  return make('p', { class: 'note' }, text);
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
