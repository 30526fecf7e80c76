import { loadDetector } from '../../dist/esm/index.js';
import { sourceModule } from '../../scripts/source-module.js';
import { alternate, clientEnv, MOP, rate, ratio, run, timed, timesOf } from '../measure.js';
import { rowsOf } from '../quality.js';

export const title = 'Detection';
export const notes =
  'The rules and the embedded model in this process, on one core; texts of 300 characters. Hostile texts of 100,000 characters include the explanation. The command starts a sandbox in its own process.';

const SOURCES = '/src/detection/engine';

export async function* rows() {
  const detector = await loadDetector();
  const { normalize } = await sourceModule(`${SOURCES}/normalize.ts`);
  const { EmbeddedModel } = await sourceModule(`${SOURCES}/embedded-model.ts`);
  const { TRAINED } = await sourceModule(`${SOURCES}/trained-model.ts`);
  const model = new EmbeddedModel(TRAINED);
  const all = rowsOf('held-out')
    .map(({ text }) => text)
    .join(' ');
  const pieces = all.match(/.{300}/gsu);
  const normalized = pieces.map((piece) => normalize(piece).text);
  const speed = async (subject, texts, judge) => {
    const side = () => timed(() => texts.forEach(judge));
    return rate(subject, undefined, texts.length, 'texts', await alternate([side], 15));
  };
  yield await speed('model', normalized, (text) => model.estimate(text));
  yield await speed('normalising and model', pieces, (text) =>
    model.estimate(normalize(text).text),
  );
  yield await speed('normalising, rules and model', pieces, (text) => detector.assess(text));

  const hostile = [];
  for (const [name, text] of hostileTexts(detector, all)) {
    const side = () =>
      timed(() => {
        detector.assess(text);
        detector.analyze(text);
      });
    const times = timesOf(await alternate([side], 3));
    hostile.push({ ...times, value: 1000 * times.wall[0], unit: 'ms', text: name });
  }
  const slowest = hostile.toSorted((a, b) => b.value - a.value)[0];
  yield { subject: `slowest of ${hostile.length} hostile texts`, atMost: 200, ...slowest };

  const env = { ...clientEnv('http://127.0.0.1:9'), MOP_ENV: 'sandbox' };
  const mop =
    (...args) =>
    () =>
      run(process.execPath, [MOP, ...args], { env });
  const sides = [mop('detect', 'You only need me.'), mop('health')];
  const subject = '`mop detect TEXT`, against `mop health`, both with `--env sandbox`';
  yield ratio(subject, undefined, await alternate(sides, 9));
}

/** Texts that cause the maximum work in each stage. */
function hostileTexts(detector, all) {
  const full = (part) => part.repeat(Math.ceil(100_000 / part.length)).slice(0, 100_000);
  const examples = detector.rules.flatMap(({ data }) => data.examples.positive);
  const negatives = detector.rules.flatMap(({ data }) => data.examples.negative);
  // The words of the rules in another order: every word occurs, but none of the phrases.
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
    'Chinese without punctuation': full(
      examples
        .filter((text) => /[\u3400-\u9fff]/.test(text))
        .join('')
        .replace(/[^\u3400-\u9fff]/g, ''),
    ),
    'the rows of the data': full(all),
    'one sentence of negated hits': full("I don't say you only need me and "),
  });
}
