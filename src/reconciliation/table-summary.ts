import { own, quoted } from '../errors.ts';
import { type AmountColumn, mayBeAmount } from './amount-column.ts';
import { Cell } from './cell.ts';
import { ColumnTotal, type Group, type RowGroups } from './column-total.ts';
import type { Table } from './table.ts';
import { columnIndex, guessNotes, notAnAmount } from './table-columns.ts';

/** The columns of a summary, by their names. */
export interface SummaryColumns {
  /** The rows are grouped by their values. */
  readonly by?: readonly string[] | undefined;
  /** The columns to add up. Default: each column of amounts. */
  readonly sum?: readonly string[] | undefined;
}

interface FoundCell {
  readonly line: number;
  readonly text: string;
}

interface SummaryColumn {
  readonly index: number;
  readonly name: string;
  readonly amounts: AmountColumn;
  readonly total: ColumnTotal;
  count: number;
  fault?: FoundCell & { readonly reason: string };
  /** A whole number that is too long for an amount. */
  identifier?: FoundCell;
  /** A cell that is blank, but not empty. */
  blank?: FoundCell;
}

/** Names of columns whose whole numbers identify something. */
const IDENTIFIER_NAMES = [
  /(?:^|[\s_.-])(?:id|ids|no|nr|number|code|order|serial|date|day|phone|mobile|tel|zip|year|month)$/i,
  /[a-z](?:Id|ID|No)$/,
  /单号|编号|流水号|商户号|手机|电话|日期|时间|序号|卡号/,
];

function isIdentifierName(name: string): boolean {
  return IDENTIFIER_NAMES.some((pattern) => pattern.test(name));
}

/** Texts that an accountant takes for amounts: with two decimals and a unit, or with an exponent. */
const UNKNOWN_NOTATIONS = [
  /^[^\p{L}%]*\d[.,]\d{1,2}(?![\d%]|[.,:/-]\d)[^%]*$/u,
  /^[-+]?\d+(?:[.,]\d+)?e[-+]?\d+$/i,
];

const MAX_NOTATION = 200;

/** Whole numbers of this many digits are never amounts: they need no note. */
const SURE_DIGITS = 15;

/** The sums of the columns of one file. It also adds the rows to their groups. */
export class TableSummary {
  rows = 0;
  readonly #table: Table;
  readonly #groups: RowGroups;
  readonly #by: readonly number[];
  readonly #selected: boolean;
  readonly #columns: SummaryColumn[] = [];
  readonly #cell = new Cell();

  constructor(table: Table, groups: RowGroups, { by = [], sum }: SummaryColumns) {
    this.#table = table;
    this.#groups = groups;
    this.#by = by.map((name) => columnIndex(table, name));
    this.#selected = sum !== undefined;
    for (const name of new Set(sum)) this.#addColumn(columnIndex(table, name));
  }

  #addColumn(index: number): void {
    const amounts = this.#table.amountColumn(index);
    const name = this.#table.columns[index] ?? '';
    this.#columns.push({ index, name, amounts, total: new ColumnTotal(), count: 0 });
  }

  readBlock(): void {
    const table = this.#table;
    while (table.next()) {
      this.rows++;
      // Rows of JSON add columns.
      while (!this.#selected && this.#columns.length < table.columns.length) {
        this.#addColumn(this.#columns.length);
      }
      const group = this.#by.length > 0 ? this.#groups.find(table, this.#by) : undefined;
      for (const column of this.#columns) {
        // The columns that a short row lacks would take quadratic time.
        if (column.index < table.row.width) this.#readCell(column, group);
        else if (!this.#selected) break;
      }
    }
  }

  #readCell(column: SummaryColumn, group: Group | undefined): void {
    const cell = this.#cell;
    cell.read(this.#table.row, column.index);
    if (cell.isEmpty) return;
    // A column that is not added up is read until one amount is found: it is worth a note.
    if (column.fault && (column.count > 0 || !mayBeAmount(cell))) return;
    const { amounts, total } = column;
    const kind = amounts.read(cell);
    if (kind === 'text') this.#noteText(column);
    else if (kind === 'blank') column.blank ??= this.#found();
    else {
      column.count++;
      if (column.fault) return;
      if (kind === 'identifier' && !this.#selected) {
        column.identifier ??= this.#found();
        return;
      }
      total.add(kind, amounts);
      if (group) this.#groups.add(group, column.name, kind, amounts);
    }
  }

  #found(): FoundCell {
    return { line: this.#table.row.line, text: this.#cell.text };
  }

  #noteText(column: SummaryColumn): void {
    if (column.fault) return;
    const { fault: reason } = column.amounts;
    const found = this.#found();
    if (this.#selected) throw notAnAmount(this.#table, column.index, found.text, reason);
    column.fault = { ...found, reason };
  }

  currencies(): Map<string, string> {
    return new Map(
      this.#columns.flatMap(({ name, amounts: { currency } }) =>
        currency === undefined ? [] : [[name, currency] as const],
      ),
    );
  }

  columns(): [string, ColumnTotal | undefined][] {
    const totals = new Map(this.#columns.map((column) => [column.name, column]));
    return this.#table.columns.map((name) => {
      const column = totals.get(name);
      const isAdded =
        column && !column.fault && !column.identifier && (this.#selected || !isIdentifier(column));
      return [name, isAdded ? column.total : undefined];
    });
  }

  /** The reasons for missing sums, and the readings of doubtful amounts. */
  notes(): string[] {
    return this.#columns.flatMap((column) => {
      const { name, amounts, count, fault, identifier, blank } = column;
      if (fault) {
        const text = JSON.stringify(fault.text);
        const note = `${name} is not added up: line ${fault.line}: ${text} ${fault.reason}`;
        return hasAmounts(column) ? [note] : [];
      }
      if (identifier && amounts.hasFraction) {
        const text = JSON.stringify(identifier.text);
        return [
          quoted`${own(name)} is not added up: line ${identifier.line}: ${own(text)} looks like an identifier; to add it up: --sum ${name}`,
        ];
      }
      if (count === 0 && blank) {
        return [`${name} has no amounts: line ${blank.line} and others are blank (${blank.text})`];
      }
      if (!this.#selected && isIdentifier(column)) {
        const isSure = isIdentifierName(name) || amounts.shortest >= SURE_DIGITS;
        const note = quoted`${own(name)} is not added up: its whole numbers look like identifiers; to add it up: --sum ${name}`;
        return isSure ? [] : [note];
      }
      return guessNotes(this.#table, name, amounts.guess);
    });
  }
}

/** Whether a column with other texts also has amounts, or texts that an accountant takes for amounts. */
function hasAmounts({ name, amounts, count, fault }: SummaryColumn): boolean {
  if (count === 0) {
    const text = fault?.text ?? '';
    return text.length <= MAX_NOTATION && UNKNOWN_NOTATIONS.some((pattern) => pattern.test(text));
  }
  return amounts.hasFraction || (amounts.shortest < SURE_DIGITS && !isIdentifierName(name));
}

function isIdentifier({ name, amounts, count }: SummaryColumn): boolean {
  if (count === 0 || amounts.hasFraction) return false;
  return amounts.hasIdentifier || isIdentifierName(name);
}
