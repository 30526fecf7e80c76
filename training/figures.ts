import { areaUnderCurve, rates } from '../bench/quality.js';
import { HEADS, type TrainedModel } from '../src/detection/engine/embedded-model.ts';
import { estimatedScore } from '../src/detection/engine/score.ts';
import { CATEGORIES, type Category, MIN_SCORE } from '../src/protocol/detection.ts';
import type { Row } from './rows.ts';
import type { Scored } from './train.ts';

/** Figures of models on groups of texts that they were not trained on. Shares are from 0 to 1. */
export interface Figure {
  readonly texts: string;
  readonly risky: number;
  readonly safe: number;
  /** Shares at or above a level; null without such a text. */
  readonly medium: Shares;
  readonly high: Shares;
  readonly areaUnderCurve: number | null;
  /** For a family: the area under the curve of its own head, its risky texts against all others. */
  readonly familyAreaUnderCurve?: number | null;
}

interface Shares {
  readonly recall: number | null;
  readonly falsePositives: number | null;
}

/** Figures of the head `risky` on all texts, on those of each source, and in or near each family. */
export function figuresOf(
  scored: readonly Scored[],
  thresholds: TrainedModel['thresholds'],
): Figure[] {
  const figure = (texts: string, isOne: (row: Row) => boolean): Figure => {
    const rows = scored
      .filter(({ row }) => isOne(row))
      .map(({ row: { label }, script, probabilities: [probability = 0] }) => ({
        label,
        score: estimatedScore(probability, thresholds[script]),
      }));
    const risky = rows.filter(({ label }) => label === 'risky').length;
    const shares = (least: number): Shares => {
      const { recall, falsePositives } = rates(rows, least);
      return { recall: rounded(recall), falsePositives: rounded(falsePositives) };
    };
    return {
      texts,
      risky,
      safe: rows.length - risky,
      medium: shares(MIN_SCORE.medium),
      high: shares(MIN_SCORE.high),
      areaUnderCurve: rounded(areaUnderCurve(rows)),
    };
  };
  const groups = [...new Set(scored.map(({ row }) => row.group))];
  return [
    figure('all', () => true),
    figure('public', ({ origin }) => origin === 'public'),
    figure('written, English', ({ origin, lang }) => origin === 'written' && lang === 'en'),
    figure('written, Chinese', ({ origin, lang }) => origin === 'written' && lang === 'zh'),
    ...CATEGORIES.map((family) => ({
      ...figure(family, (row) => row.family === family),
      familyAreaUnderCurve: rounded(areaUnderCurve(familyRows(scored, family))),
    })),
    ...groups.map((group) => figure(group, (row) => row.group === group)),
  ];
}

/** Each text with a known family, with the probability of this family. */
function familyRows(scored: readonly Scored[], family: Category) {
  const head = HEADS.indexOf(family);
  return scored
    .filter(({ row }) => row.label === 'safe' || row.family !== undefined)
    .map(({ row, probabilities }) => ({
      label: row.label === 'risky' && row.family === family ? 'risky' : 'safe',
      score: probabilities[head] ?? 0,
    }));
}

/** The figures as lines of a table. */
export function figureLines(figures: readonly Figure[]): string[] {
  const percent = (share: number | null) =>
    (share === null ? '-' : `${(100 * share).toFixed(1)} %`).padStart(9);
  return [
    'texts                            risky  safe    recall       FPR  at high     FPR    AUC  family',
    ...figures.map(
      ({ texts, risky, safe, medium, high, areaUnderCurve: area, familyAreaUnderCurve: family }) =>
        texts.padEnd(32) +
        String(risky).padStart(6) +
        String(safe).padStart(6) +
        [medium.recall, medium.falsePositives, high.recall, high.falsePositives]
          .map(percent)
          .join('') +
        `  ${area?.toFixed(3) ?? '-'}  ${family?.toFixed(3) ?? ''}`.trimEnd(),
    ),
  ];
}

/** Rounded to three decimals; null for a share of an empty set. */
function rounded(share: number): number | null {
  return Number.isFinite(share) ? Math.round(1000 * share) / 1000 : null;
}
