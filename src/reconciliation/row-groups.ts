import { MopError } from '../errors.ts';
import type { AmountColumn, AmountKind } from './amount-column.ts';
import { Cell } from './cell.ts';
import type { ColumnSummary } from './column-total.ts';
import { DecimalSum } from './decimal.ts';
import type { Table } from './table.ts';

/** The rows of all files with the same values in the columns `by`. */
export interface GroupSummary {
  /** The values, separated by `, `. */
  readonly value: string;
  readonly values: readonly string[];
  readonly rows: number;
  /** The exact sum of each numeric column, by its name. */
  readonly sums: Readonly<Record<string, string>>;
}

/** All groups, and their sums, are in memory at once. */
const MAX_GROUPS = 100_000;
const MAX_GROUP_SUMS = 2_000_000;

/** A group while rows are added. */
export interface Group {
  readonly values: readonly string[];
  rows: number;
  /** The sum of each column, by its name. */
  readonly sums: Map<string, DecimalSum>;
}

/** The groups of all files. */
export class RowGroups {
  readonly #groups = new Map<string, Group>();
  readonly #cell = new Cell();
  #sums = 0;

  /** The group of the current row, which is counted; throws `usage` for too many groups. */
  find(table: Table, by: readonly number[]): Group {
    const values = by.map((column) => {
      this.#cell.read(table.row, column);
      return this.#cell.text;
    });
    const key = values.length === 1 ? (values[0] ?? '') : JSON.stringify(values);
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size === MAX_GROUPS || this.#sums > MAX_GROUP_SUMS) {
        const names = by.map((column) => table.columns[column]).join(', ');
        throw new MopError(
          'usage',
          `${table.path}: column ${names} has more than ${this.#groups.size} values`,
          {
            hint: 'group by a column with fewer values',
          },
        );
      }
      group = { values, rows: 0, sums: new Map() };
      this.#groups.set(key, group);
    }
    group.rows++;
    return group;
  }

  /** Adds the last amount of a column to a group. */
  add({ sums }: Group, name: string, kind: AmountKind, amounts: AmountColumn): void {
    let sum = sums.get(name);
    if (!sum) {
      sum = new DecimalSum();
      sums.set(name, sum);
      this.#sums++;
    }
    sum.add(amounts.amount(kind));
  }

  summaries(columns: readonly ColumnSummary[]): GroupSummary[] {
    const names = columns.filter(({ sum }) => sum !== undefined).map(({ name }) => name);
    return [...this.#groups.values()].map(({ values, rows, sums }) => ({
      value: values.join(', '),
      values,
      rows,
      sums: Object.fromEntries(
        names.map((name) => {
          const sum = sums.get(name);
          return [name, sum?.text ?? '0'];
        }),
      ),
    }));
  }
}
