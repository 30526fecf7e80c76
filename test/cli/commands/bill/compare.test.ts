import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MopError } from '../../../../src/errors.ts';
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { configuration, expectFailure, file } from '../../support.ts';

const BILL = 'order_id,city,paid,refund\n1,北京,12.50,0\n2,上海,20,0\n3,北京,5,1\n3,北京,5,1\n';
const RECORDS = 'id,sum,refund\n3,5.0,1.00\n1,12.5,0\n4,8,0\n2,20.01,0\n';
const KEY = ['--key', 'order_id=id'];
const AMOUNTS = ['--amount', 'paid=sum', '--amount', 'refund'];

const compare = (argv: readonly string[], world: CliWorld = {}) =>
  mop(['bill', 'compare', ...argv], world);

/** Compares a bill on standard input with a file of records. */
async function compareTexts(
  bill: string,
  records: string | Uint8Array,
  argv: readonly string[] = [...KEY, ...AMOUNTS],
  world: CliWorld = {},
) {
  return compare(['-', '--with', await file(records), ...argv], { stdin: bill, ...world });
}

describe('the report', () => {
  it('is one document with --json, and differences exit with 15', async () => {
    const argv = [...KEY, ...AMOUNTS, '--json'];
    const { code, stdout, stderr } = await compareTexts(BILL, RECORDS, argv);
    expect(code).toBe(15);
    expect(JSON.parse(stdout)).toMatchObject({
      matched: 2,
      only_in_bill: 0,
      only_in_records: 1,
      different: 1,
      duplicates: 1,
      sums: {
        bill: { paid: '42.50', refund: '2' },
        records: { sum: '45.51', refund: '1.00' },
      },
      differences: [
        {
          kind: 'different',
          key: ['2'],
          bill: { order_id: '2', paid: '20', refund: '0' },
          bill_line: 3,
          records: { id: '2', sum: '20.01', refund: '0' },
          records_line: 5,
        },
        { kind: 'duplicate', key: ['3'] },
        { kind: 'only-in-records', key: ['4'], records: { id: '4', sum: '8', refund: '0' } },
      ],
      notes: ['1 row would match with --tolerance 0.01: the amounts are rounded differently'],
    });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'differs', exit_code: 15 } });
  });

  it('begins with whether the bill balances', async () => {
    const balanced = await compareTexts('order_id,paid\n1,2.50\n', 'id,sum\n1,2.5\n', [
      ...KEY,
      '--amount',
      'paid=sum',
    ]);
    expect(balanced).toMatchObject({ code: 0, stderr: '' });
    expect(balanced.stdout.split('\n')[0]).toBe(
      'standard input balances: 1 row in both, with equal amounts',
    );
    const { stdout, stderr } = await compareTexts(BILL, RECORDS);
    expect(stdout).toBe(
      `standard input does not balance: 1 only in the records, 1 with different amounts, 1 duplicate key; 2 match

TOTAL      BILL  RECORDS  DIFFERENCE
rows          4        4           0
paid=sum  42.50    45.51       -3.01
refund        2     1.00        1.00

KEY  KIND             COLUMN    BILL  RECORDS  DIFFERENCE
2    different        paid=sum    20    20.01       -0.01
3    duplicate        paid=sum     5        -           -
4    only in records  paid=sum     -        8           -
`,
    );
    expect(stderr).toMatch(/mop: 3 differences between standard input and .*\nhint: --out DIR/);
  });

  it('does not report a balance when no amounts were compared', async () => {
    const { code, stdout } = await compareTexts('order_id,paid\n1,9\n', 'id,sum\n1,1\n', KEY);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe(
      'standard input: 1 row in both; amounts were not compared (add --amount)',
    );
  });

  it('shows 20 differences and counts the others', async () => {
    const rows = Array.from({ length: 32 }, (_, at) => `${at}\n`).join('');
    const { stdout, stderr } = await compareTexts(`order_id\n${rows}`, 'id\n', KEY);
    expect(stdout.match(/only in bill/g)).toHaveLength(20);
    expect(stderr).toMatch(/^12 more differences\nthe records have no rows\nmop: 32 differences/);
  });

  it('is not printed with --quiet', async () => {
    const { code, stdout, stderr } = await compareTexts(BILL, RECORDS, [...KEY, '--quiet']);
    expect({ code, stdout }).toEqual({ code: 15, stdout: '' });
    expect(stderr).toMatch(/^mop: 2 differences /);
  });

  it('makes control characters visible, and fits a narrow terminal', async () => {
    const world = { stdoutIsTerminal: true, columns: 40 };
    const argv = [...KEY, '--amount', 'paid=sum', '--no-color'];
    const { stdout } = await compareTexts('order_id,paid\n\u001b[2J,1\n', 'id,sum\n', argv, world);
    expect(stdout).not.toContain('\u001b');
    const [, ...lines] = stdout.split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });
});

it('writes the differences to --out, with the mode of the profile', async () => {
  const out = join(await temporaryDirectory(), 'out');
  const profile = { compare_key: 'order_id=id', compare_amount: 'paid=sum', bill_file_mode: '640' };
  const { env } = await configuration({ profiles: { default: profile } });
  const { code } = await compareTexts(BILL, RECORDS, ['--out', out], { env });
  expect(code).toBe(15);
  expect((await readdir(out)).sort()).toEqual([
    'different.csv',
    'only-in-bill.csv',
    'only-in-records.csv',
  ]);
  expect(await readFile(join(out, 'only-in-records.csv'), 'utf8')).toBe('id,sum,refund\n4,8,0\n');
  expect((await stat(join(out, 'different.csv'))).mode & 0o777).toBe(0o640);
});

it('takes key, amounts and encoding from the profile, or from options', async () => {
  const stored = {
    compare_key: 'order_id=id, city=城市',
    compare_amount: 'paid=sum',
    compare_encoding: 'gb18030',
  };
  const { env } = await configuration({ profiles: { default: stored } });
  // 城市 and 北京.
  const [city, beijing] = [
    [0xb3, 0xc7, 0xca, 0xd0],
    [0xb1, 0xb1, 0xbe, 0xa9],
  ].map((bytes) => Buffer.from(bytes));
  const gb = Buffer.concat([
    Buffer.from('id,sum,'),
    city as Buffer,
    Buffer.from('\n1,12.5,'),
    beijing as Buffer,
  ]);
  const bill = 'order_id,city,paid\n1,北京,12.50\n';
  expect(await compareTexts(bill, gb, [], { env })).toMatchObject({ code: 0 });
  const argv = ['--encoding', 'utf-8'];
  expectFailure(
    await compareTexts(bill, gb, argv, { env }),
    2,
    'line 1, column 8',
    '--encoding gb18030',
  );
  const options = ['--key', 'order_id=id', '--amount', 'paid=paid', '--encoding', 'utf-8'];
  const other = await compareTexts(bill, 'id,paid\n1,1\n', options, { env });
  expect(other.stdout).toMatch(/paid {3}12\.50 {8}1 {7}11\.50/);
});

it('accepts column numbers for a file without a header', async () => {
  const argv = ['--no-header', '--key', '1', '--amount', '3=2'];
  expect(await compareTexts('1,a,2.5\n', '1,2.50\n', argv)).toMatchObject({ code: 0 });
  const mixed = ['--no-header', '--key', 'order_id=1', '--amount', 'paid=2'];
  const bill = 'order_id,paid\n1,2.50\n';
  expect(await compareTexts(bill, '1,2.5\n', mixed)).toMatchObject({ code: 0 });
});

it('compares a bill of the sandbox with its records, by day', async () => {
  const bills = await temporaryDirectory();
  const sandbox = ['--env', 'sandbox'];
  await mop(['bill', 'fetch', '--type', 'paid', '-o', `${bills}/`, ...sandbox]);
  const { stdout: records } = await mop([
    'sandbox',
    'records',
    '--type',
    'paid',
    '--differences',
    '7',
  ]);
  const argv = ['yesterday', '--type', 'paid', '-o', bills, '--with', '-', ...sandbox];
  const columns = ['--key', 'order_id', '--amount', 'paid_amount', '--amount', 'refund_amount'];
  const { code, stdout } = await compare([...argv, ...columns, '--json'], { stdin: records });
  expect(code).toBe(15);
  expect(JSON.parse(stdout)).toMatchObject({
    only_in_bill: 2,
    only_in_records: 2,
    different: 3,
    duplicates: 0,
  });
  const text = await compare([...argv, ...columns], { stdin: records });
  expect(text.stdout).toMatch(/^2026-11-19 does not balance: /);
});

it.each<[string[], string, string]>([
  [['b.csv'], '--with is required', ''],
  [['b.csv', '--with', 'r.csv'], '--key is missing: the column that identifies an order', '--key'],
  [['b.csv', '--with', 'r.csv', '--key', '=id'], 'a column is missing in "=id"', 'COL'],
  [['-', '--with', '-', '--key', 'id'], 'standard input', ''],
  [
    ['b.csv', '--with', 'r.csv', '--key', 'id', '--tolerance', '1'],
    '--tolerance needs --amount',
    '',
  ],
  [['b.csv', '--with', 'r.csv', '--key', 'id', '--out', ''], '--out is empty', 'directory'],
  [['b.csv', '--with', 'r.csv', '--key', 'id', '-o', 'bills'], '-o', ''],
  [['yesterday', '--with', 'r.csv', '--key', 'id'], 'no bill of 2026-11-19', 'mop bill fetch'],
  [['b.csv', '--with', 'r.csv', '--key', 'id', '--encoding', 'latin1'], '--encoding must be ', ''],
])('%j ends with 2', async (argv, message, hint) => {
  expectFailure(await compare(argv), 2, message, hint);
});

it('writes nothing for invalid input', async () => {
  const out = join(await temporaryDirectory(), 'out');
  const argv = ['--key', 'order_id', '--amount', 'paid', '--out', out];
  for (const records of ['', 'order_id\n1\n', 'order_id,paid\n1,x\n']) {
    const result = await compareTexts(BILL, records, argv);
    expectFailure(result, 2, '');
  }
  await expect(readdir(out)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('ends after a signal', async () => {
  const out = join(await temporaryDirectory(), 'out');
  const reason = new MopError('interrupted', 'interrupted', { hint: 'start again' });
  const world = { signal: AbortSignal.abort(reason) };
  const { code } = await compareTexts(BILL, RECORDS, [...KEY, '--out', out], world);
  expect(code).toBe(130);
});

it.skipIf(process.platform === 'win32')('reads a pipe', async () => {
  const fifo = join(await temporaryDirectory(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const writing = mop(['bill', 'compare', fifo, '--with', await file('id\n1\n'), '--key', 'id']);
  execFileSync('sh', ['-c', `printf 'id\\n1\\n' > '${fifo}' &`], { stdio: 'ignore' });
  expect(await writing).toMatchObject({ code: 0 });
});

/** Bill, records, options, and the counts: matched, only in the bill, only in the records, different. */
const OPTIONS: readonly (readonly [string, string, string, readonly number[]])[] = [
  ['id,a\n1,2.50\n', 'id,a\n1,250\n', '--factor 0.01', [1, 0, 0, 0]],
  ['id,a\n1,2.50\n', 'id,a\n1,-2.5\n', '--factor -1', [1, 0, 0, 0]],
  ['id,a\n1,2\n1,-1\n2,3\n', 'id,a\n1,1\n2,3\n', '--net', [2, 0, 0, 0]],
  ['id,a\n1,\n2,3\n', 'id,a\n1,0\n2,3\n', '--blank 0', [2, 0, 0, 0]],
  ['id,a\n007,1\n', 'id,a\n7,1\n', '--ignore-zeros', [1, 0, 0, 0]],
  ['id,a\n2026-01-05,1\n', 'id,a\n2026/1/5,1\n', '--ignore-format', [1, 0, 0, 0]],
  ['id,a\n1.0,1\n', 'id,a\n１,1\n', '--ignore-format', [1, 0, 0, 0]],
  ['id,a\nx,1\n', 'id,a\nX,1\n', '--ignore-case', [1, 0, 0, 0]],
  ['id,a\n1,100\n2,100\n', 'id,a\n1,101\n2,101.01\n', '--tolerance 1%', [1, 0, 0, 1]],
  ['id,a,s\n1,1,x\n2,1,y\n', 'id,a\n1,1\n', '--where s=x', [1, 0, 0, 0]],
  [
    'id,a\n1,1\n',
    'id,a,s\n1,1,x\n2,1,y\n3,1,z\n',
    '--records-where s=x --records-where s=z',
    [1, 0, 1, 0],
  ],
  ['id,a\n1,1.5\n', 'x;y\nid;a\n1;1,5\n', '--header-line 2 --delimiter ;', [1, 0, 0, 0]],
  ['id,a\n1,1.234\n', 'id;a\n1;1,234\n', '--decimal ,', [1, 0, 0, 0]],
];

it.each(OPTIONS)('compares %j with %j and %s', async (bill, records, options, counts) => {
  const argv = ['--key', 'id', '--amount', 'a', '--json', ...options.split(' ')];
  const { code, stdout } = await compareTexts(bill, records, argv);
  const { matched, only_in_bill, only_in_records, different } = JSON.parse(stdout);
  expect([matched, only_in_bill, only_in_records, different]).toEqual(counts);
  const [, ...others] = counts;
  expect(code).toBe(others.every((count) => count === 0) ? 0 : 15);
});

/** Bill, records, and the note that names the cause. With its option, the rows match. */
const CAUSES: readonly (readonly [bill: string, records: string, note: string])[] = [
  ['id,a\n1,2.50\n2,1.00\n', 'id,a\n1,250\n2,100\n', '2 rows would match with --factor 0.01'],
  ['id,a\n1,2.50\n', 'id,a\n1,-2.50\n', '1 row would match with --factor -1'],
  ['id,a\n1,\n2,3\n', 'id,a\n1,0.00\n2,3\n', '1 row would match with --blank 0'],
  [
    'id,a\n1,2\n1,-1\n',
    'id,a\n1,1\n',
    '1 key has several rows whose sums are equal: add them up with --net',
  ],
  [
    'id,a\n007,1\n08,2\n',
    'id,a\n7,1\n8,2\n',
    '2 rows of the bill without a counterpart would match with --ignore-zeros',
  ],
  [
    'id,a\nx,1\n',
    'id,a\nX,1\n',
    '1 row of the bill without a counterpart would match with --ignore-case',
  ],
  [
    'id,a\n5.0,1\n',
    'id,a\n5,1\n',
    'would match with --ignore-format: they differ in a decimal part .0',
  ],
  [
    'id,a\n20261120,1\n',
    'id,a\n2026/11/20,1\n',
    'would match with --ignore-format: they differ in the form of dates',
  ],
  ['id,a\n0x,1\n', 'id,a\nX,1\n', 'would match with --ignore-case --ignore-zeros'],
  ['id,a\n2026-11-20,1\n', 'id,a\n11/20/2026,1\n', 'would match with --ignore-format'],
  ['id,a\n1,1234\n', 'id;a\n1;1.234\n', '1 row would match with --decimal ,'],
];

it.each(CAUSES)('names the cause of the differences of %j and %j', async (bill, records, note) => {
  const argv = ['--key', 'id', '--amount', 'a', '--json'];
  const { code, stdout } = await compareTexts(bill, records, argv);
  expect(code).toBe(15);
  const { notes } = JSON.parse(stdout);
  expect(notes.join('\n')).toContain(note);
  const options = /(?:--[a-z-]+(?: -?[\d.,]+)? ?)+/.exec(note)?.[0].trim().split(' ') ?? [];
  expect(await compareTexts(bill, records, [...argv, ...options])).toMatchObject({ code: 0 });
});

it.each([
  [
    'id,a\n202611200000000001,1\n',
    'id,a\n2.02611E+17,1\n',
    'Excel has removed digits from keys of the records, such as 2.02611E+17; 1 row',
  ],
  ['id,a\n202611200000000001,1\n', 'id,a\n202611200000000000,1\n', 'Excel has removed digits'],
  [
    'id,a\nA1,1\n',
    'no,id,a\nA1,T1,1\n',
    'no key matches; 1 row of the first 1 would match with --key id=no',
  ],
  [
    'id,a\nA1,1\n',
    'id,a\nT1,1\n',
    'no key of the bill is in the records: the bill has "A1", the records "T1"',
  ],
])('never ends without a cause when no key matches: %j and %j', async (bill, records, note) => {
  const { stdout } = await compareTexts(bill, records, ['--key', 'id', '--amount', 'a', '--json']);
  expect(JSON.parse(stdout).notes.join('\n')).toContain(note);
});

it('compares several bills with several files of records', async () => {
  const [a, b] = [await file('id\n1\n'), await file('id\n2\n')];
  const [c, d] = [await file('id;x\n2;0\n'), await file('id\n1\n3\n')];
  const { stdout, stderr } = await compare([a, b, '--with', c, d, '--key', 'id', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ matched: 2, only_in_records: 1 });
  expect(stderr).toContain('and 1 more');
});

it('prints as many differences as --limit', async () => {
  const rows = 'order_id\n1\n2\n3\n';
  const two = await compareTexts(rows, 'id\n', [...KEY, '--limit', '2', '--json']);
  expect(JSON.parse(two.stdout).differences).toHaveLength(2);
  const none = await compareTexts(rows, 'id\n', [...KEY, '--limit', '0']);
  expect(none.stdout).not.toContain('only in bill  ');
});

it('writes texts that look like formulas as texts, with a byte order mark for Excel', async () => {
  const out = await temporaryDirectory();
  const bill = 'order_id,note,paid\n=1+1,@x,-5\n"""-x",+y,1\n';
  await compareTexts(bill, 'id\n', [...KEY, '--out', out, '--bom']);
  expect(await readFile(join(out, 'only-in-bill.csv'), 'utf8')).toBe(
    `\ufefforder_id,note,paid\n'=1+1,'@x,-5\n"'""-x",'+y,1\n`,
  );
});

it('writes a workbook that it can read again', async () => {
  const out = join(await temporaryDirectory(), 'differences.xlsx');
  await compareTexts(BILL, RECORDS, [...KEY, ...AMOUNTS, '--out', out]);
  const read = async (sheet: string) => {
    const { stdout } = await mop(['bill', 'summary', out, '--sheet', sheet, '--json']);
    return JSON.parse(stdout).files[0];
  };
  expect(await read('1')).toMatchObject({ rows: 8 });
  expect(await read('different')).toMatchObject({ rows: 2 });
  expect(await read('only-in-records')).toMatchObject({ rows: 1 });
  expectFailure(
    await mop(['bill', 'summary', out, '--sheet', 'x']),
    2,
    'no sheet "x"',
    'different',
  );
});

it('takes the options of rows and amounts from the profile', async () => {
  const stored = {
    compare_key: 'order_id=id',
    compare_amount: 'paid=sum',
    compare_delimiter: 'tab',
    compare_where: 'city=A,city=B',
    compare_records_where: 'state=paid',
    compare_factor: '0.01',
    compare_net: 'true',
    compare_blank: '0',
  };
  const { env } = await configuration({ profiles: { default: stored } });
  const bill = 'order_id,city,paid\n1,A,2.00\n1,A,1.00\n2,B,\n3,C,9\n';
  const records = 'id\tsum\tstate\n1\t300\tpaid\n2\t0\tpaid\n4\t1\topen\n';
  const { code, stdout } = await compareTexts(bill, records, ['--json'], { env });
  expect(code, stdout).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ matched: 2 });
});

it.each([
  ['--factor x --amount a', 'the factor "x" is not a decimal number'],
  ['--factor 2', '--factor needs --amount'],
  ['--blank -', '--blank needs --amount'],
  ['--where x', '--where takes COLUMN=VALUE'],
  ['--bom', '--bom is for the CSV files of --out'],
  ['--no-header --header-line 2', '--no-header and --header-line exclude each other'],
  ['--delimiter ab', '--delimiter must be'],
  ['--limit x', '--limit must be'],
  ['--where nope=1', 'has no column "nope"'],
])('%s ends with 2', async (options, message) => {
  const argv = ['--key', 'id', ...options.split(' ')];
  expectFailure(await compareTexts('id,a\n1,1\n', 'id,a\n1,1\n', argv), 2, message);
});
