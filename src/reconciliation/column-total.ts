import { MopError } from '../errors.ts';
import type { AmountColumn, AmountKind } from './amount-column.ts';
import { Cell } from './cell.ts';
import { compareDecimals, type Decimal, DecimalSum, formatDecimal } from './decimal.ts';
import type { Table } from './table.ts';

/** A column. A numeric one has its exact sum, minimum and maximum, as decimal digits. */
export interface ColumnSummary {
  readonly name: string;
  readonly sum?: string;
  readonly min?: string;
  readonly max?: string;
}

const SCALES = 16;
/** Adding a number of up to 15 digits to one below this limit is exact. */
const LIMIT = 2 ** 52;

/** The exact sum, minimum and maximum of amounts. Small ones are added up as integers, by their scale. */
export class ColumnTotal {
  readonly #sums = new Float64Array(SCALES);
  readonly #mins = new Float64Array(SCALES).fill(Number.POSITIVE_INFINITY);
  readonly #maxs = new Float64Array(SCALES).fill(Number.NEGATIVE_INFINITY);
  readonly #rest = new DecimalSum();
  #min: Decimal | undefined;
  #max: Decimal | undefined;

  add(kind: AmountKind, amounts: AmountColumn): void {
    if (kind !== 'small') {
      this.addDecimal(amounts.large);
      return;
    }
    const { units, scale } = amounts;
    const sum = (this.#sums[scale] as number) + units;
    this.#sums[scale] = sum;
    if (units < (this.#mins[scale] as number)) this.#mins[scale] = units;
    if (units > (this.#maxs[scale] as number)) this.#maxs[scale] = units;
    if (sum > LIMIT || sum < -LIMIT) this.#carry(scale);
  }

  addDecimal(number: Decimal): void {
    this.#rest.add(number);
    this.#bound(number);
  }

  addTotal(other: ColumnTotal): void {
    if (!other.bounds) return;
    this.#rest.add(other.total);
    for (const bound of other.bounds) this.#bound(bound);
  }

  #carry(scale: number): void {
    this.#rest.add({ units: this.#sums[scale] as number, scale });
    this.#sums[scale] = 0;
  }

  #bound(number: Decimal): void {
    if (!this.#min || compareDecimals(number, this.#min) < 0) this.#min = number;
    if (!this.#max || compareDecimals(number, this.#max) > 0) this.#max = number;
  }

  #settle(): void {
    // Of equal bounds, the one with the most decimals is kept.
    for (let scale = SCALES - 1; scale >= 0; scale--) {
      const [min, max] = [this.#mins[scale] as number, this.#maxs[scale] as number];
      if (max === Number.NEGATIVE_INFINITY) continue;
      this.#carry(scale);
      this.#bound({ units: min, scale });
      this.#bound({ units: max, scale });
    }
  }

  get total(): Decimal {
    this.#settle();
    return this.#rest.total;
  }

  /** The smallest and the largest amount; undefined without amounts. */
  get bounds(): readonly [Decimal, Decimal] | undefined {
    this.#settle();
    return this.#min && this.#max && [this.#min, this.#max];
  }

  get sum(): string {
    return formatDecimal(this.total);
  }

  summary(name: string): ColumnSummary {
    const [min, max] = this.bounds?.map(formatDecimal) ?? [];
    return {
      name,
      sum: this.sum,
      ...(min !== undefined && max !== undefined && { min, max }),
    };
  }
}

/** The rows of all files with the same values in the columns `by`. */
export interface GroupSummary {
  /** The values, separated by `, `. */
  readonly value: string;
  readonly values: readonly string[];
  readonly rows: number;
  /** The exact sum of each numeric column, by its name. */
  readonly sums: Readonly<Record<string, string>>;
}

const MAX_GROUPS = 100_000;
const MAX_GROUP_SUMS = 2_000_000;

export interface Group {
  readonly values: readonly string[];
  rows: number;
  readonly sums: Map<string, DecimalSum>;
}

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
        const message = `${table.path}: column ${names} has more than ${this.#groups.size} values`;
        throw new MopError('usage', message, { hint: 'group by a column with fewer values' });
      }
      group = { values, rows: 0, sums: new Map() };
      this.#groups.set(key, group);
    }
    group.rows++;
    return group;
  }

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
      sums: Object.fromEntries(names.map((name) => [name, sums.get(name)?.text ?? '0'])),
    }));
  }
}
