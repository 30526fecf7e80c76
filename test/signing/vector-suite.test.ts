/** The trials check the verdict of every vector, and vectors that are saved again. */
import { describe, expect, it } from 'vitest';
import { sortedByName } from '../../src/signing/canonical.ts';
import { DIAGNOSIS_IDS } from '../../src/signing/diagnosis/mistake.ts';
import { explainSignature } from '../../src/signing/explain.ts';
import { testTable } from '../support/rows.ts';
import {
  expectSchema,
  expectVerdict,
  FILES,
  onePerDiagnosis,
  READINGS,
  requestOf,
  type SuiteVector,
} from './vector-suite.ts';

const id = (vector: SuiteVector): string => vector.id;

describe.each(FILES)('$name', ({ file }) => {
  it('matches its schema', () => expectSchema(file));

  it('gives each vector a distinct name', () => {
    const ids = file.vectors.map(id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  testTable(
    'every vector: the right signature, stage by stage',
    file.vectors,
    id,
    async (vector) => {
      const { mode, entries, canonical, signature } = explainSignature(
        await requestOf(vector),
        vector.secret,
        READINGS,
      );
      expect(mode).toBe(file.mode);
      expect(sortedByName(entries).map(({ name, value }) => [name, value])).toEqual(
        vector.stages.entries,
      );
      expect(canonical).toBe(vector.stages.canonical);
      expect(canonical + vector.secret).toBe(vector.stages.string_to_sign);
      expect(signature).toBe(vector.signature);
    },
  );
});

testTable(
  'one vector of each mistake and of each pair, in either mode: the verdict',
  onePerDiagnosis(
    FILES.flatMap(({ file }) => file.vectors),
    2,
  ),
  id,
  expectVerdict,
);

it('the vectors contain every mistake at least twice, and many combinations', () => {
  const invalid = FILES.flatMap(({ file }) => file.vectors.filter((v) => v.result === 'invalid'));
  // A wrong version is not a mistake of the signer.
  const counts = DIAGNOSIS_IDS.filter((id) => id !== 'version').map((id) => ({
    id,
    alone: invalid.filter(({ diagnosis }) => diagnosis.length === 1 && diagnosis[0]?.id === id)
      .length,
  }));
  expect(counts.filter(({ alone }) => alone < 2)).toEqual([]);
  expect(invalid.filter(({ diagnosis }) => diagnosis.length === 2).length).toBeGreaterThan(40);
});
