import { analysisParts, embeddedIn, levelName, otherFields } from './analysis.js';
import { byId, fill, make, own } from './dom.js';

/**
 * @typedef {import('./answer.js').Result} Result
 * @typedef {import('./answer.js').Hit} Hit
 * @typedef {import('../script-data.ts').DetectionData} Data
 */

/** The maximum number of listed wordings of one rule. */
const MAX_WORDINGS = 10;

const HIT = ['rule_id', 'rule_name', 'level', 'category', 'why', 'matched_text', 'start', 'end'];

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
  byId('level', HTMLElement).textContent = levelName(level, data);
  byId('score', HTMLMeterElement).value = score;
  byId('score-text', HTMLElement).textContent = fill(data.texts.scoreOf, { score });

  byId('rules', HTMLElement).replaceChildren(
    ...byRule(results).map((hits) => ruleItem(hits, data)),
  );
  byId('no-rules', HTMLElement).hidden = results.length > 0;

  const { text, ai_analysis: analysis } = result;
  byId('model-part', HTMLElement).hidden = analysis === undefined;
  byId('model', HTMLElement).replaceChildren(...analysisParts(analysis ?? null, data));

  const matched = rangesOf(text, results, data);
  const estimate = embeddedIn(analysis);
  // Do not mark words in a text without risk.
  const words = estimate && estimate.level !== 'none' ? estimate.words : [];
  const counted = rangesOf(text, words, data);
  byId('marked', HTMLElement).replaceChildren(...markedText(text, matched, counted));
  byId('marked-part', HTMLElement).hidden = matched.length + counted.length === 0;
  byId('legend-matched', HTMLElement).hidden = matched.length === 0;
  byId('legend-counted', HTMLElement).hidden = counted.length === 0;

  const rewrite = result.safe_rewrite ?? result.text;
  const changed = rewrite !== result.text;
  byId('rewrite', HTMLElement).textContent = rewrite;
  byId('rewrite-part', HTMLElement).hidden = !changed;
  byId('no-rewrite', HTMLElement).hidden = changed;
  section.hidden = false;
}

/**
 * Groups the hits by rule: one rule may match at thousands of places.
 *
 * @param {readonly Hit[]} hits
 * @returns {[Hit, ...Hit[]][]}
 */
function byRule(hits) {
  /** @type {Map<string, [Hit, ...Hit[]]>} */
  const groups = new Map();
  for (const hit of hits) {
    const key = JSON.stringify({ ...hit, matched_text: 0, start: 0, end: 0 });
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
  const [{ rule_id: id, rule_name: name, level, category, why }] = hits;
  const wordings = [...new Set(hits.flatMap(({ matched_text: words }) => words ?? []))];
  const rest = wordings.length - MAX_WORDINGS;
  return make(
    'li',
    { class: 'rule', 'data-level': level },
    make('h4', {}, name),
    make(
      'p',
      { class: 'facts' },
      make('span', { class: 'level' }, levelName(level, data)),
      ...(category ? [make('span', {}, own(data.categories, category)?.name ?? category)] : []),
    ),
    make(
      'p',
      { class: 'wordings' },
      ...wordings.slice(0, MAX_WORDINGS).map((words) => make('q', {}, words)),
      ...(rest > 0 ? [make('span', {}, fill(data.texts.more, { count: rest }))] : []),
    ),
    ...(why ? [make('p', {}, why)] : []),
    ...otherFields(hits[0], HIT, data),
    ...(id ? [make('p', { class: 'rule-id' }, make('code', {}, id))] : []),
  );
}

/**
 * The ranges of words in a text. Overlapping places become one range with the most severe level.
 *
 * @param {string} text
 * @param {readonly { start?: number, end?: number, level?: string }[]} places
 * @param {Data} data
 */
function rangesOf(text, places, { levels }) {
  const bySeverity = Object.keys(levels);
  const ranges = places
    .flatMap(({ start = -1, end = -1, level = '' }) => {
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
    if (bySeverity.indexOf(range.level) > bySeverity.indexOf(last.level)) last.level = range.level;
  }
  return merged;
}

/**
 * The text with two kinds of marks: words that rules matched, and words that counted for the model.
 *
 * @param {string} text
 * @param {ReturnType<typeof rangesOf>} matched
 * @param {ReturnType<typeof rangesOf>} counted
 */
function markedText(text, matched, counted) {
  /** @type {(start: number, end: number) => (Node | string)[]} */
  const part = (start, end) => {
    const inside = counted.filter((range) => range.start < end && range.end > start);
    let done = start;
    const parts = inside.flatMap((range) => {
      const before = text.slice(done, range.start);
      const from = Math.max(done, range.start);
      done = Math.min(end, range.end);
      return [before, make('mark', { class: 'counted' }, text.slice(from, done))];
    });
    return [...parts, text.slice(done, end)];
  };
  let done = 0;
  const parts = matched.flatMap(({ start, end, level }) => {
    const before = part(done, start);
    done = end;
    return [...before, make('mark', { 'data-level': level }, ...part(start, end))];
  });
  return [...parts, ...part(done, text.length)];
}
