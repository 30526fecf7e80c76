/** Detection: how well it tells risky texts from safe ones that it has not seen, and how fast. */
import { readFileSync } from 'node:fs';
import { loadDetector } from '../dist/esm/index.js';
import { sourceModule } from '../scripts/source-module.js';
import { median } from './measure.js';
import { areaUnderCurve, rates } from './quality.js';

const LEAST = { medium: 25, high: 50 };
/** The share of risky texts in what an ordinary service says, for the precision to expect. */
const BASE_RATE = 0.02;
const percent = (share) => `${(100 * share).toFixed(1)} %`.padStart(7);

const detector = await loadDetector();
const SOURCES = '/src/sandbox/detection';
const { normalize } = await sourceModule(`${SOURCES}/normalize.ts`);
const { EmbeddedModel } = await sourceModule(`${SOURCES}/embedded-model.ts`);
const { TRAINED } = await sourceModule(`${SOURCES}/trained-model.ts`);
const model = new EmbeddedModel(TRAINED);
const patterns = detector.rules.flatMap(({ data }) => [...data.patterns.en, ...data.patterns.zh]);
console.log(`${detector.rules.length} rules with ${patterns.length} patterns`);

const heldOut = assessed('held-out.jsonl');
printQuality(heldOut);
printRules([...heldOut, ...assessed('written.jsonl'), ...assessed('public.jsonl')]);
printSpeed(heldOut);

function assessed(name) {
  const lines = readFileSync(new URL(`../training/data/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .map((row) => {
      const { score, ruleScore } = detector.assess(row.text);
      return { ...row, score, ruleScore };
    });
}

function printQuality(rows) {
  console.log('\nheld-out texts: at or above medium, at or above high, area under the curve');
  const groups = {
    all: rows,
    ...groupsBy(rows, 'language', ({ lang }) => lang),
    ...groupsBy(rows, 'batch', ({ id }) => id.replace(/-.*/, '')),
    ...groupsBy(rows, 'family', ({ family }) => family),
  };
  for (const [name, some] of Object.entries(groups)) {
    const columns = Object.values(LEAST).map((least) => {
      const { recall, falsePositives } = rates(some, least);
      return `recall ${percent(recall)} false positives ${percent(falsePositives)}`;
    });
    const area = areaUnderCurve(some).toFixed(3);
    console.log(
      `  ${name.padEnd(34)} ${String(some.length).padStart(5)}  ${columns.join('  ')}  ${area}`,
    );
  }
  for (const kind of ['explicit', 'veiled', 'implied']) {
    const { recall } = rates(
      rows.filter((row) => row.kind === kind),
      LEAST.medium,
    );
    console.log(`  ${`recall of ${kind}`.padEnd(34)} ${percent(recall)}`);
  }
  console.log(`  recall at 5 % of the safe texts    ${percent(recallAt(rows, 0.05))}`);
  for (const [level, least] of Object.entries(LEAST)) {
    const { recall, falsePositives } = rates(rows, least);
    const found = BASE_RATE * recall;
    const precision = found / (found + (1 - BASE_RATE) * falsePositives);
    console.log(
      `  precision at ${level}, if ${percent(BASE_RATE).trim()} of all texts are risky: ${percent(precision)}`,
    );
  }
}

function groupsBy(rows, name, keyOf) {
  const keys = [...new Set(rows.map(keyOf))].filter((key) => key !== undefined).sort();
  return Object.fromEntries(
    keys.map((key) => [`${name} ${key}`, rows.filter((row) => keyOf(row) === key)]),
  );
}

/** The share of risky texts above the score that this share of the safe ones exceeds. */
function recallAt(rows, falsePositives) {
  const safe = rows.filter(({ label }) => label === 'safe').map(({ score }) => score);
  safe.sort((a, b) => b - a);
  return rates(rows, safe[Math.floor(falsePositives * safe.length)] + 1).recall;
}

function printRules(rows) {
  const hit = rows.filter(({ ruleScore }) => ruleScore > 0);
  const risky = hit.filter(({ label }) => label === 'risky');
  console.log(
    `\nrules on all ${rows.length} texts: ${hit.length} matched, ${percent(risky.length / hit.length)} of them risky`,
  );
}

function printSpeed(rows) {
  const all = textOf(rows);
  const pieces = Array.from({ length: Math.floor(all.length / 300) }, (_, at) =>
    all.slice(300 * at, 300 * (at + 1)),
  );
  const normalized = pieces.map((piece) => normalize(piece).text);
  console.log('\nspeed: texts of 300 characters a second on one core');
  const print = (what, speed) => console.log(`  ${what.padEnd(34)} ${speed}`);
  print(
    'the model',
    speedOf(normalized, (text) => model.estimate(text)),
  );
  print(
    'normalising and the model',
    speedOf(pieces, (text) => model.estimate(normalize(text).text)),
  );
  print(
    'rules and model',
    speedOf(pieces, (text) => detector.assess(text)),
  );
  console.log('100,000 hostile characters, milliseconds (at most 200 wanted)');
  for (const [name, text] of hostileTexts(textOf(rows))) {
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      detector.assess(text);
      detector.analyze(text);
      return performance.now() - start;
    });
    console.log(
      `  ${name.padEnd(40)} ${Math.round(median(times))} (first ${Math.round(times[0])})`,
    );
  }
}
function speedOf(texts, judge) {
  const runs = Array.from({ length: 15 }, () => {
    const start = performance.now();
    for (const text of texts) judge(text);
    return (1000 * texts.length) / (performance.now() - start);
  });
  return Math.round(median(runs));
}

function textOf(rows) {
  return rows.map(({ text }) => text).join(' ');
}

/** Texts that give every stage as much to do as it can have. */
function hostileTexts(all) {
  const full = (part) => part.repeat(Math.ceil(100_000 / part.length)).slice(0, 100_000);
  const examples = detector.rules.flatMap(({ data }) => data.examples.positive);
  const negatives = detector.rules.flatMap(({ data }) => data.examples.negative);
  // Words of the rules in another order: all words are there, and no phrase.
  const words = [
    ...new Set(examples.flatMap((text) => text.toLowerCase().match(/[a-z']+/g) ?? [])),
  ];
  const shuffled = words.map((_, at) => words[(at * 7919) % words.length]);
  const han = [...new Set(examples.flatMap((text) => text.match(/[\u3400-\u9fff]/g) ?? []))];
  return Object.entries({
    'one letter': full('a'),
    'quotation marks': full('"\''),
    'opening brackets': full('「'),
    dots: full('.'),
    'zero-width characters': full('\u200b'),
    accents: full('o\u0301\u0302'),
    'spelt-out words': full('k i l l '),
    'the words of the rules, shuffled': full(shuffled.join(' ')),
    'the same, sentence by sentence': full(
      shuffled.map((w, at) => (at % 12 ? w : `${w}.`)).join(' '),
    ),
    'the characters of the rules': full(han.join('')),
    'both by turns': full(shuffled.map((word, at) => word + han[at % han.length]).join(' ')),
    'every positive example': full(examples.join(' ')),
    'every negative example': full(negatives.join(' ')),
    'every positive example, quoted': full(
      examples.map((text) => `"${text}" they said.`).join(' '),
    ),
    'every positive example, described': full(
      examples.map((text) => `People who tell you that ${text}`).join(' '),
    ),
    'Chinese without marks': full(
      examples
        .filter((text) => /[\u3400-\u9fff]/.test(text))
        .join('')
        .replace(/[^\u3400-\u9fff]/g, ''),
    ),
    'the rows of the data': full(all),
    'one sentence of negated hits': full("I don't say you only need me and "),
  });
}

process.exit();
