import { randomUUID } from 'node:crypto';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ErrorCode, MopError } from '../../src/errors.ts';
import { cellsOf } from '../../src/reconciliation/cell.ts';
import type { RowsFile } from '../../src/reconciliation/rows-file.ts';
import { Table } from '../../src/reconciliation/table.ts';
import { temporaryDirectory } from '../support/cli.ts';

/** An exact number: `units` × 10^-`scale`. */
export interface Exact {
  readonly units: bigint;
  readonly scale: number;
}

/** The reference for numbers, independent of the code under test. */
export function exactOf(text: string): Exact {
  const [whole = '', fraction = ''] = text.trim().replace(/^\+/, '').split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

function unitsAt({ units, scale }: Exact, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

/** Two numbers, scaled to the larger number of decimals. */
export function aligned(a: Exact, b: Exact): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [unitsAt(a, scale), unitsAt(b, scale), scale];
}

export function textOf({ units, scale }: Exact): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

export function sumOf(texts: readonly string[]): string {
  let sum: Exact = { units: 0n, scale: 0 };
  for (const text of texts) {
    const [a, b, scale] = aligned(sum, exactOf(text));
    sum = { units: a + b, scale };
  }
  return textOf(sum);
}

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

/** A decimal number as text, most of them short and some of up to 40 digits. */
export const decimalText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '-', '+'),
    fc.oneof({ weight: 3, arbitrary: digits(1, 4) }, digits(14, 17), digits(1, 40)),
    fc.oneof(fc.constant(''), digits(2, 2), digits(1, 9), digits(1, 20)),
  )
  .map(([sign, whole, fraction]) => sign + whole + (fraction && `.${fraction}`));

/** A field in CSV, quoted if `always` or if necessary. */
function csvField(field: string, always: boolean): string {
  return always || /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

export interface CsvStyle {
  readonly lineEnd?: '\n' | '\r\n' | '\r';
  /** Begins with a byte order mark. */
  readonly mark?: boolean;
  /** Quotes every field. */
  readonly quotes?: boolean;
  /** An empty line before each row. */
  readonly emptyLines?: boolean;
  /** Ends the last row with a line break. */
  readonly lastEnd?: boolean;
}

export function csvText(rows: readonly (readonly string[])[], style: CsvStyle = {}): string {
  const { lineEnd = '\n', mark, quotes = false, emptyLines, lastEnd = true } = style;
  const lines = rows.map((row) => row.map((field) => csvField(field, quotes)).join(','));
  const text = lines.join(emptyLines ? lineEnd + lineEnd : lineEnd);
  return (mark ? '\ufeff' : '') + (emptyLines ? lineEnd : '') + text + (lastEnd ? lineEnd : '');
}

/** Rows as JSON lines of strings; the first row contains the member names. */
export function jsonText([names = [], ...rows]: readonly (readonly string[])[]): string {
  return rows
    .map(
      (row) => `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at]])))}\n`,
    )
    .join('');
}

/** A file in memory, in chunks of `size` bytes: like the output of a pipe. */
export function fileOf(
  content: string | Uint8Array,
  { path = 'rows', size, ...more }: Partial<RowsFile> & { readonly size?: number } = {},
): RowsFile {
  return { path, content: chunksOf(Buffer.from(content), size), ...more };
}

async function* chunksOf(bytes: Buffer, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Writes files of rows into a new directory, which is removed after the test. */
export async function filesWriter(): Promise<(content: string | Uint8Array) => Promise<string>> {
  const directory = await temporaryDirectory();
  return async (content) => {
    const path = join(directory, randomUUID());
    await writeFile(path, content);
    return path;
  };
}

export function gzipped(text: string | Uint8Array): Buffer {
  return gzipSync(text, { level: 1 });
}

/** The bytes of GB18030 for each character that two of them encode. */
const GB18030 = new Map<string, readonly number[]>();

/** A text in GB18030, as far as two bytes encode its characters. */
export function gb18030(text: string): Buffer {
  if (GB18030.size === 0) {
    const decoder = new TextDecoder('gb18030');
    for (let first = 0x81; first <= 0xfe; first++) {
      for (let second = 0x40; second <= 0xfe; second++) {
        const character = decoder.decode(Uint8Array.of(first, second));
        if ([...character].length === 1) GB18030.set(character, [first, second]);
      }
    }
  }
  return Buffer.from([...text].flatMap((each) => GB18030.get(each) ?? [...Buffer.from(each)]));
}

/** Runs `work` with a new directory as TMPDIR. */
export async function withTmpdir<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await temporaryDirectory();
  const { TMPDIR: before } = process.env;
  process.env.TMPDIR = directory;
  try {
    return await work(directory);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** All rows of a file with their lines, and the notes about it. */
export async function tableOf(file: RowsFile, named: readonly string[] = []) {
  const table = await Table.open(file, named);
  const rows: string[][] = [];
  const lines: number[] = [];
  for await (const _ of table.blocks()) {
    while (table.next()) {
      rows.push(cellsOf(table.row));
      lines.push(table.row.line);
    }
  }
  return { columns: [...table.columns], rows, lines, notes: table.notes };
}

export async function failureOf(work: Promise<unknown>): Promise<MopError> {
  try {
    await work;
  } catch (error) {
    return error as MopError;
  }
  throw new Error('nothing was thrown');
}

/** Expects a MopError with this message. */
export async function expectFailure(
  work: Promise<unknown>,
  message: string | RegExp,
  code: ErrorCode = 'usage',
): Promise<MopError> {
  const error = await failureOf(work);
  expect({ name: error.name, code: error.code, message: error.message }).toEqual({
    name: 'MopError',
    code,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
  expect(error.details.hint).toBeTruthy();
  return error;
}

export async function textsOf(directory: string, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
}

/**
 * The files of this process whose path begins with `path`, including deleted ones; only Linux lists
 * them.
 */
export async function openFiles(path: string): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const files = names.map((name) => join('/proc/self/fd', name));
  const targets = await Promise.all(files.map((file) => readlink(file).catch(() => '')));
  return files.filter((_, at) => targets[at]?.startsWith(path));
}
