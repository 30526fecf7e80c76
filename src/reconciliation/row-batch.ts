/** The fields of a row, in the order of the columns. JSON rows may lack fields. */
export type Row = readonly (string | undefined)[];

/** Consecutive rows. */
export interface RowBatch {
  readonly rows: readonly Row[];
  /** The line of a row, by its index in the batch. */
  lineOf(index: number): number;
}
