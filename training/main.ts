import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { choiceLines, measureCandidates } from './choose.ts';
import { figureLines, figuresOf } from './figures.ts';
import { publicRows, type Row, rewriteRows, rowsOf, writtenRows } from './rows.ts';
import { train } from './train.ts';

const WEIGHTS = new URL('../src/detection/engine/weights.json', import.meta.url);
const FIGURES = new URL('figures.json', import.meta.url);

/**
 * Trains the embedded model: `npm run train [-- FILE...]`. Files with your own rows are added to
 * the rows of the project (`data/README.md` describes the format). `--choose` compares the
 * candidates for the weights by origin instead, and writes nothing.
 */
export function main(options: readonly string[]): void {
  const files = options.filter((option) => option !== '--choose');
  const rows = [...publicRows(), ...writtenRows(), ...rewriteRows(), ...files.flatMap(rowsOf)];
  if (options.includes('--choose')) {
    for (const line of choiceLines(measureCandidates(rows))) console.log(line);
    return;
  }
  console.log(`training on ${rows.length} texts`);
  const { model, scored } = train(rows);
  const figures = figuresOf(scored, model.thresholds);
  const { version, thresholds } = model;
  writeFileSync(WEIGHTS, `${JSON.stringify(model)}\n`);
  writeFileSync(
    FIGURES,
    `${JSON.stringify({ version, rows: digestOf(rows), thresholds, figures }, null, 2)}\n`,
  );
  for (const line of figureLines(figures)) console.log(line);
}

/** SHA-256 of the rows, to detect weights that were trained on other rows. */
export function digestOf(rows: readonly Row[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
