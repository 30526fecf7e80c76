import { HEADS } from '../src/detection/engine/embedded-model.ts';
import { type Example, fitModel, logOdds } from './fit.ts';
import type { Row } from './rows.ts';

const FOLDS = 6;

/**
 * The sums of each row by a model that was not trained on its group.
 *
 * @param heads The first heads only.
 */
export function crossValidated(
  rows: readonly Row[],
  examples: readonly Example[],
  heads: number = HEADS.length,
): Float64Array[] {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const folds = rows.map(({ group }) => groups.indexOf(group) % FOLDS);
  const sums: Float64Array[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const linear = fitModel(
      examples.filter((_, at) => folds[at] !== fold),
      heads,
    );
    for (const [at, { vector }] of examples.entries()) {
      if (folds[at] === fold) sums[at] = logOdds(linear, vector);
    }
  }
  return sums;
}
