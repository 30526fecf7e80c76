import { MopError, own, quoted } from '../errors.ts';
import { type Decimal, parseDecimal } from './decimal.ts';
import { KEY_FORMS, type KeyForm } from './key-forms.ts';
import type { Tolerance } from './pair-rows.ts';
import type { RowsFile } from './rows-file.ts';

export type Side = 'bill' | 'records';

/** A column by its names in the bill and in the records. */
export interface ColumnPair {
  readonly bill: string;
  readonly records: string;
}

/** Files of rows: paths, or paths with options. */
export type RowsFiles = string | RowsFile | readonly (string | RowsFile)[];

export interface CompareOptions {
  /** CSV, JSON lines or workbooks, plain, gzip or ZIP. */
  readonly bill: RowsFiles;
  readonly records: RowsFiles;
  /** The columns that identify an order; a name for both sides, or one for each. */
  readonly key: readonly (string | ColumnPair)[];
  /** The columns whose amounts must be equal. Default: none, so that only keys are compared. */
  readonly amounts?: readonly (string | ColumnPair)[] | undefined;
  /** Amounts are equal when they differ by at most this: `0.01`, or `1%` of the bill's. Default `0`. */
  readonly tolerance?: string | undefined;
  /** Multiply the amounts of the records by this, such as `0.01` for hundredths. */
  readonly factor?: string | undefined;
  /** Read blank amounts as this, such as `0`. Default: a blank amount equals only a blank one. */
  readonly blank?: string | undefined;
  /** Add up the rows of a key, on each side, before they are compared. */
  readonly net?: boolean | undefined;
  /** Ignore the case of keys. */
  readonly ignoreCase?: boolean | undefined;
  /** Ignore zeros at the beginning of keys. */
  readonly ignoreZeros?: boolean | undefined;
  /** Ignore the forms of dates, a decimal part `.0` and full-width characters in keys. */
  readonly ignoreFormat?: boolean | undefined;
  /** A directory for `only-in-bill.csv`, `only-in-records.csv` and `different.csv`, or a file `.xlsx`. */
  readonly out?: string | undefined;
  /** The permissions of those files, such as `0o600`. Default: decided by the umask. */
  readonly outMode?: number | undefined;
  /** Begin the CSV files with a byte order mark, for Excel. */
  readonly bom?: boolean | undefined;
  /** Translates the labels and sheet names of a workbook. Default: English. */
  readonly label?: ((text: string) => string) | undefined;
  /** The number of differences to return. Default 20. */
  readonly limit?: number | undefined;
  /** Stops the comparison, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of rows read so far, on both sides together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** Reads the options that are texts; throws `usage` for one that is not a number of its kind. */
export function readOptions(options: CompareOptions) {
  return {
    forms: ignoredForms(options),
    tolerance: parseTolerance(options.tolerance),
    blank: parseNumber('value of blank cells', options.blank, '0'),
    factor: parseFactor(options.factor),
  };
}

export function columnsOf(side: Side, { key, amounts = [] }: CompareOptions) {
  const named = (column: string | ColumnPair) =>
    typeof column === 'string' ? column : column[side];
  return { key: key.map(named), amounts: amounts.map(named) };
}

function ignoredForms({ ignoreCase, ignoreZeros, ignoreFormat }: CompareOptions): KeyForm[] {
  const ignored: Readonly<Record<string, boolean | undefined>> = {
    '--ignore-case': ignoreCase,
    '--ignore-zeros': ignoreZeros,
    '--ignore-format': ignoreFormat,
  };
  return KEY_FORMS.filter(({ option }) => ignored[option]);
}

function parseFactor(text: string | undefined): Decimal | undefined {
  const factor = parseNumber('factor', text, '0.01');
  if (!factor || Number(factor.units) !== 0) return factor;
  throw new MopError('usage', `the factor ${JSON.stringify(text)} makes all amounts equal`, {
    hint: 'write a factor such as 0.01',
  });
}

function parseNumber(name: string, text: string | undefined, example: string): Decimal | undefined {
  if (text === undefined) return undefined;
  const number = parseDecimal(text);
  if (number) return number;
  throw new MopError('usage', `the ${name} ${JSON.stringify(text)} is not a decimal number`, {
    hint: quoted`write it as digits, such as ${own(example)}`,
  });
}

function parseTolerance(text: string | undefined): Tolerance | undefined {
  if (text === undefined) return undefined;
  const isPart = text.trim().endsWith('%');
  const number = parseDecimal(isPart ? text.trim().slice(0, -1) : text);
  if (number && number.units >= 0) {
    if (!isPart) return { kind: 'amount', amount: number };
    return { kind: 'part', part: { ...number, scale: number.scale + 2 } };
  }
  const message = `the tolerance ${JSON.stringify(text)} is not a decimal number of 0 or more`;
  throw new MopError('usage', message, { hint: 'write a tolerance such as 0.01 or 1%' });
}
