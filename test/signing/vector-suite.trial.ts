import { testTable } from '../support/rows.ts';
import { isLong } from '../trials/scale.ts';
import { expectSaved, expectVerdict, FILES, onePerDiagnosis } from './vector-suite.ts';

const vectors = FILES.flatMap(({ file: { mode, vectors } }) =>
  vectors.map((vector) => ({ ...vector, mode })),
);
/** The vectors of vector-suite.test.ts. */
const quick = new Set(onePerDiagnosis(vectors, 2));

const others = vectors.filter((vector) => !quick.has(vector));

testTable(
  'the other vectors: the verdict',
  // Each mistake is in `quick`, so a short run has a sample.
  others.filter((_, at) => isLong || at % 8 === 0),
  ({ id }) => id,
  expectVerdict,
);

testTable(
  'one vector of every mistake: saved again',
  onePerDiagnosis(vectors, 1),
  ({ id }) => id,
  expectSaved,
);
