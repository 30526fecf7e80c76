import { isEmbedded, isExternal, isFailed } from './answer.js';
import { fill, make, own } from './dom.js';
import { fieldList } from './fields.js';

/**
 * @typedef {import('./answer.js').Embedded} Embedded
 * @typedef {import('../script-data.ts').DetectionData} Data
 */

/** The first list shows up to 3 families above this probability; a second list has all of them. */
const MAX_FAMILIES = 3;
const MIN_PROBABILITY = 0.1;

/** The known fields of each kind of analysis; other fields are shown unchanged. */
const COMMON = ['status', 'provider', 'level', 'score'];
const EMBEDDED = [...COMMON, 'version', 'probability', 'families', 'words'];
const EXTERNAL = [...COMMON, 'model', 'reasons'];
// The notice shows the message of the error; its other fields are shown unchanged.
const FAILED = ['status', 'provider', 'model', 'embedded'];

/**
 * The estimate of the embedded model, also when it replaces a failed external model.
 *
 * @param {unknown} analysis
 * @returns {Embedded | undefined}
 */
export function embeddedIn(analysis) {
  if (isFailed(analysis)) return analysis.embedded;
  return isEmbedded(analysis) ? analysis : undefined;
}

/**
 * The parts of the page that show an analysis of any kind.
 *
 * @param {unknown} analysis
 * @param {Data} data
 * @returns {(Node | string)[]}
 */
export function analysisParts(analysis, data) {
  const { externalOk, externalFailed } = data.texts;
  if (isEmbedded(analysis)) return embeddedParts(analysis, data);
  if (isExternal(analysis)) {
    const { model, level, score, reasons } = analysis;
    const words = fill(externalOk, { model, level: levelName(level, data), score });
    return [
      make('p', {}, words),
      make('ul', {}, ...reasons.map((reason) => make('li', {}, reason))),
      ...otherFields(analysis, EXTERNAL, data),
    ];
  }
  if (isFailed(analysis)) {
    const { model, error, embedded } = analysis;
    const words = fill(externalFailed, { model, message: error.message });
    return [
      make('p', { class: 'notice' }, words),
      ...embeddedParts(embedded, data),
      ...otherFields(analysis, FAILED, data),
    ];
  }
  return [fieldList(analysis, data.texts.more)];
}

/**
 * A list of the unknown fields of an object.
 *
 * @param {object} object
 * @param {readonly string[]} known
 * @param {Data} data
 * @returns {(Node | string)[]}
 */
export function otherFields(object, known, { texts }) {
  const rest = Object.entries(object).filter(([name]) => !known.includes(name));
  return rest.length > 0 ? [fieldList(Object.fromEntries(rest), texts.more)] : [];
}

/**
 * The name of a level; an unknown level unchanged.
 *
 * @param {string} level
 * @param {Data} data
 */
export function levelName(level, { levels }) {
  return own(levels, level) ?? level;
}

/**
 * @param {Embedded} analysis
 * @param {Data} data
 */
function embeddedParts(analysis, data) {
  const { level, score, probability, words, version } = analysis;
  const { texts } = data;
  const families = Object.entries(analysis.families).sort(([, a], [, b]) => b - a);
  const likely = families.slice(0, MAX_FAMILIES).filter(([, each]) => each >= MIN_PROBABILITY);
  const estimate = {
    level: levelName(level, data),
    score,
    probability: percent(probability, data),
  };
  return [
    make('p', {}, fill(texts.embedded, estimate)),
    ...(likely.length > 0 ? [make('h4', {}, texts.likelyFamilies), bars(likely, data, true)] : []),
    ...(families.length > 0
      ? [make('details', {}, make('summary', {}, texts.allFamilies), bars(families, data, false))]
      : []),
    ...(words.length > 0 ? [make('h4', {}, texts.countedWords), wordList(words)] : []),
    ...otherFields(analysis, EMBEDDED, data),
    make('p', { class: 'note' }, fill(texts.embeddedNote, { release: version })),
  ];
}

/**
 * Families as bars.
 *
 * @param {readonly (readonly [string, number])[]} families
 * @param {Data} data
 * @param {boolean} explained
 */
function bars(families, data, explained) {
  const rows = families.map(([family, probability]) => {
    const { name, effect } = own(data.categories, family) ?? { name: family, effect: '' };
    const meter = { 'aria-label': name, min: '0', max: '1', value: String(probability) };
    return make(
      'li',
      {},
      make('span', {}, name),
      make('meter', meter),
      make('span', { class: 'percent' }, percent(probability, data)),
      ...(explained && effect ? [make('p', { class: 'meaning' }, effect)] : []),
    );
  });
  return make('ul', { class: 'bars' }, ...rows);
}

/** @param {Embedded['words']} words */
function wordList(words) {
  return make('p', { class: 'wordings' }, ...words.map(({ text }) => make('q', {}, text)));
}

/**
 * A probability as a whole percentage, never 0 or 100: a model is not certain.
 *
 * @param {number} probability
 * @param {Data} data
 */
function percent(probability, { language }) {
  const shown = Math.min(Math.max(probability, 0.01), 0.99);
  const sign = probability < 0.01 ? '<' : probability > 0.99 ? '>' : '';
  return sign + shown.toLocaleString(language, { style: 'percent' });
}
