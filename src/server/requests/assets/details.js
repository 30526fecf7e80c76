import { fill, make } from './dom.js';
import { code, definitions, LayerView, note, section, sentence } from './layers.js';
import { verdictOf } from './verdict.js';
import { indented } from './visible.js';

/** @import { RequestsData, ShownAnswer, ShownExchange, ShownRequest } from '../page-data.ts' */

/**
 * The layers of an exchange, from the verdict to the answer.
 *
 * @param {ShownExchange} exchange
 * @param {RequestsData} data
 * @returns {Node[]}
 */
export function detailParts(exchange, data) {
  const { layers, request, answer } = exchange;
  const view = new LayerView(data.layers);
  return [
    section(data.layers.signature, ...verdict(exchange, view, data)),
    ...(layers ? [view.fields(layers), view.strings(layers)] : []),
    section(data.texts.request, ...requestParts(request, data)),
    section(data.texts.answer, ...answerParts(exchange, answer, data)),
  ];
}

/**
 * @param {ShownExchange} exchange
 * @param {LayerView} view
 * @param {RequestsData} data
 */
function verdict(exchange, view, { texts, verdicts }) {
  const { warnings = [], search = 'complete', layers, missingLayers, signature } = exchange;
  const diagnosis = mistakesOf(exchange);
  const mistakes = diagnosis.map(({ id }) => id);
  const { kind, words } = verdictOf(
    { ...exchange, mistakes, hasWarnings: warnings.length > 0 },
    verdicts,
  );
  const isWrong = signature === 'wrong' && diagnosis.length === 0;
  const unexplained = {
    complete: texts.unexplainedComplete,
    'cut-short': texts.unexplainedCut,
    skipped: texts.unexplainedSkipped,
  };
  return [
    make('p', { class: 'verdict-line', 'data-verdict': kind }, sentence(words)),
    ...(diagnosis.length > 0 ? [view.mistakes(diagnosis)] : []),
    ...(isWrong ? [note(unexplained[search])] : []),
    ...view.warnings(warnings),
    ...(layers ? view.digests(layers) : [note(missingLayers ?? '')]),
  ];
}

/** @param {ShownExchange} exchange */
function mistakesOf({ signature, diagnosis = [], layers }) {
  const isUnexplained = signature === 'wrong' && diagnosis.length === 0;
  return isUnexplained ? (layers?.diagnosis ?? []) : diagnosis;
}

/**
 * @param {ShownRequest | undefined} request
 * @param {RequestsData} data
 */
function requestParts(request, { texts }) {
  if (request === undefined) return [note(texts.notKept)];
  const { url, headers = [], body } = request;
  return [
    ...(url === undefined ? [] : [definitions([[texts.address, url]])]),
    make('h4', {}, texts.headers),
    definitions(headers),
    make('h4', {}, texts.body),
    typeof body === 'string'
      ? textOrNote(texts.bodyOfRequest, body, texts)
      : definitions(
          body.map((field) => [field.name, 'file' in field ? `@${field.file}` : field.value]),
        ),
  ];
}

/**
 * @param {ShownExchange} exchange
 * @param {ShownAnswer | undefined} answer
 * @param {RequestsData} data
 */
function answerParts({ error }, answer, { texts }) {
  const failure = error === null ? [] : [note(fill(texts.error, { error }))];
  if (answer === undefined) return [...failure, note(texts.answerNotKept)];
  const { headers, body, isTruncated } = answer;
  return [
    ...failure,
    make('h4', {}, texts.headersOfAnswer),
    definitions(headers),
    make('h4', {}, texts.body),
    body === undefined ? note(texts.bodyNotText) : textOrNote(texts.bodyOfAnswer, body, texts),
    ...(isTruncated ? [note(texts.bodyCut)] : []),
  ];
}

/**
 * @param {string} label
 * @param {string} text
 * @param {RequestsData['texts']} texts
 */
function textOrNote(label, text, texts) {
  return text === '' ? note(texts.bodyEmpty) : code(label, indented(text));
}
