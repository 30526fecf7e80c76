interface ScoredRow {
  readonly label: string;
  readonly score: number;
}

export function rates(
  rows: readonly ScoredRow[],
  least: number,
): { readonly recall: number; readonly falsePositives: number };

export function areaUnderCurve(rows: readonly ScoredRow[]): number;
