import { testTable } from '../support/rows.ts';
import { expectSaved, expectVerdict, FILES, onePerDiagnosis } from './vector-suite.ts';

const vectors = FILES.flatMap(({ file: { mode, vectors } }) =>
  vectors.map((vector) => ({ ...vector, mode })),
);

testTable('every vector: the verdict', vectors, ({ id }) => id, expectVerdict);

testTable(
  'one vector of every mistake: saved again',
  onePerDiagnosis(vectors, 1),
  ({ id }) => id,
  expectSaved,
);
