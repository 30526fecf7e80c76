import type { Row } from './rows.ts';

/** The sources of texts that may have different weights; `data/README.md` describes them. */
type Origin = 'spiral-bench' | 'darkbench' | 'older English' | 'fragments' | 'others';

/** How much a text of each origin counts in training. */
export interface Weighting {
  readonly weights: Readonly<Record<Origin, number>>;
  /**
   * Whether each public writer has an intercept, which absorbs its share of risky texts. It exists
   * only during training.
   */
  readonly hasWriterIntercepts: boolean;
}

const EQUAL = {
  'spiral-bench': 1,
  darkbench: 1,
  'older English': 1,
  fragments: 1,
  others: 1,
} as const satisfies Weighting['weights'];

const publicTimes = (factor: number): Weighting['weights'] => ({
  ...EQUAL,
  'spiral-bench': factor,
  darkbench: factor,
});

const BY_ORIGIN: Weighting['weights'] = {
  'spiral-bench': 2,
  darkbench: 1,
  'older English': 3,
  fragments: 1.5,
  others: 1,
};

/** The candidates for the weights. The model card explains the choice. */
export const CANDIDATES = {
  equal: { weights: EQUAL, hasWriterIntercepts: false },
  'equal, writers': { weights: EQUAL, hasWriterIntercepts: true },
  'public 2': { weights: publicTimes(2), hasWriterIntercepts: false },
  'public 4': { weights: publicTimes(4), hasWriterIntercepts: false },
  'public 6': { weights: publicTimes(6), hasWriterIntercepts: false },
  'public 4, writers': { weights: publicTimes(4), hasWriterIntercepts: true },
  'by origin': { weights: BY_ORIGIN, hasWriterIntercepts: false },
  'by origin, writers': { weights: BY_ORIGIN, hasWriterIntercepts: true },
} as const satisfies Readonly<Record<string, Weighting>>;

export const CHOSEN: Weighting = CANDIDATES['by origin, writers'];

export function weightOf(row: Row, { weights }: Weighting): number {
  return weights[originOf(row)];
}

function originOf({ origin, group, lang }: Row): Origin {
  if (origin === 'public') return group === 'darkbench' ? 'darkbench' : 'spiral-bench';
  if (/^s\d\d$/.test(group)) return 'fragments';
  return lang === 'en' && (group === 'a01' || group === 'r01') ? 'older English' : 'others';
}
