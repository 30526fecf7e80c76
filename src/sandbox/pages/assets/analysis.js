import { isEmbedded, isExternal, isFailed } from './answer.js';
import { fill, make, own } from './dom.js';
import { fieldList } from './fields.js';

/**
 * @typedef {import('./answer.js').Embedded} Embedded
 * @typedef {import('../script-data.ts').DetectionData} Data
 */

/** Families that are shown at once, and the least probability of one; a list has the others. */
const MOST_FAMILIES = 3;
const LEAST_PROBABILITY = 0.1;

/** The known fields of each form; all others are shown as they came. */
const COMMON = ['status', 'provider', 'level', 'score'];
const EMBEDDED = [...COMMON, 'version', 'probability', 'families', 'words'];
const EXTERNAL = [...COMMON, 'model', 'reasons'];
// The notice has the message of the error; its code is shown as it came.
const FAILED = ['status', 'provider', 'model', 'embedded'];

/**
 * The estimate of the embedded model, also where it replaces an external one that failed.
 *
 * @param {unknown} analysis
 * @returns {Embedded | undefined}
 */
export function embeddedIn(analysis) {
  if (isFailed(analysis)) return analysis.embedded;
  return isEmbedded(analysis) ? analysis : undefined;
}

/**
 * The parts of the page that show any analysis.
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
 * The fields of an object that are not known.
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
 * A level in words; one that is not known as it came.
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
  const likely = families.slice(0, MOST_FAMILIES).filter(([, each]) => each >= LEAST_PROBABILITY);
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
 * A probability in whole per cent, never 0 or 100: a model is not certain.
 *
 * @param {number} probability
 * @param {Data} data
 */
function percent(probability, { language }) {
  const shown = Math.min(Math.max(probability, 0.01), 0.99);
  const sign = probability < 0.01 ? '<' : probability > 0.99 ? '>' : '';
  return sign + shown.toLocaleString(language, { style: 'percent' });
}
