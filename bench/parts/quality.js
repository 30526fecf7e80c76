import { loadDetector } from '../../dist/esm/index.js';
import { areaUnderCurve, rates, rowsOf } from '../quality.js';

export const title = 'Quality of the detection';
export const notes =
  'Rules and model together, on the 1,680 [held-out texts](../training/data/README.md): the share of risky texts at or above `medium` (recall) and of safe ones (false alarms). The same at `high` and the area under the ROC curve follow. [The model card](detection-model.md) explains the figures.';

const MIN_SCORES = { medium: 25, high: 50 };
/** The batches of texts, by the prefix of their `id`. */
const BATCHES = {
  a02: 'older texts, both languages',
  e12: 'short English replies',
  e13: 'long English replies',
  s06: 'fragments of English chats',
  z03: 'Chinese talk about omens and AI',
  z09: 'Chinese replies of all kinds',
};
/** The share of risky texts in an ordinary service, to estimate the precision. */
const BASE_RATE = 0.02;

export async function* rows() {
  const detector = await loadDetector();
  const assessed = (name) =>
    rowsOf(name).map((row) => {
      const { score, ruleScore } = detector.assess(row.text);
      return { ...row, score, ruleScore };
    });
  const heldOut = assessed('held-out');
  const groups = {
    'all texts': heldOut,
    ...groupsBy(heldOut, ({ lang }) => ({ en: 'English', zh: 'Chinese' })[lang]),
    ...groupsBy(heldOut, ({ id }) => BATCHES[id.replace(/-.*/, '')]),
    ...groupsBy(heldOut, ({ family }) => family && `family ${family}`),
  };
  for (const [name, some] of Object.entries(groups)) {
    const [medium, high] = Object.values(MIN_SCORES).map((minScore) => rates(some, minScore));
    const text = [
      percent(medium.falsePositives),
      percent(high.recall),
      percent(high.falsePositives),
      areaUnderCurve(some).toFixed(3),
    ].join('; ');
    yield { ...share(`${name} (${some.length})`, medium.recall), text };
  }
  for (const kind of ['explicit', 'veiled', 'implied']) {
    const some = heldOut.filter((row) => row.kind === kind);
    yield share(`recall of ${kind} risks`, rates(some, MIN_SCORES.medium).recall);
  }
  yield share('recall at 5 % false alarms', recallAt(heldOut, 0.05));
  for (const [level, minScore] of Object.entries(MIN_SCORES)) {
    const { recall, falsePositives } = rates(heldOut, minScore);
    const found = BASE_RATE * recall;
    const precision = found / (found + (1 - BASE_RATE) * falsePositives);
    yield share(`precision at or above ${level}, if 2 % of all texts are risky`, precision);
  }
  const hit = [...heldOut, ...assessed('written'), ...assessed('public')].filter(
    ({ ruleScore }) => ruleScore > 0,
  );
  const risky = hit.filter(({ label }) => label === 'risky');
  yield share('precision of the rules', risky.length / hit.length);
}

function share(subject, value) {
  return { subject, value: 100 * value, unit: '%' };
}

function percent(value) {
  return `${(100 * value).toFixed(1)} %`;
}

/** Rows by the name of their group; rows without a group are skipped. */
function groupsBy(rows, nameOf) {
  const names = [...new Set(rows.map(nameOf))].filter((name) => name !== undefined).sort();
  return Object.fromEntries(
    names.map((name) => [name, rows.filter((row) => nameOf(row) === name)]),
  );
}

/** The recall at the score that this share of the safe texts exceeds. */
function recallAt(rows, falsePositives) {
  const safe = rows.filter(({ label }) => label === 'safe').map(({ score }) => score);
  safe.sort((a, b) => b - a);
  return rates(rows, safe[Math.floor(falsePositives * safe.length)] + 1).recall;
}
