import { TemporaryFile } from '../files/temporary-file.ts';
import { cellsOf } from './cell.ts';
import { compareDifferences } from './comparison.ts';
import { parseDecimal } from './decimal.ts';
import type { ComparedRow, Difference } from './pair-rows.ts';
import type { RowsFile } from './rows-file.ts';
import { Table } from './table.ts';
import { columnIndex } from './table-columns.ts';
import type { Cell } from './write-workbook.ts';

/** Keeps the first differences, and the lines of the rows that only one side has. */
export class DifferenceReport {
  count = 0;
  readonly onlyInBill = new LineSet();
  readonly onlyInRecords = new LineSet();
  readonly #limit: number;
  #first: Difference[] = [];
  /** Later differences are not among the first ones. */
  #last: Difference | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds all differences. Passes on those of keys that both sides have. */
  async *add(differences: AsyncIterable<Difference>): AsyncGenerator<Difference> {
    for await (const difference of differences) {
      this.count++;
      this.#keep(difference);
      const { kind, bill, records } = difference;
      if (kind === 'only-in-bill') this.onlyInBill.add(bill);
      else if (kind === 'only-in-records') this.onlyInRecords.add(records);
      else yield difference;
    }
  }

  #keep(difference: Difference): void {
    if (this.#last && compareDifferences(difference, this.#last) > 0) return;
    this.#first.push(difference);
    if (this.#first.length < 2 * this.#limit + 100) return;
    this.#first = [...this.first];
    this.#last = this.#first.at(-1);
  }

  get first(): readonly Difference[] {
    return this.#first.toSorted(compareDifferences).slice(0, this.#limit);
  }
}

/** Lines of files, one bit each. */
class LineSet {
  readonly #bits = new Map<string, Uint8Array>();

  add(row: ComparedRow | undefined): void {
    for (const { path, line } of row?.rows ?? (row ? [row] : [])) {
      let bits = this.#bits.get(path) ?? new Uint8Array(1024);
      if (line >> 3 >= bits.length) {
        const larger = new Uint8Array(2 * (line >> 3));
        larger.set(bits);
        bits = larger;
      }
      bits[line >> 3] = (bits[line >> 3] as number) | (1 << (line & 7));
      this.#bits.set(path, bits);
    }
  }

  hasFile(path: string): boolean {
    return this.#bits.has(path);
  }

  has(path: string, line: number): boolean {
    return (((this.#bits.get(path)?.[line >> 3] ?? 0) >> (line & 7)) & 1) === 1;
  }
}

export interface ReadableFile {
  readonly path: string;
  open(): RowsFile;
}

/**
 * Makes a file readable several times: a stream is stored first, in a file that the caller closes.
 */
export async function rereadable(file: RowsFile, spooled: TemporaryFile[]): Promise<ReadableFile> {
  const { path, content } = file;
  if (!content) return { path, open: () => file };
  const stored = await TemporaryFile.open('the input');
  spooled.push(stored);
  for await (const chunk of content) await stored.append(chunk);
  return { path, open: () => ({ ...file, content: stored.stream() }) };
}

/** Reads files again, and returns the whole rows of some lines, below the names of all columns. */
export async function* wholeRows(
  files: readonly ReadableFile[],
  columns: readonly (readonly string[])[],
  named: { readonly key: readonly string[]; readonly amounts: readonly string[] },
  lines: LineSet,
  signal: AbortSignal,
): AsyncGenerator<Cell[]> {
  const names = [...new Set(columns.flat())];
  yield names;
  for (const file of files) {
    if (!lines.hasFile(file.path)) continue;
    const table = await Table.open(file.open(), [...named.key, ...named.amounts], signal);
    table.key = named.key.map((name) => columnIndex(table, name));
    for await (const _ of table.blocks()) {
      const places = names.map((name) => table.columns.indexOf(name));
      while (table.next()) {
        if (!lines.has(file.path, table.row.line)) continue;
        const cells = cellsOf(table.row);
        yield places.map((place) => wholeCell(cells[place]));
      }
    }
  }
}

/** A cell of a whole row: an amount with decimals is a number, any other cell is unchanged. */
function wholeCell(text: string | undefined): Cell {
  const number = text?.includes('.') ? parseDecimal(text) : undefined;
  return text && number && text.length <= 15 ? { number: text } : text;
}
