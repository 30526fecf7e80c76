import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRows } from '../support/rows.ts';
import { fileOf, gzipped, jsonText, tableOf } from './support.ts';

const NAMES = ['order', 'note', 'amount'] as const;
const SEPARATORS = [',', ';', '\t', '|'] as const;

/** Texts without marks and white space around them, which are not part of a value. */
const field = fc
  .oneof(
    fc.constantFrom(
      '',
      '12.50',
      '"',
      '""',
      ',',
      ';',
      '|',
      'a\tb',
      'a\nb',
      'a\r\nb"c',
      '上海',
      '🚕',
    ),
    fc.string({ maxLength: 5 }),
  )
  .map((text) => (text === '' ? '' : `x${text}x`));
const rowsOf = fc.array(fc.tuple(fc.nat(999).map(String), field, field), {
  minLength: 1,
  maxLength: 12,
});
const size = fc.integer({ min: 1, max: 7 });

const style = fc.record({
  separator: fc.constantFrom(...SEPARATORS),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.boolean(),
  quotes: fc.boolean(),
  emptyLines: fc.boolean(),
  lastEnd: fc.boolean(),
});

it('reads the cells that csv-parse reads, with their lines, in any chunks', () =>
  fc.assert(
    fc.asyncProperty(rowsOf, style, size, fc.boolean(), async (rows, how, bytes, zip) => {
      const { separator, lineEnd, mark, quotes, emptyLines, lastEnd } = how;
      const quoted = (text: string): string =>
        quotes || /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      const lines = [NAMES, ...rows].map((row) => row.map(quoted).join(separator));
      const text = lines.join(emptyLines ? lineEnd + lineEnd : lineEnd) + (lastEnd ? lineEnd : '');
      const content = (mark ? '\ufeff' : '') + text;
      const table = await tableOf(fileOf(zip ? gzipped(content) : content, { size: bytes }), NAMES);
      const [names, ...cells] = parse(text, { delimiter: separator, skip_empty_lines: true });
      expect([table.columns, table.rows]).toEqual([names, cells]);
      const breaks = (from: readonly string[]) => from.join('').split('\n').length - 1;
      const starts = rows.map(
        (_, at) => 2 + at + breaks(lines.slice(0, at + 1)) + (emptyLines ? at + 1 : 0),
      );
      expect(table.lines).toEqual(starts);
    }),
    { seed: 20261123, numRuns: 200 },
  ));

it('reads JSON lines with their line numbers, in any chunks', () =>
  fc.assert(
    fc.asyncProperty(rowsOf, size, fc.nat(9), fc.boolean(), async (rows, bytes, blank, mark) => {
      const text = `${mark ? '\ufeff' : ''}${' \n'.repeat(blank)}${jsonText([NAMES, ...rows])}`;
      const table = await tableOf(fileOf(text, { size: bytes }));
      expect(table.columns).toEqual(NAMES);
      expect(table.rows).toEqual(rows);
      expect(table.lines).toEqual(rows.map((_, at) => blank + at + 1));
    }),
    { seed: 20261123, numRuns: 100 },
  ));

const JSON_VALUES = [
  ['12.50', '12.50'],
  ['1234567890123456789.01', '1234567890123456789.01'],
  ['"上\\u6d77"', '上海'],
  ['null', ''],
  ['false', 'false'],
  ['{"a": [1.0]}', '{"a":[1.0]}'],
] as const;

it('converts JSON values to fields, with all digits', () =>
  checkRows(JSON_VALUES, async ([json, text]) => {
    const { rows } = await tableOf(fileOf(`{"id":1,"value":${json}}\n`));
    expect(rows).toEqual([['1', text]]);
  }));

it('adds the columns of later JSON rows', async () => {
  const text = '{"order":1}\n{"order":2,"fee":3}\n\n{"note":"x","order":4}';
  const { columns, rows } = await tableOf(fileOf(text, { size: 5 }));
  expect(columns).toEqual(['order', 'fee', 'note']);
  expect(rows).toEqual([['1'], ['2', '3'], ['4', '', 'x']]);
});

/** A file, its columns, and its rows. */
const FILES: readonly (readonly [
  title: string,
  content: string | Buffer,
  columns: string[],
  rows: string[][],
])[] = [
  [
    'GB18030',
    Buffer.from('b3c7cad02cb6a9b5a50ac9cfbaa32c31320a', 'hex'),
    ['城市', '订单'],
    [['上海', '12']],
  ],
  ['UTF-16LE', Buffer.from('\ufeffa\tb\n上\t1\n', 'utf16le'), ['a', 'b'], [['上', '1']]],
  ['UTF-16BE', Buffer.from('\ufeffa\tb\n上\t1\n', 'utf16le').swap16(), ['a', 'b'], [['上', '1']]],
  ['a mark only at the beginning', '\ufeffa,b\n\ufeff1,2\n', ['a', 'b'], [['\ufeff1', '2']]],
  ['a header alone', 'order,amount\n\n', ['order', 'amount'], []],
  [
    'lines that end with CR',
    'a,b\r1,2\r3,4',
    ['a', 'b'],
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['the separator of Excel', 'sep=;\na;b,c\n1;2,5\n', ['a', 'b,c'], [['1', '2,5']]],
  ['a preface of one column', 'Bank\n\nKonto: 1\na,b\n1,2\n', ['a', 'b'], [['1', '2']]],
  [
    'a padded preface',
    'Account,1,\nBalance,2.00,\na,b,c\nx,y,3.00\n',
    ['a', 'b', 'c'],
    [['x', 'y', '3.00']],
  ],
  [
    'a preface that is longer than the table',
    `${'Name;Wert\n'.repeat(9)}a;b;c\nx;y;1,5\n`,
    ['a', 'b', 'c'],
    [['x', 'y', '1,5']],
  ],
  ['totals at the end', 'a,b\nx,1\n合计,1\n', ['a', 'b'], [['x', '1']]],
  [
    'a subtotal among the rows',
    'a,b\nx,1\n小计,1\ny,2\nTotal,3\n',
    ['a', 'b'],
    [
      ['x', '1'],
      ['y', '2'],
    ],
  ],
  ['a sum without a key', 'a,b\nx,1\n,1\n', ['a', 'b'], [['x', '1']]],
  [
    'a balance after rows that begin with a date',
    'day,b,c\n2026-11-20,x,1\nEnding balance,,9\n',
    ['day', 'b', 'c'],
    [['2026-11-20', 'x', '1']],
  ],
  [
    'remarks of another width',
    'a,b,c\nx,1,2\n#共1笔\n#导出, 时间, 1, 2\n',
    ['a', 'b', 'c'],
    [['x', '1', '2']],
  ],
  ['NUL at the end', `a,b\nx,1\n${'\0'.repeat(99)}`, ['a', 'b'], [['x', '1']]],
  ['lines of separators', 'a,b\n,\nx,1\n,\n\n,\n', ['a', 'b'], [['x', '1']]],
  [
    'a short row',
    'a,b,c\nx,1\ny,2,3\n',
    ['a', 'b', 'c'],
    [
      ['x', '1'],
      ['y', '2', '3'],
    ],
  ],
  [
    'a short last row',
    'a,b,c\nx,1.5,z\ny,2.5\n',
    ['a', 'b', 'c'],
    [
      ['x', '1.5', 'z'],
      ['y', '2.5'],
    ],
  ],
  ['a separator at the end of each line', 'a,b,\nx,1,\n', ['a', 'b'], [['x', '1', '']]],
  ['columns of one name', 'a,b,b\nx,1,2\n', ['a', 'b', 'b#2'], [['x', '1', '2']]],
  [
    'marks of Excel',
    'a,b\n`1,\'2\n="03","=""4"""\n',
    ['a', 'b'],
    [
      ['1', '2'],
      ['03', '4'],
    ],
  ],
  [
    'white space around values',
    ' a ,b\n\t1\t, 2 \n"3" ,4\n',
    ['a', 'b'],
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['one column', 'order_id\nA1\nA2\n', ['order_id'], [['A1'], ['A2']]],
];

it('recognises the shapes of tables, in any chunks', () =>
  checkRows(FILES, async ([, content, columns, rows]) => {
    for (const bytes of [1, 3, 1000]) {
      const table = await tableOf(fileOf(content, { size: bytes }));
      expect([table.columns, table.rows]).toEqual([columns, rows]);
    }
  }));

it('takes the line with the named columns for the header', async () => {
  const text = 'x,y\na,b\n1,2\n';
  expect((await tableOf(fileOf(text), ['b'])).columns).toEqual(['a', 'b']);
  expect((await tableOf(fileOf(text))).columns).toEqual(['x', 'y']);
});

it('follows the options that replace a guess', async () => {
  const latin1 = Buffer.from('Währung;Wert\nx;1\n', 'latin1');
  const windows = await tableOf(fileOf(latin1, { encoding: 'windows-1252' }));
  expect(windows.columns).toEqual(['Währung', 'Wert']);
  const text = 'a,b;c\n1,2;3\n';
  expect((await tableOf(fileOf(text, { delimiter: ';' }))).columns).toEqual(['a,b', 'c']);
  expect((await tableOf(fileOf('a,b\nc,d\n1,2\n', { headerLine: 2 }))).columns).toEqual(['c', 'd']);
  const table = await tableOf(fileOf('\n1,"2\n",3\n4,5,6\n', { header: false }));
  expect(table).toMatchObject({
    columns: ['1', '2', '3'],
    rows: [
      ['1', '2', '3'],
      ['4', '5', '6'],
    ],
    lines: [2, 4],
  });
});

it('chooses rows by values: alternatives of one column, all columns', async () => {
  const text = 'id,status,city\n1,PAID,A\n2,OPEN,A\n3,DONE,A\n4,PAID,B\n';
  const where = ['status=PAID', 'status=DONE', 'city=A'].map((filter) => {
    const [column = '', value = ''] = filter.split('=');
    return { column, value };
  });
  const { rows, notes } = await tableOf(fileOf(text, { where }));
  expect(rows.map(([id]) => id)).toEqual(['1', '3']);
  expect(notes).toEqual(['2 of 4 rows chosen: status=PAID, status=DONE, city=A']);
});

it('notes each guess and the skipped lines', async () => {
  const text = 'Bank;\nx;y;z\n1;2;3\n\n4;5\n小计;1;2\n7;8;9\nTotal;1;1\n';
  const { notes } = await tableOf(fileOf(text, { size: 9 }));
  expect(notes).toEqual([
    'read as: separated by semicolons, the header in line 2',
    'skipped: line 1, before the header; 1 line with totals (line 6, "小计"); 1 closing line from line 8: "Total, 1, 1"',
    '1 row has fewer fields than the header, first line 5: the missing fields are blank',
  ]);
  const doubtful = await tableOf(fileOf('1,2.50\n3,4.50\n'));
  expect(doubtful.notes).toEqual([
    'line 1 is read as the header although it contains "1": if it is a row, add --no-header',
  ]);
});
