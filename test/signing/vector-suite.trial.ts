import { describe } from 'vitest';
import { testTable } from '../support/rows.ts';
import { expectSaved, expectVerdict, FILES, onePerDiagnosis } from './vector-files.ts';

describe.each(FILES)('$name', ({ file }) => {
  testTable('every vector: the verdict', file.vectors, ({ id }) => id, expectVerdict);

  testTable(
    'one vector of every mistake: saved again',
    onePerDiagnosis(file.vectors, 1),
    ({ id }) => id,
    (vector) => expectSaved(vector, file.mode),
  );
});
