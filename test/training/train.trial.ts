import { describe, expect, test } from 'vitest';
import { EmbeddedModel } from '../../src/detection/engine/embedded-model.ts';
import { normalize } from '../../src/detection/engine/normalize.ts';
import { TRAINED } from '../../src/detection/engine/trained-model.ts';
import figures from '../../training/figures.json' with { type: 'json' };
import { digestOf } from '../../training/main.ts';
import { publicRows, rewriteRows, writtenRows } from '../../training/rows.ts';
import { train } from '../../training/train.ts';

/** The rows of one batch, in six groups for cross-validation. */
const subset = writtenRows()
  .filter(({ group }) => group === 'a01')
  .map((row, at) => ({ ...row, group: `writer ${at % 6}` }));

describe('a model trained on a few rows', () => {
  const { model, scored } = train(subset);

  // The version contains a digest of the weights.
  test('is the same in each run', () => {
    expect(subset).toHaveLength(333);
    expect(model.version).toBe('1.0.0+5f303fc7');
  });

  test('classifies the rows that it was trained on', () => {
    const judge = new EmbeddedModel(model);
    const correct = subset.filter(
      ({ text, label }) =>
        judge.estimate(normalize(text).text).probability > 0.5 === (label === 'risky'),
    );
    expect(correct.length).toBeGreaterThan(0.95 * subset.length);
  });

  test('classifies most rows of unseen groups', () => {
    const correct = scored.filter(
      ({ row, probabilities: [risky = 0] }) => risky > 0.5 === (row.label === 'risky'),
    );
    expect(correct.length).toBeGreaterThan(0.6 * subset.length);
  });
});

test('training/figures.json belongs to the current weights and rows', () => {
  expect(figures.version).toBe(TRAINED.version);
  expect(figures.rows).toBe(digestOf([...publicRows(), ...writtenRows(), ...rewriteRows()]));
});
