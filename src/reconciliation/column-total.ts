import { compareDecimals, type Decimal, DecimalSum, formatDecimal } from './decimal.ts';

/** A column. A numeric one has its exact sum, minimum and maximum, as decimal digits. */
export interface ColumnSummary {
  readonly name: string;
  readonly sum?: string;
  readonly min?: string;
  readonly max?: string;
}

/** The exact sum, minimum and maximum of the numbers of a column. */
export class ColumnTotal {
  readonly #sum = new DecimalSum();
  #min: Decimal | undefined;
  #max: Decimal | undefined;

  add(number: Decimal): void {
    this.#sum.add(number);
    this.#bound(number, number);
  }

  addTotal({ total, bounds }: ColumnTotal): void {
    this.#sum.add(total);
    if (bounds) this.#bound(...bounds);
  }

  #bound(low: Decimal, high: Decimal): void {
    if (!this.#min || compareDecimals(low, this.#min) < 0) this.#min = low;
    if (!this.#max || compareDecimals(high, this.#max) > 0) this.#max = high;
  }

  get total(): Decimal {
    return this.#sum.total;
  }

  /** The smallest and the largest number; undefined without numbers. */
  get bounds(): readonly [Decimal, Decimal] | undefined {
    return this.#min && this.#max && [this.#min, this.#max];
  }

  /** The exact sum as decimal digits. */
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
