import { areaUnderCurve, rates } from '../bench/quality.js';
import { CATEGORIES, LEAST_SCORE } from '../src/protocol/detection.ts';
import { scriptOf, type TrainedModel } from '../src/sandbox/detection/embedded-model.ts';
import { estimatedScore } from '../src/sandbox/detection/score.ts';
import type { Row } from './rows.ts';
import type { Scored } from './train.ts';

/** How models judged texts of groups that they had not seen. Shares are from 0 to 1. */
export interface Figure {
  readonly texts: string;
  readonly risky: number;
  readonly safe: number;
  /** At or above a level; null where there is no such text. */
  readonly medium: Shares;
  readonly high: Shares;
  readonly areaUnderCurve: number | null;
}

interface Shares {
  readonly recall: number | null;
  readonly falsePositives: number | null;
}

/** Figures of all texts, of each source, and of each family. */
export function figuresOf(scored: readonly Scored[], cuts: TrainedModel['cuts']): Figure[] {
  const figure = (texts: string, isOne: (row: Row) => boolean): Figure => {
    const rows = scored
      .filter(({ row }) => isOne(row))
      .map(({ row: { label, text }, probabilities: [probability = 0] }) => ({
        label,
        score: estimatedScore(probability, cuts[scriptOf(text)]),
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
      medium: shares(LEAST_SCORE.medium),
      high: shares(LEAST_SCORE.high),
      areaUnderCurve: rounded(areaUnderCurve(rows)),
    };
  };
  const groups = [...new Set(scored.map(({ row }) => row.group))];
  return [
    figure('all', () => true),
    figure('public', ({ origin }) => origin === 'public'),
    figure('written, English', ({ origin, lang }) => origin === 'written' && lang === 'en'),
    figure('written, Chinese', ({ origin, lang }) => origin === 'written' && lang === 'zh'),
    ...CATEGORIES.map((family) => figure(family, (row) => row.family === family)),
    ...groups.map((group) => figure(group, (row) => row.group === group)),
  ];
}

/** The figures as lines of a table. */
export function figureLines(figures: readonly Figure[]): string[] {
  const percent = (share: number | null) =>
    (share === null ? '-' : `${(100 * share).toFixed(1)} %`).padStart(9);
  return [
    'texts                            risky  safe    recall       FPR  at high     FPR    AUC',
    ...figures.map(
      ({ texts, risky, safe, medium, high, areaUnderCurve: area }) =>
        texts.padEnd(32) +
        String(risky).padStart(6) +
        String(safe).padStart(6) +
        [medium.recall, medium.falsePositives, high.recall, high.falsePositives]
          .map(percent)
          .join('') +
        `  ${area?.toFixed(3) ?? '-'}`,
    ),
  ];
}

/** To three places; null for the share of nothing. */
function rounded(share: number): number | null {
  return Number.isFinite(share) ? Math.round(1000 * share) / 1000 : null;
}
