/** The rule engine: how well it tells risky texts from safe ones, and how fast. */
import { readFileSync } from 'node:fs';
import { loadRuleEngine } from '../dist/esm/index.js';
import { median } from './measure.js';
import { areaUnderCurve, rates } from './quality.js';

const DATA = new URL('../test/sandbox/detection/data/', import.meta.url);
const LEAST = { medium: 25, high: 50 };
const percent = (share) => `${(100 * share).toFixed(1)} %`.padStart(7);

const engine = await loadRuleEngine();
console.log(`${engine.rules.length} rules`);

const files = {
  'dev.jsonl': ['category'],
  'own.jsonl': ['lang', 'category', 'kind'],
  'held-out.jsonl': ['lang', 'category', 'kind'],
};
const rows = new Map(Object.keys(files).map((name) => [name, assessed(name)]));
for (const [name, keys] of Object.entries(files)) printQuality(name, rows.get(name), keys);
printSpeed([...rows.values()].flat());

function assessed(name) {
  const lines = readFileSync(new URL(name, DATA), 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .map((row) => ({ ...row, score: engine.assess(row.text).score }));
}

function printQuality(name, rows, keys) {
  console.log(`\n${name}: share of rows at or above a level`);
  for (const label of ['risky', 'safe']) {
    const some = rows.filter((row) => row.label === label);
    for (const key of keys) {
      for (const group of new Set(some.map((row) => row[key]))) {
        const members = some.filter((row) => row[key] === group);
        const at = Object.entries(LEAST).map(([level, least]) => {
          const reached = members.filter(({ score }) => score >= least).length;
          return `>= ${level} ${percent(reached / members.length)}`;
        });
        const count = String(members.length).padStart(5);
        console.log(`  ${label.padEnd(5)} ${String(group).padEnd(34)} ${count}  ${at.join('  ')}`);
      }
    }
  }
  for (const [level, least] of Object.entries(LEAST)) {
    const { recall, falsePositives, j } = rates(rows, least);
    console.log(
      `  >= ${level.padEnd(6)} recall ${percent(recall)}, false positives ${percent(falsePositives)}, J ${j.toFixed(3)}`,
    );
  }
  console.log(`  area under the curve of risk_score: ${areaUnderCurve(rows).toFixed(3)}`);
}

function printSpeed(rows) {
  console.log('\nspeed: texts of 300 characters a second on one core (at least 10000 wanted)');
  for (const label of ['safe', 'risky']) {
    const all = textOf(rows.filter((row) => row.label === label));
    const pieces = Array.from({ length: Math.floor(all.length / 300) }, (_, at) =>
      all.slice(300 * at, 300 * (at + 1)),
    );
    const runs = Array.from({ length: 7 }, () => {
      const start = performance.now();
      for (const piece of pieces) engine.assess(piece);
      return (1000 * pieces.length) / (performance.now() - start);
    });
    const [speed, first] = [median(runs), runs[0]].map(Math.round);
    console.log(`  ${label.padEnd(5)} rows  ${speed} (the first pass ${first})`);
  }
  console.log('100,000 hostile characters, milliseconds (at most 150 wanted)');
  for (const [name, text] of hostileTexts(textOf(rows))) {
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      engine.assess(text);
      return performance.now() - start;
    });
    console.log(
      `  ${name.padEnd(40)} ${Math.round(median(times))} (first ${Math.round(times[0])})`,
    );
  }
}

function textOf(rows) {
  return rows.map(({ text }) => text).join(' ');
}

/** Texts that give every stage as much to do as it can have. */
function hostileTexts(all) {
  const full = (part) => part.repeat(Math.ceil(100_000 / part.length)).slice(0, 100_000);
  const examples = engine.rules.flatMap(({ data }) => data.examples.positive);
  const negatives = engine.rules.flatMap(({ data }) => data.examples.negative);
  // Words of the rules in another order: every literal is there, and no phrase.
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
