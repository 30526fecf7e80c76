import { deepEqual, equal, ok } from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  alternate,
  clientEnv,
  missingPrograms,
  newDirectory,
  peak,
  rate,
  ratio,
  run,
  runWithPeak,
  seconds,
} from '../measure.js';

export const title = 'Summaries and comparisons';
export const notes =
  'A bill with 15 columns (about 160 bytes a row) and shuffled records of the same orders, with 30 differences. The pipelines use one thread: Miller’s `stats1`, and `cut`, `sort -S 500M`, `join` with `mawk`. DuckDB uses all cores. All find the same numbers. `cut` and `join` support neither quotes nor exact decimals, and Miller adds binary fractions.';

const NUMERIC = ['distance_km', 'amount', 'discount', 'paid_amount', 'refund_amount'];
const HEADER = `order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,${NUMERIC},pay_channel,status\n`;
const DIFFERENCES_OF_EACH_KIND = 10;
const DECIMAL = 'DECIMAL(18, 2)';
const rowsOf = (name) => `read_csv('${name}.csv', types = {'order_id': 'VARCHAR'})`;
const SUMMARY = {
  name: 'bill summary',
  goal: 400_000,
  atMost: 0.35,
  args: ['bill', 'summary', 'bill.csv', '--json'],
  code: 0,
  programs: ['mlr'],
  env: { GOMAXPROCS: '1' },
  script: `mlr --icsv --ojson stats1 -a count,sum,min,max -f ${NUMERIC} bill.csv`,
  query: `SELECT count(*), ${NUMERIC.map((name) => `sum(${name}::${DECIMAL}), min(${name}), max(${name})`)} FROM 'bill.csv'`,
};
/** Sorts in 500 MB, the limit of mop for any size. Prints the differences and both sums. */
const COMPARISON = {
  name: 'bill compare',
  goal: 250_000,
  atMost: 1,
  args: 'bill compare bill.csv --with records.csv --key order_id --amount paid_amount --json'.split(
    ' ',
  ),
  code: 15,
  programs: ['sort', 'join', 'mawk'],
  env: { LC_ALL: 'C' },
  script: `sorted() { tail -n +2 $1.csv | cut -d, -f$2 | sort -t, -k1,1 -S 500M --parallel=1 >$1; }
    sorted bill 1,12 && sorted records 1,3 &&
    join -t, -a1 -a2 -o 0,1.2,2.2 bill records | mawk -F, '{ b += $2; r += $3 }
      $2 == "" { n++; next } $3 == "" { o++; next } $2 + 0 != $3 + 0 { d++ }
      END { printf "[%d,%d,%d,%.2f,%.2f]", o, n, d, b, r }'`,
  query: `SELECT count(*) FILTER (r.order_id IS NULL), count(*) FILTER (b.order_id IS NULL),
      count(*) FILTER (b.paid_amount::${DECIMAL} <> r.paid_amount::${DECIMAL}),
      sum(b.paid_amount::${DECIMAL}), sum(r.paid_amount::${DECIMAL})
    FROM ${rowsOf('bill')} b FULL JOIN ${rowsOf('records')} r ON b.order_id = r.order_id`,
};
const DUCKDB = fileURLToPath(new URL('duckdb.js', import.meta.url));
/** The goals for 10 million rows on each side. */
const BIG = { seconds: 20, memory: 500 };

export async function* rows({ big }) {
  yield* ofSize(200_000, 5);
  yield* ofSize(1_000_000, 1);
  if (big) yield* ofSize(10_000_000, 1);
}

async function* ofSize(rows, runs) {
  const directory = newDirectory();
  const { sums, differences } = makeFiles(rows, directory);
  const read = (name) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  yield* figures(SUMMARY, rows, runs, directory);
  checkSummary(read('mop'), rows, sums);
  if (missingPrograms(SUMMARY.programs).length === 0) checkMiller(read('shell')[0], rows, sums);
  yield* figures(COMPARISON, rows, runs, directory);
  checkDifferences(read('mop'), differences);
  if (missingPrograms(COMPARISON.programs).length === 0) deepEqual(read('shell'), differences);
  deepEqual(Object.values(read('duckdb')).map(Number), differences);
}

/** Irregular digits like those of real orders, but reproducible: 32 bits for each number. */
function mixed(n) {
  const x = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  const y = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (y ^ (y >>> 16)) >>> 0;
}

/** An order of the bill, with the values of its numeric columns in hundredths. */
function order(n) {
  const [x, y] = [mixed(2 * n + 1), mixed(2 * n + 2)];
  const paid = 900 + (y % 48_611);
  const values = [100 + (x % 9000), paid + (y % 2000), y % 2000, paid, x % 16 ? 0 : paid];
  return { id: `20261119${`${n}`.padStart(9, '0')}`, x, y, paid, values };
}

function billLine({ id, x, y, values }) {
  const time = `2026-11-19 ${10 + (x % 14)}:${10 + (y % 50)}:${10 + (x % 50)}`;
  const decimals = values.map((value) => (value / 100).toFixed(2)).join(',');
  return `${id},420020261119${`${y}`.padStart(10, '0')},realtime,杭州,经济型,138****${1000 + (y % 9000)},${time},${time},${decimals},wechat,PAID\n`;
}

function shuffle(numbers) {
  for (let n = numbers.length - 1; n > 0; n--) {
    const other = mixed(n) % (n + 1);
    [numbers[n], numbers[other]] = [numbers[other], numbers[n]];
  }
}

/** Writes a bill and records. Returns the sums of the bill, and the counts of a comparison. */
function makeFiles(rows, directory) {
  const numbers = Uint32Array.from({ length: rows }, (_, n) => n);
  const hundredths = NUMERIC.map(() => 0);
  write(`${directory}/bill.csv`, HEADER, numbers, (n) => {
    const line = order(n);
    for (const [at, value] of line.values.entries()) hundredths[at] += value;
    return billLine(line);
  });
  shuffle(numbers);
  let theirs = 0;
  write(`${directory}/records.csv`, 'order_id,type,paid_amount\n', numbers, (n) => {
    const { id, paid } = order(n);
    // The first rows have another amount, the next another key. All amounts lose trailing zeros:
    // 12.5 is 12.50.
    const kind = Math.floor(n / DIFFERENCES_OF_EACH_KIND);
    const amount = kind === 0 ? paid + 1 : paid;
    theirs += amount;
    return `${kind === 1 ? `A${id}` : id},realtime,${amount / 100}\n`;
  });
  // The doubles nearest to the exact sums; parsing a text of up to 15 digits gives the same ones.
  const sums = hundredths.map((sum) => sum / 100);
  return { sums, differences: [...Array(3).fill(DIFFERENCES_OF_EACH_KIND), sums[3], theirs / 100] };
}

function write(path, header, numbers, lineOf) {
  writeFileSync(path, header);
  for (let from = 0; from < numbers.length; from += 2000)
    appendFileSync(path, Array.from(numbers.subarray(from, from + 2000), lineOf).join(''));
}

function checkSummary({ files: [file] }, rows, sums) {
  equal(file.rows, rows);
  for (const [at, name] of NUMERIC.entries()) {
    const { sum } = file.columns.find((column) => column.name === name);
    equal(Number(sum), sums[at]);
  }
}

function checkMiller(statistics, rows, sums) {
  for (const [at, name] of NUMERIC.entries()) {
    equal(statistics[`${name}_count`], rows);
    ok(Math.abs(statistics[`${name}_sum`] - sums[at]) < 0.01, name);
  }
}

function checkDifferences({ only_in_bill, only_in_records, different, sums }, expected) {
  const amounts = [sums.bill, sums.records].map(({ paid_amount }) => Number(paid_amount));
  deepEqual([only_in_bill, only_in_records, different, ...amounts], expected);
}

/** Writes the outputs of the two sides to the files `mop` and `shell`. */
async function* figures(task, rows, runs, cwd) {
  const { name, goal, atMost, args, code, programs, env, script, query } = task;
  const subject = `\`${name}\`, ${rows.toLocaleString('en')} rows`;
  const files = { cwd, code, env: { ...clientEnv('http://127.0.0.1:9'), TMPDIR: cwd } };
  const mop = () => runWithPeak(args, { ...files, output: join(cwd, 'mop') });
  const shell = () => run('sh', ['-c', `${script} >shell`], { cwd, env: { ...env, TMPDIR: cwd } });
  const duckdb = () =>
    run(process.execPath, [DUCKDB], {
      cwd,
      env: { DUCKDB_QUERY: query },
      output: join(cwd, 'duckdb'),
    });
  // Start-up matters in small files.
  const isLarge = rows >= 1_000_000;
  const missing = missingPrograms(programs);
  const rounds = await alternate(missing.length > 0 ? [mop] : [mop, shell], runs);
  yield rate(subject, goal, rows, 'rows', rounds);
  const against = `${subject}, against ${programs.join(', ')}`;
  if (missing.length > 0) yield { subject: against, text: `not installed: ${missing.join(', ')}` };
  else yield ratio(against, isLarge ? atMost : undefined, rounds);
  yield ratio(
    `${subject}, against DuckDB`,
    isLarge ? 3 : undefined,
    await alternate([mop, duckdb], runs),
  );
  const isBig = rows >= 10_000_000;
  if (isBig) yield seconds(subject, BIG.seconds, rounds);
  yield peak(`peak memory of the same run`, isBig ? BIG.memory : undefined, rounds);
}
