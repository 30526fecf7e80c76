import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MopError } from '../../src/errors.ts';
import { summarizeBill } from '../../src/reconciliation/summarize-bill.ts';
import { filesWriter, gb18030, sumOf } from './support.ts';

const DIGITS = /^-?\d+\.\d\d$/;

/** Puts a separator between groups of three digits, and a decimal mark. */
function grouped(digits: string, separator: string, mark: string): string {
  const [whole = '', fraction = ''] = digits.split('.');
  return whole.replace(/\B(?=(?:\d{3})+$)/g, separator) + mark + fraction;
}

/** How a file writes its amounts. */
const NOTATIONS: Readonly<Record<string, (digits: string) => string>> = {
  plain: (digits) => digits,
  thousands: (digits) => grouped(digits, ',', '.'),
  german: (digits) => grouped(digits, '.', ','),
  french: (digits) => grouped(digits, '\u00a0', ','),
  swiss: (digits) => grouped(digits, '’', '.'),
  comma: (digits) => digits.replace('.', ','),
  euro: (digits) => `${grouped(digits, '.', ',')} €`,
  yuan: (digits) => `${digits}元`,
  yen: (digits) => `￥${digits}`,
  code: (digits) => `CNY ${digits}`,
  dollar: (digits) => digits.replace(/^(-?)/, '$1$'),
  parentheses: (digits) => digits.replace(/^-(.*)$/, '($1)'),
  trailingMinus: (digits) => digits.replace(/^-(.*)$/, '$1-'),
  unicodeMinus: (digits) => digits.replace('-', '−'),
  plus: (digits) => digits.replace(/^(?=\d)/, '+'),
  fullWidth: (digits) =>
    digits.replace(/[\d.-]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0)),
};

/** How a file keeps Excel from changing its cells. */
const MARKS: Readonly<Record<string, (text: string) => string>> = {
  none: (text) => text,
  backtick: (text) => `\`${text}`,
  apostrophe: (text) => `'${text}`,
  formula: (text) => `="${text}"`,
  spaces: (text) => ` ${text}  `,
};

const TEXTS = ['pending', '0.60%', '12.5O', '1e3', '2026-11-20', '免费', '#REF!', '1,2,3'];

const digits = fc
  .tuple(
    fc.constantFrom('', '', '-'),
    fc.oneof(fc.nat(9), fc.nat(9999), fc.nat(9_999_999)),
    fc.nat(99),
  )
  .map(([sign, whole, cents]) => `${sign}${whole}.${`${cents}`.padStart(2, '0')}`);

/** A cell: an amount in the notation of the file, a blank, or a text that is not an amount. */
const cell = fc.oneof(
  { weight: 20, arbitrary: digits },
  { weight: 3, arbitrary: fc.constantFrom('', '-', '--', 'N/A', 'NULL', '\\N') },
  { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
);

const COLUMNS = { id: '编号', city: '城市', time: '时间', note: '备注' } as const;

const shape = fc.record({
  /** Columns before and after the amount. */
  around: fc.constantFrom<readonly [before: string[], after: string[]]>(
    [['id'], []],
    [['id', 'city'], ['note']],
    [
      ['time', 'id'],
      ['note', 'city'],
    ],
    [['note', 'id'], ['time']],
    [[], ['city', 'note']],
    [[], ['note']],
  ),
  rows: fc.array(
    fc.record({
      amount: cell,
      city: fc.constantFrom('北京', '上海', 'x y', 'a"b', 'p,q;r|s\tt', 'two\nlines'),
      note: fc.constantFrom('', '', '补 单', '0'),
    }),
    { minLength: 1, maxLength: 9 },
  ),
  notation: fc.constantFrom(...Object.keys(NOTATIONS)),
  mark: fc.constantFrom('none', 'none', ...Object.keys(MARKS)),
  separator: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8-mark', 'utf16le', 'utf16be', 'gb18030'),
  preface: fc.array(
    fc.constantFrom('账单', '', '#-----列表-----', '起始日期：[2026-11-01]', 'padded'),
    { maxLength: 4 },
  ),
  closing: fc.array(fc.constantFrom('total', 'padded', 'count', 'remark', 'empty', 'separators'), {
    maxLength: 3,
  }),
  lastEnd: fc.boolean(),
  quotes: fc.boolean(),
  /** Another column with the name of the amount. */
  doubled: fc.boolean(),
  /** Rows lack the empty fields at their end. */
  short: fc.boolean(),
  /** A separator ends each line. */
  trailing: fc.boolean(),
});

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;
type Column = keyof typeof COLUMNS | 'amount' | 'other';

function columnsOf({ around: [before, after], doubled }: Shape): Column[] {
  return [...before, 'amount', ...(doubled ? ['other'] : []), ...after] as Column[];
}

/** The text of a file, and the line of each row. */
function textOf(given: Shape): { readonly text: string; readonly lines: readonly number[] } {
  const { notation, separator, lineEnd, quotes, short, trailing } = given;
  const columns = columnsOf(given);
  const write = NOTATIONS[notation] ?? String;
  const mark = MARKS[given.mark] ?? String;
  const field = (text: string): string =>
    (quotes && text !== '' && !text.startsWith('=')) ||
    /["\n]/.test(text) ||
    text.includes(separator)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const line = (cells: readonly string[]) =>
    cells.map(field).join(separator) + (trailing ? separator : '');
  const padded = (text: string) => text + separator.repeat(columns.length - 1 + Number(trailing));
  const names = columns.map((name) => (COLUMNS as Record<string, string>)[name] ?? '金额');
  const texts = [
    ...given.preface.map((each) => (each === 'padded' ? padded('昵称：[x]') : each)),
    line(names),
  ];
  const lines: number[] = [];
  const last = columns.at(-1);
  // A file of which every row is short is in silent-shapes.test.ts.
  const isShort =
    short &&
    !trailing &&
    given.rows.some((row) => (last === 'note' || last === 'amount' ? row[last] !== '' : true));
  let breaks = 0;
  for (const [at, { amount, city, note }] of given.rows.entries()) {
    lines.push(texts.length + 1 + breaks);
    const values: Record<Column, string> = {
      id: `A${100 + at}`,
      city: lineEnd === '\r' ? city.replace('\n', ' ') : city,
      time: `2026-11-${10 + at} 10:00:00`,
      note,
      amount: DIGITS.test(amount) ? write(amount) : amount,
      other: '7.77',
    };
    const cells = columns.map((name) => (values[name] === '' ? '' : mark(values[name])));
    while (isShort && cells.length > 1 && cells.at(-1) === '') cells.pop();
    texts.push(line(cells));
    if (lineEnd !== '\r') breaks += cells.join('').split('\n').length - 1;
  }
  const endings: Readonly<Record<string, string>> = {
    total: `合计${separator}1.00`,
    padded: padded('Total'),
    count: `共${given.rows.length}笔`,
    remark: '#导出时间：[2026年11月20日]',
    empty: '',
    separators: padded(''),
  };
  texts.push(...given.closing.map((each) => endings[each] ?? ''));
  return { text: texts.join(lineEnd) + (given.lastEnd ? lineEnd : ''), lines };
}

function bytesOf(text: string, encoding: Shape['encoding']): Buffer {
  const utf16 = () => Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'utf16le') return utf16();
  if (encoding === 'utf16be') return utf16().swap16();
  if (encoding === 'gb18030') return gb18030(text.replaceAll('\u00a0', ' ').replaceAll('−', '-'));
  return Buffer.from(encoding === 'utf8' ? text : `\ufeff${text}`);
}

/** The rows that are not padding, from the shape alone. */
function rowsOf(given: Shape, lines: readonly number[]) {
  const columns = columnsOf(given);
  return given.rows.flatMap((row, at) => {
    const isFilled = columns.some((name) => !['amount', 'note'].includes(name));
    const isRow = isFilled || row.amount !== '' || row.note !== '';
    return isRow ? [{ ...row, line: lines[at] }] : [];
  });
}

/** The contract: exact rows and sums, or a note or an error with the line and the text of a cell. */
it('has the right rows and sum, or names the line and the text of a cell', async () => {
  const write = await filesWriter();
  await fc.assert(
    fc.asyncProperty(shape, async (given) => {
      const { text, lines } = textOf(given);
      const path = await write(bytesOf(text, given.encoding));
      const rows = rowsOf(given, lines);
      const amounts = rows.map(({ amount }) => amount).filter((each) => DIGITS.test(each));
      const odd = rows.find(({ amount }) => TEXTS.includes(amount));
      const summary = await summarizeBill([path]).catch((error: unknown) => {
        if (error instanceof MopError) return error;
        throw error;
      });
      if (summary instanceof MopError) {
        expect(summary.message).toMatch(/line \d+/);
        return;
      }
      const [{ rows: count = 0, columns = [], notes = [] } = {}] = summary.files;
      const sum = columns.find(({ name }) => name === '金额')?.sum;
      const isAnySum = odd === undefined && amounts.length > 0;
      const isNamed =
        odd === undefined ||
        amounts.length === 0 ||
        notes.some((note) => note.includes(`line ${odd.line}: ${JSON.stringify(odd.amount)}`));
      if (count === rows.length && isNamed && sum === (isAnySum ? sumOf(amounts) : undefined))
        return;
      const named = notes.filter((note) => /line \d+(?::|, )? ?.*"/.test(note));
      expect(named, `${text}\n${count} rows, sum ${sum}\n${notes.join('\n')}`).not.toEqual([]);
    }),
    { seed: 20261128, numRuns: 100 },
  );
});
