/**
 * Lists the English texts without a Chinese one, and the Chinese texts without a source: `npm run
 * locales`. Fails if there are any.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSources } from './sources.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const readJson = (name) => JSON.parse(readFileSync(`${ROOT}/locales/${name}`, 'utf8'));

const { texts, composed, words } = readJson('zh.json');
const untranslated = new Set(readJson('untranslated.json'));
const sources = readSources(ROOT);

/** The pairs of adjacent words in the fixed parts of a text. */
function pairsOf(text) {
  return text.split(/\{[a-z]*\}/).flatMap((part) => {
    const words = part.toLowerCase().match(/[a-z]{2,}/g) ?? [];
    return words.slice(1).map((word, at) => `${words[at]} ${word}`);
  });
}

const sourcePairs = new Set([...sources.strings].flatMap(pairsOf));

/** Whether a composed text is new to the sources, except where its parts meet. */
function isForeign(text) {
  const pairs = pairsOf(text);
  const foreign = pairs.filter((pair) => !sourcePairs.has(pair)).length;
  return foreign > Math.max(2, pairs.length / 3);
}

const missing = [
  ...[...sources.texts].filter(
    ([text]) => !(text in texts || text in words || untranslated.has(text)),
  ),
  ...[...sources.words].filter(([word]) => !(word in words || untranslated.has(word))),
];
const isUnused = (text) => !sources.strings.has(text);
const isNeedless = (text) => !(sources.texts.has(text) || sources.words.has(text));
const unused = [
  ...[...Object.keys(texts), ...Object.keys(words)].filter(isUnused),
  ...[...untranslated].filter(isNeedless),
  ...Object.keys(composed).filter(isForeign),
];

print('English texts without a Chinese one in locales/zh.json', missing.map(placed));
print(
  'Chinese texts without a source',
  unused.map((text) => JSON.stringify(text)),
);
if (missing.length + unused.length > 0) process.exitCode = 1;
else console.log(`All ${sources.texts.size + sources.words.size} texts are translated or listed.`);

function placed([text, place]) {
  return `${place}: ${JSON.stringify(text)}`;
}

function print(title, lines) {
  if (lines.length > 0) console.log(`${title} (${lines.length}):\n${lines.join('\n')}\n`);
}
