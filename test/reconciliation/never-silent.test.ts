import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { fileOf, sumOf } from './support.ts';

/** How a file writes its amounts. */
const NOTATIONS: Readonly<Record<string, (digits: string) => string>> = {
  plain: (digits) => digits,
  thousands: (digits) => digits.replace(/\B(?=(?:\d{3})+\.)/g, ','),
  german: (digits) =>
    digits
      .replace('.', ';')
      .replace(/\B(?=(?:\d{3})+;)/g, '.')
      .replace(';', ','),
  french: (digits) => digits.replace(/\B(?=(?:\d{3})+\.)/g, '\u00a0').replace('.', ','),
  yuan: (digits) => `${digits}元`,
  dollar: (digits) => digits.replace(/^(-?)/, '$1$'),
  parentheses: (digits) => digits.replace(/^-(.*)$/, '($1)'),
  trailingMinus: (digits) => digits.replace(/^-(.*)$/, '$1-'),
  fullWidth: (digits) =>
    digits.replace(/[\d.-]/g, (character) =>
      String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
    ),
  marked: (digits) => `\`${digits}`,
  formula: (digits) => `="${digits}"`,
};

const digits = fc
  .tuple(fc.constantFrom('', '', '-'), fc.nat(9_999_999), fc.nat(99))
  .map(([sign, whole, cents]) => `${sign}${whole}.${`${cents}`.padStart(2, '0')}`);

const TEXTS = ['pending', '0.60%', '12.5O', '1e3', '2026-11-20'];

/** A cell: an amount in the notation of the file, a blank, or a text that is not an amount. */
const cell = fc.oneof(
  { weight: 12, arbitrary: digits },
  { weight: 2, arbitrary: fc.constantFrom('', '-', 'N/A', 'NULL', '\\N') },
  { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
);

const shape = fc.record({
  rows: fc.array(fc.tuple(fc.constantFrom('北京', '上海', 'x y', 'a"b'), cell), {
    minLength: 1,
    maxLength: 9,
  }),
  notation: fc.constantFrom(...Object.keys(NOTATIONS)),
  separator: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom('utf8', 'utf8-mark', 'utf16le'),
  preface: fc.constantFrom([], ['账单'], ['Bank', '', 'Konto: 12345'], ['#-----列表-----']),
  closing: fc.constantFrom([], ['合计'], ['Total'], ['共2笔'], ['', '#导出时间：[2026年]']),
  lastEnd: fc.boolean(),
  quotes: fc.boolean(),
  size: fc.integer({ min: 1, max: 5000 }),
});

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function contentOf(given: Shape): Buffer {
  const { rows, notation, separator, lineEnd, encoding, preface, closing, quotes } = given;
  const write = NOTATIONS[notation] ?? String;
  const field = (text: string): string =>
    quotes || text.includes(separator) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const table = [
    ['编号', '城市', '金额'],
    ...rows.map(([city, text], at) => [
      `A${at}`,
      city,
      /^-?\d+\.\d\d$/.test(text) ? write(text) : text,
    ]),
  ];
  const lines = [...preface, ...table.map((row) => row.map(field).join(separator)), ...closing];
  const text = lines.join(lineEnd) + (given.lastEnd ? lineEnd : '');
  if (encoding === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(encoding === 'utf8' ? text : `\ufeff${text}`);
}

/** The contract: the sum of a plain reference, or a note or an error with line and text of a cell. */
it('has the right sum, or names the line and the text of a cell', () =>
  fc.assert(
    fc.asyncProperty(shape, async (given) => {
      const content = contentOf(given);
      const texts = given.rows.map(([, text]) => text);
      const amounts = texts.filter((text) => /^-?\d+\.\d\d$/.test(text));
      const first = texts.findIndex((text) => TEXTS.includes(text));
      const summary = await summarizeBill([fileOf(content, { size: given.size })]).catch(
        (error) => {
          if (error instanceof MopError) return error;
          throw error;
        },
      );
      if (summary instanceof MopError) {
        expect(summary.message).toMatch(/line \d+|rows is/);
        return;
      }
      const [file] = summary.files;
      const column = file?.columns.find(({ name }) => name === '金额');
      expect(file?.rows).toBe(texts.length);
      if (first !== -1 && amounts.length > 0) {
        const line = given.preface.length + first + 2;
        expect(column?.sum).toBeUndefined();
        expect(file?.notes.join('\n')).toContain(`line ${line}: ${JSON.stringify(texts[first])}`);
      } else if (amounts.length > 0) expect(column?.sum).toBe(sumOf(amounts));
    }),
    { seed: 20261128, numRuns: 150 },
  ));
