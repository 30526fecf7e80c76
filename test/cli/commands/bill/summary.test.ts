import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type CliWorld, mop, temporaryDirectory } from '../../../support/cli.ts';
import { configuration, expectFailure, file } from '../../support.ts';
import { FILE } from './support.ts';

const CSV = 'id,city,paid,refund\n1,北京,1000.50,0\n2,上海,20.25,5\n3,北京,3,\n';

const summary = (argv: readonly string[], world: CliWorld = {}) =>
  mop(['bill', 'summary', ...argv], world);

/** Fetches bills of the sandbox. */
async function fetched(...days: string[]): Promise<string> {
  const directory = await temporaryDirectory();
  const argv = ['bill', 'fetch', '-o', `${directory}/`, '--env', 'sandbox', ...days];
  expect((await mop(argv)).code).toBe(0);
  return directory;
}

it('prints one document with --json', async () => {
  const argv = ['-', '--by', 'city', '--sum', 'paid', '--json'];
  const { code, stdout, stderr } = await summary(argv, { stdin: CSV });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const columns = [
    { name: 'id' },
    { name: 'city' },
    { name: 'paid', sum: '1023.75', min: '3', max: '1000.50' },
    { name: 'refund' },
  ];
  expect(JSON.parse(stdout)).toEqual({
    files: [{ path: '-', rows: 3, columns, notes: [] }],
    total: { rows: 3, columns },
    groups: [
      { value: '北京', values: ['北京'], rows: 2, sums: { paid: '1003.50' } },
      { value: '上海', values: ['上海'], rows: 1, sums: { paid: '20.25' } },
    ],
  });
});

it('shows the columns of a file, except identifiers', async () => {
  const stdin = 'order_id,paid\n20261119000000001,1234567.5\n20261119000000002,-1\n';
  expect((await summary(['-'], { stdin })).stdout).toBe(
    '-: 2 rows\n\nCOLUMN          SUM  MIN          MAX\npaid    1,234,566.5   -1  1,234,567.5\n',
  );
  expect((await summary(['-', '--sum', 'order_id'], { stdin })).stdout).toContain('order_id');
});

it('shows several files with a line each, and their total', async () => {
  const directory = await temporaryDirectory();
  const paths = [];
  for (const name of ['a.csv', 'b.csv']) {
    paths.push(join(directory, name));
    await appendFile(join(directory, name), CSV);
  }
  const { stdout } = await summary([...paths, '--sum', 'paid']);
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines.map(([name = '', ...rest]) => [name.replace(`${directory}/`, ''), ...rest])).toEqual(
    [
      ['FILE', 'ROWS', 'paid'],
      ['a.csv', '3', '1,023.75'],
      ['b.csv', '3', '1,023.75'],
      ['total', '6', '2,047.50'],
      [''],
    ],
  );
});

it('draws bars on a terminal that is wide enough', async () => {
  const argv = ['-', '--by', 'city', '--sum', 'paid', '--no-color'];
  const world = { stdin: CSV, stdoutIsTerminal: true, columns: 80, env: { LANG: 'C.UTF-8' } };
  const { stdout } = await summary(argv, world);
  expect(stdout).toMatch(/北京 {5}2 {2}1,003\.50 {2}█{30}\n上海 {5}1 {5}20\.25 {2}█\n/);
  const ascii = await summary(argv, { ...world, env: { LANG: 'C' } });
  expect(ascii.stdout).toMatch(/1,003\.50 {2}#{30}\n/);
  for (const other of [{ ...world, columns: 26 }, { stdin: CSV }]) {
    expect((await summary(argv, other)).stdout).not.toContain('█');
  }
});

it('makes control characters of cells visible', async () => {
  const { stdout } = await summary(['-', '--by', 'a'], { stdin: 'a,b\n\u001b[31mx,1\n' });
  expect(stdout).not.toContain('\u001b');
});

it('finds bills by their days, and skips days without trades', async () => {
  const directory = await fetched('2026-11-18', '2026-11-19');
  const sandbox = ['-o', directory, '--env', 'sandbox'];
  const [yesterday, day] = [
    await summary([...sandbox, '--json']),
    await summary(['2026-11-19', ...sandbox, '--json']),
  ];
  expect(yesterday.stdout).toBe(day.stdout);
  expect(JSON.parse(day.stdout).files).toMatchObject([{ path: join(directory, FILE), rows: 200 }]);

  expect(
    (await mop(['bill', 'fetch', '2026-10-13', '-o', `${directory}/`, '--env', 'sandbox'])).code,
  ).toBe(9);
  const days = await summary(['2026-10-13', '2026-11-18', '2026-11-19', ...sandbox]);
  expect(days.stderr).toContain('2026-10-13');
  expect(days.stdout.trim().split('\n')).toHaveLength(4);
  expectFailure(await summary(['2026-10-13', ...sandbox]), 9, '2026-10-13');

  await appendFile(join(directory, FILE), '1\n'.replace('1', Array(15).fill('1').join(',')));
  const changed = await summary(['yesterday', ...sandbox]);
  expect(changed.stderr).toMatch(
    /^mop: warning: .* has changed since it was fetched.*mop bill fetch DATE --overwrite/,
  );
});

it.each(['today', '2026-11-01..2026-11-03', '20261101'])(
  'explains the day %s, which is not a file',
  async (day) => {
    expectFailure(await summary([day]), 2, 'is neither a file nor a day', 'as YYYY-MM-DD');
  },
);

it('prints the command that fetches a missing bill', async () => {
  const directory = await fetched('2026-11-19');
  const other = await summary(['yesterday', '-o', directory]);
  expectFailure(other, 2, 'no bill of 2026-11-19', 'with the same -o, -p and --env');
  const argv = ['2026-11-18', '--type', 'paid', '-o', directory, '--env', 'sandbox'];
  const missing = await summary(argv);
  const message = 'no bill of 2026-11-18 (type paid)';
  expectFailure(missing, 2, message, 'run mop bill fetch 2026-11-18');
});

it.each([
  [['x.csv', '--type', 'paid'], '--type'],
  [['x.csv', '-o', 'bills'], '-o'],
  [['yesterday', '-o', 'no-such-directory'], 'no-such-directory'],
  [['2026-11-31'], 'not a date'],
  [['no-such-file.csv'], 'no-such-file.csv'],
])('%j ends with 2', async (argv, message) => {
  expectFailure(await summary(argv), 2, message);
});

it('reports file, line, column and text of an invalid number', async () => {
  const path = await file('a,b\n1,x\n');
  expectFailure(await summary([path, '--sum', 'b']), 2, `${path}, line 2, column b: "x" is not`);
});

it('adds up a column once, even if it is given twice', async () => {
  const { stdout } = await summary(['-', '--sum', 'paid', '--sum', 'paid', '--json'], {
    stdin: CSV,
  });
  expect(JSON.parse(stdout).total.columns).toContainEqual(
    expect.objectContaining({ name: 'paid', sum: '1023.75' }),
  );
});

it('reads a gzip file that is padded with zeros', async () => {
  for (const zeros of [1, 100, 1024 ** 2]) {
    const path = await file(Buffer.concat([gzipSync(CSV), Buffer.alloc(zeros)]));
    expect(await summary([path, '--json'])).toMatchObject({ code: 0, stderr: '' });
  }
});

it('reads UTF-8 with a byte order mark despite --encoding', async () => {
  const { stdout } = await summary(['-', '--encoding', 'gb18030', '--by', 'city'], {
    stdin: `\ufeff${CSV}`,
  });
  expect(stdout).toContain('北京');
});

it('groups by several columns, of chosen rows', async () => {
  const stdin = 'city,car,paid\nA,x,1.5\nA,y,2\nB,x,4\n';
  const argv = ['-', '--by', 'city', '--by', 'car', '--where', 'city=A'];
  const { stdout, stderr } = await summary(argv, { stdin });
  expect(stdout).toMatch(/city {2}car {2}ROWS {2}paid\n(?:A {5}[xy] .*\n){2}$/);
  expect(stderr).toBe('-: 2 of 3 rows chosen: city=A\n');
});

it('takes the directory of the bills as an argument, and a range of days', async () => {
  const directory = await fetched('2026-11-18', '2026-11-19');
  const sandbox = ['--env', 'sandbox', '--json'];
  const [argument, option] = [
    await summary([directory, ...sandbox]),
    await summary(['-o', directory, ...sandbox]),
  ];
  expect(argument.stdout).toBe(option.stdout);
  for (const range of [
    ['--last', '2'],
    ['--from', '2026-11-18'],
    ['2026-11-18', 'yesterday'],
  ]) {
    const { stdout } = await summary(['-o', directory, ...range, ...sandbox]);
    expect(JSON.parse(stdout).total.rows).toBe(400);
  }
  expectFailure(await summary([directory, '-o', directory]), 2, 'several directories');
  expectFailure(await summary(['x.csv', '--last', '2']), 2, 'a range of days');
  for (const command of [['status'], ['compact'], ['verify']]) {
    const result = await mop(['bill', ...command, '-o', directory, '--env', 'sandbox']);
    expect(result.code, result.stderr).toBe(0);
  }
});

it('reads files without the configuration, which may be damaged', async () => {
  const { env } = await configuration('{');
  expect((await summary([await file(CSV)], { env })).code).toBe(0);
  expectFailure(await summary(['2026-11-19'], { env }), 3, 'is damaged');
});
