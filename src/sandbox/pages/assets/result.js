import { byId, fill, make, own } from './dom.js';

/**
 * @typedef {import('./answer.js').Result} Result
 * @typedef {import('./answer.js').Hit} Hit
 * @typedef {import('./answer.js').Analysis} Analysis
 * @typedef {import('../script-data.ts').DetectionData} Data
 */

/** How many different wordings of one rule are listed. */
const MOST_WORDINGS = 10;

/**
 * Shows a result in the page.
 *
 * @param {Result} result
 * @param {Data} data
 */
export function showResult(result, data) {
  const { overall_risk: level, risk_score: score, results } = result;
  const section = byId('result', HTMLElement);
  section.dataset.level = level;
  byId('level', HTMLElement).textContent = nameOf(level, data);
  byId('score', HTMLMeterElement).value = score;
  byId('score-text', HTMLElement).textContent = fill(data.texts.scoreOf, { score });

  byId('rules', HTMLElement).replaceChildren(
    ...byRule(results).map((hits) => ruleItem(hits, data)),
  );
  byId('no-rules', HTMLElement).hidden = results.length > 0;
  const marked = markedText(result.text, rangesOf(result, data));
  byId('marked', HTMLElement).replaceChildren(...marked);
  byId('marked-part', HTMLElement).hidden = marked.length === 1;

  const { ai_analysis: analysis } = result;
  byId('model-part', HTMLElement).hidden = !analysis;
  if (analysis) byId('model', HTMLElement).replaceChildren(...modelWords(analysis, data));

  const rewrite = result.safe_rewrite ?? result.text;
  const changed = rewrite !== result.text;
  byId('rewrite', HTMLElement).textContent = rewrite;
  byId('rewrite-part', HTMLElement).hidden = !changed;
  byId('no-rewrite', HTMLElement).hidden = changed;
  section.hidden = false;
}

/**
 * A level in words; one that is not known as it came.
 *
 * @param {string} level
 * @param {Data} data
 */
export function nameOf(level, { levels }) {
  return own(levels, level) ?? level;
}

/**
 * The hits of each rule together: a rule may match at thousands of places.
 *
 * @param {readonly Hit[]} hits
 * @returns {[Hit, ...Hit[]][]}
 */
function byRule(hits) {
  /** @type {Map<string, [Hit, ...Hit[]]>} */
  const groups = new Map();
  for (const hit of hits) {
    const key = JSON.stringify([hit.rule_name, hit.level, hit.category, hit.why]);
    const group = groups.get(key);
    if (group) group.push(hit);
    else groups.set(key, [hit]);
  }
  return [...groups.values()];
}

/**
 * @param {[Hit, ...Hit[]]} hits
 * @param {Data} data
 */
function ruleItem(hits, data) {
  const [{ rule_name: name, level, category, why }] = hits;
  const wordings = [...new Set(hits.flatMap(({ matched_text: words }) => words ?? []))];
  const rest = wordings.length - MOST_WORDINGS;
  return make(
    'li',
    { class: 'rule', 'data-level': level },
    make('h4', {}, name),
    make(
      'p',
      { class: 'facts' },
      make('span', { class: 'level' }, nameOf(level, data)),
      ...(category ? [make('span', {}, own(data.categories, category) ?? category)] : []),
    ),
    make(
      'p',
      { class: 'wordings' },
      ...wordings.slice(0, MOST_WORDINGS).map((words) => make('q', {}, words)),
      ...(rest > 0 ? [make('span', {}, fill(data.texts.more, { count: rest }))] : []),
    ),
    ...(why ? [make('p', {}, why)] : []),
  );
}

/**
 * Where the hits stand, each character once: hits that overlap become one range, as grave as the
 * gravest of them.
 *
 * @param {Result} result
 * @param {Data} data
 */
function rangesOf({ text, results }, { levels }) {
  const grave = Object.keys(levels);
  const ranges = results
    .flatMap(({ start = -1, end = -1, level }) => {
      const isRange = Number.isInteger(start) && Number.isInteger(end) && start >= 0;
      return isRange && start < end && end <= text.length ? [{ start, end, level }] : [];
    })
    .sort((a, b) => a.start - b.start);

  /** @type {typeof ranges} */
  const merged = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (!last || range.start >= last.end) {
      merged.push(range);
      continue;
    }
    last.end = Math.max(last.end, range.end);
    if (grave.indexOf(range.level) > grave.indexOf(last.level)) last.level = range.level;
  }
  return merged;
}

/**
 * @param {string} text
 * @param {ReturnType<typeof rangesOf>} ranges
 */
function markedText(text, ranges) {
  let done = 0;
  const parts = ranges.flatMap(({ start, end, level }) => {
    const before = text.slice(done, start);
    done = end;
    return [before, make('mark', { 'data-level': level }, text.slice(start, end))];
  });
  return [...parts, text.slice(done)];
}

/**
 * @param {Analysis} analysis
 * @param {Data} data
 */
function modelWords(analysis, data) {
  const { modelOff, modelOk, modelError } = data.texts;
  if (analysis.status === 'off') return [make('p', {}, modelOff)];
  const { model } = analysis;
  if (analysis.status === 'error') {
    const words = fill(modelError, { model, message: analysis.error.message });
    return [make('p', { class: 'notice' }, words)];
  }
  const { level, score, reasons = [] } = analysis;
  return [
    make('p', {}, fill(modelOk, { model, level: nameOf(level, data), score })),
    make('ul', {}, ...reasons.map((reason) => make('li', {}, reason))),
  ];
}
