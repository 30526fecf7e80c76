import { testTable } from '../support/rows.ts';
import { expectSaved, expectVerdict, FILES, onePerDiagnosis } from './vector-suite.ts';

const vectors = FILES.flatMap(({ file: { mode, vectors } }) =>
  vectors.map((vector) => ({ ...vector, mode })),
);
/** The vectors of vector-suite.test.ts. */
const quick = new Set(onePerDiagnosis(vectors, 2));

testTable(
  'every other vector: the verdict',
  vectors.filter((vector) => !quick.has(vector)),
  ({ id }) => id,
  expectVerdict,
);

testTable(
  'one vector of every mistake: saved again',
  onePerDiagnosis(vectors, 1),
  ({ id }) => id,
  expectSaved,
);
