import { MopError } from '../errors.ts';
import { counted } from '../files/counts.ts';
import { Causes, netAmounts } from './causes.ts';
import { type Decimal, parseDecimal } from './decimal.ts';
import { areTextsEqual, type Entries, PARTITIONS, textLength } from './entry-store.ts';
import { joinEntries } from './join.ts';
import type { KeyForm } from './key-forms.ts';
import {
  areEqual,
  BEST_PAIRS,
  type ComparedRow,
  type Difference,
  isWithin,
  pairRows,
  type Tolerance,
} from './pair-rows.ts';
import { keyFields, type SideReader } from './side-reader.ts';

export interface ComparisonCounts {
  /** Rows of the bill whose key and amounts are in the records. */
  matched: number;
  /** Rows whose key is only in the bill. */
  onlyInBill: number;
  /** Rows whose key is only in the records. */
  onlyInRecords: number;
  /** Pairs of rows with the same key and different amounts. */
  different: number;
  /** Keys that both sides have, but in a different number of rows. */
  duplicates: number;
}

export interface ComparisonOptions {
  readonly forms: readonly KeyForm[];
  readonly tolerance: Tolerance | undefined;
  readonly net: boolean;
  readonly factor: Decimal | undefined;
}

/** Differences are in the order of their keys, within groups of this size. */
const SORTED_DIFFERENCES = 20_000;
const MAX_ROWS_OF_KEY = 100_000;

export class Comparison {
  readonly counts: ComparisonCounts = {
    matched: 0,
    onlyInBill: 0,
    onlyInRecords: 0,
    different: 0,
    duplicates: 0,
  };
  readonly #bill: SideReader;
  readonly #records: SideReader;
  readonly #options: ComparisonOptions;
  readonly #amounts: number;
  readonly #causes: Causes;
  #keys = 0;
  #netRows = 0;
  #largeKeys = 0;
  #found: Difference[] = [];

  constructor(bill: SideReader, records: SideReader, amounts: number, options: ComparisonOptions) {
    this.#bill = bill;
    this.#records = records;
    this.#amounts = amounts;
    this.#options = options;
    this.#causes = new Causes(options.forms, options.factor);
  }

  /** All differences, in the order of their keys if they are few. */
  async *differences(signal: AbortSignal | undefined): AsyncGenerator<Difference> {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      signal?.throwIfAborted();
      const bill = await this.#bill.store.take(partition);
      const records = await this.#records.store.take(partition);
      this.#join(bill, records);
      if (this.#found.length > SORTED_DIFFERENCES) yield* this.#takeFound();
    }
    yield* this.#takeFound();
  }

  #takeFound(): Difference[] {
    const found = this.#found.sort(compareDifferences);
    this.#found = [];
    return found;
  }

  #join(bill: Entries, records: Entries): void {
    const { net } = this.#options;
    joinEntries(bill, records, {
      onPair: (ours, theirs) => {
        this.#keys++;
        if (this.#areAmountsEqual(bill, ours, records, theirs)) this.counts.matched++;
        else
          this.#addPair(
            this.#row(this.#bill, bill, ours),
            this.#row(this.#records, records, theirs),
          );
      },
      onGroup: (ours, theirs) => {
        this.#checkRowsOfKey(bill, ours);
        this.#checkRowsOfKey(records, theirs);
        const billRows = ours.map((index) => this.#row(this.#bill, bill, index));
        const recordRows = theirs.map((index) => this.#row(this.#records, records, index));
        if (net) this.#addNet(billRows, recordRows);
        else this.#addGroup(billRows, recordRows);
      },
    });
  }

  /** @throws {MopError} `usage` for a key with too many rows: they are all in memory at once. */
  #checkRowsOfKey(entries: Entries, [first, ...others]: readonly number[]): void {
    if (first === undefined || others.length < MAX_ROWS_OF_KEY) return;
    const [key = new Uint8Array()] = entries.textsOf(first, 1);
    const shown = keyFields(key).map((field) => JSON.stringify(field));
    const message = `more than ${MAX_ROWS_OF_KEY} rows have the key ${shown.join(', ')}`;
    throw new MopError('usage', message, {
      hint: 'choose a column that identifies an order: --key',
    });
  }

  /** Compares the amounts of two entries; most are equal byte by byte. */
  #areAmountsEqual(bill: Entries, ours: number, records: Entries, theirs: number): boolean {
    let a = bill.texts(ours);
    let b = records.texts(theirs);
    for (let index = 0; index < this.#amounts; index++) {
      a += 2 + textLength(bill.bytes, a);
      b += 2 + textLength(records.bytes, b);
      if (areTextsEqual(bill.bytes, a, records.bytes, b)) continue;
      const left = parseDecimal(textAt(bill.bytes, a));
      const right = parseDecimal(textAt(records.bytes, b));
      if (!left || !right || !isWithin(left, right, this.#options.tolerance)) return false;
    }
    return true;
  }

  #row(side: SideReader, entries: Entries, index: number): ComparedRow {
    const texts = entries.textsOf(index, 2 + this.#amounts);
    const key = this.#options.forms.length > 0 ? texts.at(-1) : texts[0];
    return {
      key: keyFields(key ?? new Uint8Array()),
      amounts: texts.slice(1, -1).map((text) => Buffer.from(text).toString('latin1')),
      ...side.placeOf(entries.line(index)),
    };
  }

  #addPair(bill: ComparedRow, records: ComparedRow): void {
    this.counts.different++;
    this.#causes.addPair(bill, records);
    this.#found.push({ kind: 'different', bill, records });
  }

  #addGroup(bill: readonly ComparedRow[], records: readonly ComparedRow[]): void {
    if (records.length === 0 || bill.length === 0) {
      this.#addOnly(bill, records);
      return;
    }
    this.#keys++;
    const { tolerance } = this.#options;
    if (tolerance && Math.max(bill.length, records.length) > BEST_PAIRS) this.#largeKeys++;
    const { matched, differences } = pairRows(bill, records, tolerance);
    this.counts.matched += matched;
    if (differences.length > 0) this.#causes.addGroup(bill, records);
    for (const difference of differences) {
      if (difference.bill && difference.records) this.#addPair(difference.bill, difference.records);
      else this.#found.push(difference);
    }
    // Surplus rows come after pairs.
    if (differences.at(-1)?.kind === 'duplicate') this.counts.duplicates++;
  }

  #addOnly(bill: readonly ComparedRow[], records: readonly ComparedRow[]): void {
    this.counts.onlyInBill += bill.length;
    this.counts.onlyInRecords += records.length;
    for (const row of bill) {
      this.#causes.addKey('bill', row.key);
      this.#found.push({ kind: 'only-in-bill', bill: row });
    }
    for (const row of records) {
      this.#causes.addKey('records', row.key);
      this.#found.push({ kind: 'only-in-records', records: row });
    }
  }

  #addNet(bill: readonly ComparedRow[], records: readonly ComparedRow[]): void {
    const [ours, theirs] = [netRow(bill), netRow(records)];
    this.#netRows += Math.max(0, bill.length - 1) + Math.max(0, records.length - 1);
    if (!ours || !theirs) {
      this.#addOnly(ours ? [ours] : [], theirs ? [theirs] : []);
      return;
    }
    this.#keys++;
    if (areEqual(ours, theirs, this.#options.tolerance)) this.counts.matched++;
    else this.#addPair(ours, theirs);
  }

  /**
   * The rows that were added up, and the causes of differences. Complete after {@link differences}.
   */
  notes(otherKey: string | undefined): string[] {
    return [
      ...(this.#netRows > 0
        ? [`--net added up ${counted(this.#netRows, 'row')} with another row of the same key`]
        : []),
      ...(this.#largeKeys > 0
        ? [
            `${this.#largeKeys} keys have more than ${BEST_PAIRS} rows: their pairs are found in the order of amounts, and a pair within the tolerance may be missed`,
          ]
        : []),
      ...this.#causes.notes(this.#keys, otherKey),
    ];
  }
}

/** The rows of a key as one: at the line of the first, with the sums of their amounts. */
function netRow(rows: readonly ComparedRow[]): ComparedRow | undefined {
  const [first] = rows;
  return first && rows.length > 1 ? { ...first, amounts: netAmounts(rows), rows } : first;
}

function textAt(bytes: Uint8Array, at: number): string {
  const start = at + 2;
  return Buffer.from(bytes.buffer, start, textLength(bytes, at)).toString('latin1');
}

export function compareDifferences(a: Difference, b: Difference): number {
  const [left, right] = [a.bill ?? a.records, b.bill ?? b.records];
  const [leftKey, rightKey] = [left?.key.join('\0') ?? '', right?.key.join('\0') ?? ''];
  if (leftKey !== rightKey) return leftKey < rightKey ? -1 : 1;
  return (left?.line ?? 0) - (right?.line ?? 0);
}
