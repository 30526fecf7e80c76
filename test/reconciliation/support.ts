import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { csvLine } from '../../src/reconciliation/csv-line.ts';
import type { RowsFile } from '../../src/reconciliation/rows-file.ts';

/** A file that is not on the disk. */
export function rowsFile(
  content: string | Uint8Array,
  {
    path = 'bill.csv',
    chunkBytes = 1 << 16,
    ...options
  }: Partial<RowsFile> & { chunkBytes?: number } = {},
): RowsFile {
  const bytes = Buffer.from(content);
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  return { path, content: Readable.from(chunks()), ...options };
}

export function csv(rows: readonly (readonly string[])[]): string {
  return rows.map(csvLine).join('');
}

/** Decimal digits of up to 30 places on each side of the point. */
export const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 30 }))
  .map(([units, scale]) => shifted(units, scale));

/** `units` × 10^-`scale` as digits. */
function shifted(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return (units < 0n ? '-' : '') + (scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`);
}

/** A number in units of 10^-60, which every {@link decimalText} is a multiple of. */
export function unitsOf(text: string): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(60, '0'));
}

/** Texts that need quotes, or look as if they did. */
export const field = fc.constantFrom(
  'a',
  'x,y',
  'a "quote"',
  'two\nlines',
  'two\r\nlines',
  ' space ',
  '北京',
  '😀',
  '',
);

/** The same rows in several forms of files. */
export const FORMS: Readonly<
  Record<string, (header: readonly string[], rows: readonly (readonly string[])[]) => RowsFile>
> = {
  csv: (header, rows) => rowsFile(csv([header, ...rows])),
  'csv in pieces of 3 bytes': (header, rows) => rowsFile(csv([header, ...rows]), { chunkBytes: 3 }),
  'csv with a mark, CRLF and empty lines': (header, rows) =>
    rowsFile(
      `\ufeff${[header, ...rows].map((row) => csvLine(row).replace(/\n$/, '\r\n\r\n')).join('')}`,
    ),
  'csv without a last line end': (header, rows) =>
    rowsFile(csv([header, ...rows]).replace(/\n$/, '')),
  'gzip of two members': (header, rows) => {
    const bytes = Buffer.from(csv([header, ...rows]));
    const half = bytes.length >> 1;
    return rowsFile(
      Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]),
    );
  },
  'csv without a header': (_, rows) => rowsFile(csv(rows), { header: false }),
  'json lines': (header, rows) =>
    rowsFile(
      rows
        .map((row) =>
          JSON.stringify(Object.fromEntries(row.map((value, at) => [header[at], value]))),
        )
        .join('\n'),
    ),
};
