import { AmountColumn, mayBeAmount } from './amount-column.ts';
import { Cell } from './cell.ts';
import { ColumnTotal } from './column-total.ts';
import type { Group, RowGroups } from './row-groups.ts';
import type { RowsFile } from './rows-file.ts';
import { columnIndex, guessNotes, notAnAmount, type Table } from './table.ts';

/** The columns of a summary, by their names. */
export interface SummaryColumns {
  /** The rows are grouped by their values. */
  readonly by?: readonly string[] | undefined;
  /** The columns to add up. Default: each column of amounts. */
  readonly sum?: readonly string[] | undefined;
}

/** A column of a file. */
interface SummaryColumn {
  readonly index: number;
  readonly name: string;
  readonly amounts: AmountColumn;
  readonly total: ColumnTotal;
  /** The number of amounts. */
  count: number;
  /** The line of the first cell that is not an amount, its text, and the reason. */
  faultLine: number;
  faultText: string;
  fault: string;
  /** The line of the first whole number that is too long for an amount, and its text. */
  identifierLine: number;
  identifier: string;
  /** The line of the first cell that is blank, but not empty, and its text. */
  blankLine: number;
  blank: string;
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

/** Whole numbers of this many digits are never amounts: they need no note. */
const SURE_DIGITS = 15;

/** The sums of the columns of one file. It also adds the rows to their groups. */
export class TableSummary {
  rows = 0;
  readonly #table: Table;
  readonly #file: RowsFile;
  readonly #groups: RowGroups;
  readonly #by: readonly number[];
  readonly #selected: boolean;
  readonly #columns: SummaryColumn[] = [];
  readonly #cell = new Cell();

  constructor(table: Table, file: RowsFile, groups: RowGroups, { by = [], sum }: SummaryColumns) {
    this.#table = table;
    this.#file = file;
    this.#groups = groups;
    this.#by = by.map((name) => columnIndex(table, name));
    this.#selected = sum !== undefined;
    for (const name of new Set(sum)) this.#addColumn(columnIndex(table, name));
  }

  #addColumn(index: number): void {
    const amounts = new AmountColumn(this.#file.decimal, this.#table.separator);
    for (const row of this.#table.samples) amounts.learn(row[index] ?? '');
    const name = this.#table.columns[index] ?? '';
    const total = new ColumnTotal();
    const none = {
      count: 0,
      faultLine: 0,
      faultText: '',
      fault: '',
      identifierLine: 0,
      identifier: '',
      blankLine: 0,
      blank: '',
    };
    this.#columns.push({ index, name, amounts, total, ...none });
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
      for (const column of this.#columns) this.#readCell(column, group);
    }
  }

  #readCell(column: SummaryColumn, group: Group | undefined): void {
    const cell = this.#cell;
    cell.read(this.#table.row, column.index);
    // A column that is not added up is read until one amount is found: it is worth a note.
    if (cell.end === cell.start) return;
    if (column.faultLine > 0 && (column.count > 0 || !mayBeAmount(cell))) return;
    const { amounts, total } = column;
    const kind = amounts.read(cell);
    if (kind === 'text') this.#noteText(column);
    else if (kind === 'blank') {
      if (column.blankLine === 0) {
        column.blankLine = this.#table.row.line;
        column.blank = cell.text;
      }
    } else {
      column.count++;
      if (column.faultLine > 0) return;
      if (kind === 'identifier' && !this.#selected) {
        this.#noteIdentifier(column);
        return;
      }
      total.add(kind, amounts);
      if (group) this.#groups.add(group, column.name, kind, amounts);
    }
  }

  #noteIdentifier(column: SummaryColumn): void {
    if (column.identifierLine > 0) return;
    column.identifierLine = this.#table.row.line;
    column.identifier = this.#cell.text;
  }

  #noteText(column: SummaryColumn): void {
    if (column.faultLine > 0) return;
    const { text } = this.#cell;
    const { fault } = column.amounts;
    if (this.#selected) throw notAnAmount(this.#table, column.index, text, fault);
    column.faultLine = this.#table.row.line;
    column.fault = fault;
    column.faultText = text;
  }

  /** The currency of each column in which it is written beside amounts. */
  currencies(): Map<string, string> {
    return new Map(
      this.#columns.flatMap(({ name, amounts: { currency } }) =>
        currency === undefined ? [] : [[name, currency] as const],
      ),
    );
  }

  /** All columns of the file; columns of amounts have a total. */
  columns(): [string, ColumnTotal | undefined][] {
    const totals = new Map(this.#columns.map((column) => [column.name, column]));
    return this.#table.columns.map((name) => {
      const column = totals.get(name);
      const hasSum =
        column?.faultLine === 0 &&
        column.identifierLine === 0 &&
        (this.#selected || !isIdentifier(column));
      return [name, hasSum ? column.total : undefined];
    });
  }

  /** Why columns with amounts have no sum, and how doubtful amounts were read. */
  notes(): string[] {
    return this.#columns.flatMap((column) => {
      const { name, amounts, count, faultLine, fault, blankLine, blank } = column;
      const { guess } = amounts;
      if (faultLine > 0) {
        const isAmount =
          count > 0
            ? amounts.hasFraction || (amounts.shortest < SURE_DIGITS && !isIdentifierName(name))
            : UNKNOWN_NOTATIONS.some((pattern) => pattern.test(column.faultText));
        return isAmount
          ? [
              `${name} is not added up: line ${faultLine}: ${JSON.stringify(column.faultText)} ${fault}`,
            ]
          : [];
      }
      if (column.identifierLine > 0 && amounts.hasFraction) {
        const { identifierLine: line, identifier } = column;
        return [
          `${name} is not added up: line ${line}: ${JSON.stringify(identifier)} looks like an identifier; to add it up: --sum ${name}`,
        ];
      }
      if (count === 0 && blankLine > 0) {
        return [`${name} has no amounts: line ${blankLine} and others are blank (${blank})`];
      }
      if (!this.#selected && isIdentifier(column)) {
        const isSure = isIdentifierName(name) || amounts.shortest >= SURE_DIGITS;
        return isSure
          ? []
          : [
              `${name} is not added up: its whole numbers look like identifiers; to add it up: --sum ${name}`,
            ];
      }
      return guessNotes(this.#table, name, guess);
    });
  }
}

/** Whether the whole numbers of a column are identifiers. */
function isIdentifier({ name, amounts, count }: SummaryColumn): boolean {
  if (count === 0 || amounts.hasFraction) return false;
  return amounts.hasIdentifier || isIdentifierName(name);
}
