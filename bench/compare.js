/**
 * `mop bill summary` and `mop bill compare`: rows per second and peak memory, against pipelines of
 * Debian packages (Miller; sort, join and mawk) that find the same numbers.
 *
 * Usage: node bench/compare.js [ROWS ...], by default 200000, 1000000 and 2000000.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { compare, MOP, median, run, withDirectory } from './measure.js';

const NUMERIC = ['distance_km', 'amount', 'discount', 'paid_amount', 'refund_amount'];
const HEADER = `order_id,trade_no,order_type,city,car_type,passenger_mobile,started_at,paid_at,${NUMERIC},pay_channel,status\n`;
const DIFFERENCES_OF_EACH_KIND = 10;
const PROBE = new URL('peak-memory.js', import.meta.url).href;
const SUMMARY = {
  ...{ name: 'summary', wanted: 150_000, args: 'summary bill.csv', code: 0, programs: ['mlr'] },
  script: `mlr --icsv --ojson stats1 -a count,sum,min,max -f ${NUMERIC} bill.csv`,
  oneThread: { GOMAXPROCS: '1' },
};
/** Sorts in 500 MB, the limit of mop for any size. Prints the differences and both sums. */
const COMPARISON = {
  ...{ name: 'compare', wanted: 60_000, code: 15, programs: ['sort', 'join', 'mawk'] },
  args: 'compare bill.csv --with records.csv --key order_id --amount paid_amount',
  script: `sorted() { tail -n +2 $1.csv | cut -d, -f$2 | sort -t, -k1,1 -S 500M $THREADS >$1; }
    sorted bill 1,12 && sorted records 1,3 &&
    join -t, -a1 -a2 -o 0,1.2,2.2 bill records | mawk -F, '{ b += $2; r += $3 }
      $2 == "" { n++; next } $3 == "" { o++; next } $2 + 0 != $3 + 0 { d++ }
      END { printf "[%d,%d,%d,%.2f,%.2f]", o, n, d, b, r }'`,
  oneThread: { THREADS: '--parallel=1' },
};

/** Digits as irregular as those of real orders, the same each time: 32 bits for each number. */
function mixed(n) {
  const x = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  const y = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (y ^ (y >>> 16)) >>> 0;
}

/** An order of the bill; the values of its numeric columns in hundredths. */
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

/** Writes a bill and records. Returns the sums of the bill, and the numbers of a comparison. */
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
    // The first have another amount, the next another key. All lose trailing zeros: 12.5 is 12.50.
    const kind = Math.floor(n / DIFFERENCES_OF_EACH_KIND);
    const amount = kind === 0 ? paid + 1 : paid;
    theirs += amount;
    return `${kind === 1 ? `A${id}` : id},realtime,${amount / 100}\n`;
  });
  // The doubles nearest to the exact sums, as a parsed text of up to 15 digits is.
  const sums = hundredths.map((sum) => sum / 100);
  return { sums, differences: [...Array(3).fill(DIFFERENCES_OF_EACH_KIND), sums[3], theirs / 100] };
}

function write(path, header, numbers, lineOf) {
  writeFileSync(path, header);
  for (let from = 0; from < numbers.length; from += 2000)
    appendFileSync(path, Array.from(numbers.subarray(from, from + 2000), lineOf).join(''));
}

function checkSummary({ files: [file] }, miller, rows, sums) {
  equal(file.rows, rows);
  for (const [at, name] of NUMERIC.entries()) {
    const { sum } = file.columns.find((column) => column.name === name);
    equal(Number(sum), sums[at]);
    if (miller === undefined) continue;
    equal(miller[`${name}_count`], rows);
    const error = Math.abs(miller[`${name}_sum`] - sums[at]);
    ok(error < 0.01, name);
    console.log(`sum of ${name}: ${sum}; Miller's is ${error.toExponential(1)} off`);
  }
}

function checkDifferences({ only_in_bill, only_in_records, different, sums }, shell, expected) {
  const amounts = [sums.bill, sums.records].map(({ paid_amount }) => Number(paid_amount));
  deepEqual([only_in_bill, only_in_records, different, ...amounts], expected);
  if (shell !== undefined) deepEqual(shell, expected);
}

/** Times mop and a shell script by turns. Returns the output of both, or of mop alone. */
async function against({ name, wanted, args, code, programs, script, oneThread }, rows, cwd) {
  const runs = rows > 1_000_000 ? 3 : 5;
  const env = { MOP_CONFIG_DIR: `${cwd}/none`, PEAK_FILE: `${cwd}/peak`, LC_ALL: 'C', TMPDIR: cwd };
  // The second shell forks: a started program would inherit the peak memory of this process.
  const start = `cd '${cwd}'; "$0" --import ${PROBE} '${MOP}' bill ${args} --json >mop; exit $?`;
  const times = [];
  const mop = async () => {
    times.push(await run('sh', ['-c', start, process.execPath], env, code));
    return times.at(-1);
  };
  const shell = (more) => run('sh', ['-c', `cd '${cwd}' && ${script} >shell`], { ...env, ...more });
  const title = `${name} of ${rows} rows, against ${programs.join(', ')}`;
  const missing = programs.filter((each) => spawnSync('sh', ['-c', `command -v ${each}`]).status);
  if (missing.length > 0) {
    console.log(`${title}: skipped, ${missing.join(', ')} not installed`);
    for (let i = 0; i < runs; i++) await mop();
  } else {
    await compare(`${title} with 1 thread`, undefined, mop, () => shell(oneThread), runs);
    const all = [];
    for (let i = 0; i < runs; i++) all.push(await shell());
    console.log(`${title} with default threads: ${(median(times) / median(all)).toFixed(2)}x`);
  }
  const read = (file) => JSON.parse(readFileSync(`${cwd}/${file}`, 'utf8'));
  console.log(
    `${name}: ${Math.round(rows / median(times))} rows per second (at least ${wanted} wanted)`,
  );
  console.log(`peak memory of ${name}: ${(read('peak') / 1024).toFixed(0)} MiB`);
  return [read('mop'), missing.length > 0 ? undefined : read('shell')];
}

const sizes = process.argv.slice(2).map(Number);
for (const rows of sizes.length > 0 ? sizes : [200_000, 1_000_000, 2_000_000]) {
  await withDirectory(async (directory) => {
    const { sums, differences } = makeFiles(rows, directory);
    const [summary, statistics] = await against(SUMMARY, rows, directory);
    checkSummary(summary, statistics?.[0], rows, sums);
    checkDifferences(...(await against(COMPARISON, rows, directory)), differences);
  });
}
