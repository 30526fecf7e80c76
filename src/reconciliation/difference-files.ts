import { join } from 'node:path';
import { AtomicFile, sweepAtomicFiles } from '../files/atomic-file.ts';
import { csvLine } from './csv-line.ts';
import { amountDifference } from './decimal.ts';
import type { Difference } from './match-rows.ts';

/** The columns in the headers. */
export interface DifferenceColumns {
  /** All columns of the bill, and of the records. */
  readonly bill: readonly string[];
  readonly records: readonly string[];
  /** The compared columns, by their names in the bill. */
  readonly key: readonly string[];
  readonly amounts: readonly string[];
}

/**
 * The files of a comparison, as CSV in UTF-8: `only-in-bill.csv` and `only-in-records.csv` with
 * whole rows, `different.csv` with the amounts of both sides, also for duplicates.
 */
export class DifferenceFiles {
  readonly #directory: string;
  readonly #files: CsvFiles;

  private constructor(directory: string, files: CsvFiles) {
    this.#directory = directory;
    this.#files = files;
  }

  /**
   * Opens temporary files in `directory`, which is created as needed.
   *
   * @param mode The permissions of the files.
   * @throws {MopError} `io`
   */
  static async open(
    directory: string,
    { bill, records, key, amounts }: DifferenceColumns,
    mode: number | undefined,
  ): Promise<DifferenceFiles> {
    await sweepAtomicFiles(directory, Date.now());
    const amountColumns = amounts.flatMap((name) =>
      ['bill', 'records', 'difference'].map((side) => `${name}_${side}`),
    );
    const open = async (header: readonly string[]): Promise<CsvFile> => {
      const file = new CsvFile(await AtomicFile.open(directory, mode));
      await file.write(csvLine(header));
      return file;
    };
    return new DifferenceFiles(directory, {
      'only-in-bill': await open(bill),
      'only-in-records': await open(records),
      different: await open([...key, ...amountColumns, 'bill_line', 'records_line', 'kind']),
    });
  }

  /** @throws {MopError} `io`, when the disk is full. */
  async add(difference: Difference): Promise<void> {
    const { kind, bill, records } = difference;
    if (kind === 'only-in-bill' || kind === 'only-in-records') {
      await this.#files[kind].write((bill ?? records)?.row ?? '');
    } else {
      await this.#files.different.write(differenceLine(difference));
    }
  }

  /**
   * Replaces the files of an earlier comparison.
   *
   * @throws {MopError} `io`
   */
  async place(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.flush();
    for (const [name, file] of Object.entries(this.#files)) {
      await file.place(join(this.#directory, `${name}.csv`));
    }
  }

  /** Removes the files that were not placed. */
  async discard(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.discard();
  }
}

/** The files by their names without `.csv`. */
type CsvFiles = Readonly<Record<'only-in-bill' | 'only-in-records' | 'different', CsvFile>>;

function differenceLine({ kind, bill, records }: Difference): string {
  const { key = [], amounts = [] } = bill ?? records ?? {};
  const fields = amounts.flatMap((_, index) => {
    const [inBill, inRecords] = [bill?.amounts[index], records?.amounts[index]];
    return [inBill, inRecords, amountDifference(inBill, inRecords)];
  });
  return csvLine([...key, ...fields, lineText(bill), lineText(records), kind]);
}

function lineText(row: { readonly line: number } | undefined): string {
  return row ? String(row.line) : '';
}

const BUFFERED_CHARACTERS = 64 * 1024;

/** A file whose lines are buffered. */
class CsvFile {
  readonly #file: AtomicFile;
  #lines = '';

  constructor(file: AtomicFile) {
    this.#file = file;
  }

  async write(line: string): Promise<void> {
    this.#lines += line;
    if (this.#lines.length >= BUFFERED_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    await this.#file.write(Buffer.from(this.#lines));
    this.#lines = '';
  }

  place(target: string): Promise<void> {
    return this.#file.place(target);
  }

  discard(): Promise<void> {
    return this.#file.discard();
  }
}
