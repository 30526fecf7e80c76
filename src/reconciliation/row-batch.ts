/** The fields of a row, in the order of the columns. A field that JSON leaves out may be missing. */
export type Row = readonly (string | undefined)[];

/** Consecutive rows. */
export interface RowBatch {
  readonly rows: readonly Row[];
  /** The line of a row of the batch by its index, for errors. */
  lineOf(index: number): number;
}
